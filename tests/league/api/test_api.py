"""What programs do with the league by the API."""

import gzip
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from engine.record.verify import verify
from league.bots.models import BotVersion
from league.ladder import services as ladder
from league.ladder.models import Entry, LadderRating
from league.matches.models import Match
from league.workers.models import Worker
from tests.league import factories
from tests.league.asking import ask, pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def mira():
    return factories.make_user("mira")


@pytest.fixture
def key(mira):
    return factories.make_key(mira)


@pytest.fixture
def table(mira):
    """Three bots that play, one of them Mira's."""
    return [factories.make_player(mira, "Shark"), *(factories.make_player() for _ in range(2))]


def test_a_bot_is_founded_uploaded_to_polled_and_activated(key):
    founded = ask("bots", method="POST", send={"name": "Tin Cup", "about": "small"}, key=key)
    assert founded.json()["slug"] == "tin-cup"
    assert ask(founded["Location"].split("/api/v1/")[1], key=key).json() == founded.json()
    uploaded = ask(
        "bots/tin-cup/versions",
        method="POST",
        send={"source": factories.SOURCE, "note": "first"},
        key=key,
    )
    told = uploaded.json()
    assert (told["number"], told["status"], told["steps"], told["reused"]) == (
        *(1, "waiting", []),
        False,
    )
    assert told["place_in_queue"] == 1
    version = BotVersion.objects.get()
    version.status, version.steps = "rejected", [{"name": "text", "ok": True, "text": "", "ms": 1}]
    version.save()
    polled = ask(uploaded["Location"].split("/api/v1/")[1], key=key).json()
    assert (polled["status"], len(polled["steps"]), polled["note"]) == ("rejected", 1, "first")
    assert ask("me", key=key).json()["bots"] == [{"slug": "tin-cup", "name": "Tin Cup"}]


def test_a_file_comes_as_json_or_in_a_form_and_the_same_code_is_the_same_version(key, table):
    file = SimpleUploadedFile("bot.py", factories.SOURCE.encode())
    first = ask("bots/shark/versions", form={"source": file, "note": "v2"}, key=key).json()
    again = ask(
        "bots/shark/versions", method="POST", send={"source": factories.SOURCE}, key=key
    ).json()
    assert (first["number"], first["reused"], first["note"]) == (2, False, "v2")
    assert (again["number"], again["reused"]) == (2, True)
    assert ask("bots/shark/versions/2/source", key=key).content.decode() == factories.SOURCE


def test_a_benched_version_comes_back_when_it_is_activated(key, table):
    BotVersion.objects.filter(bot=table[0]).update(benched_because="3 faults")
    told = ask("bots/shark/versions/1/activate", method="POST", key=key).json()
    assert (told["active"], told["benched_because"]) == (True, None)


def test_a_bot_leaves_a_ladder_and_comes_back(key, table):
    factories.rate_all()
    path = "leaderboards/basari/entries/shark"
    assert ask(path, method="DELETE", key=key).status_code == 204
    assert Entry.objects.get(bot=table[0], ladder="basari").left_at is not None
    assert ask(path, method="POST", key=key).json()["bot"] == "shark"
    assert Entry.objects.get(bot=table[0], ladder="basari").left_at is None


def test_a_challenge_is_queued_for_the_active_versions(key, table):
    slugs = [bot.slug for bot in table]
    made = ask("matches", method="POST", send={"game": "basari", "bots": slugs}, key=key).json()
    assert [seat["bot"] for seat in made["seats"]] == slugs
    assert (made["status"], made["rated"], made["place_in_queue"]) == ("queued", False, 1)
    match = Match.objects.get()
    assert match.seed not in json.dumps(ask(f"matches/{match.pk}", key=key).json())


def test_lists_are_the_same_whatever_the_size_of_the_pages(table):
    played = [factories.queue_match(table).pk for _ in range(5)]
    for limit in (1, 2, 5, 50):
        found = pages(f"matches?limit={limit}")
        assert [match["id"] for page in found for match in page] == played[::-1]
        assert all(len(page) <= limit for page in found)


def test_pages_go_back_as_they_came_and_new_rows_move_nothing(table):
    for _ in range(4):
        factories.queue_match(table)
    first = ask("matches?limit=2").json()
    factories.queue_match(table)
    second = ask(first["next"].split("/api/v1/")[1]).json()
    back = ask(second["previous"].split("/api/v1/")[1]).json()
    assert first["previous"] is None
    assert back["items"] == first["items"]
    assert second["next"] is None
    assert not {one["id"] for one in first["items"]} & {one["id"] for one in second["items"]}


def test_a_cursor_belongs_to_its_list(table):
    cursor = ask("bots?limit=1").json()["next"].split("cursor=")[1]
    assert ask(f"matches?cursor={cursor}").status_code == 422


def test_matches_are_found_by_game_bot_and_status(table):
    played = factories.make_match(table)
    factories.queue_match(table, "edel-stein-reich")
    other = factories.queue_match([factories.make_player() for _ in range(3)])
    ids = {
        "game=edel-stein-reich": 1,
        "status=finished": 1,
        "bot=shark": 2,
        "bot=shark&status=finished": 1,
        "bot=nobody": 0,
    }
    for query, count in ids.items():
        assert len(ask(f"matches?{query}").json()["items"]) == count, query
    assert ask("matches?status=finished").json()["items"][0]["id"] == played.pk
    assert ask("matches").json()["items"][0]["id"] == other.pk


def test_a_leaderboard_ranks_by_the_cautious_rating_and_equals_share_a_rank(table):
    factories.rate_all()
    for bot, mu in zip(table, (30.0, 20.0, 30.0), strict=True):
        Entry.objects.filter(bot=bot).update(matches=30)
        LadderRating.objects.filter(version=bot.active).update(mu=mu, sigma=1.0)
    rows = [row for page in pages("leaderboards/basari?limit=1") for row in page]
    assert [row["rank"] for row in rows] == [1, 1, 3]
    assert rows[2]["bot"] == table[1].slug
    assert rows[0]["rating"]["shown"] == 1700
    whole = ask("leaderboards/basari").json()["items"]
    assert whole == rows
    [own] = ask("leaderboards/basari?house=false").json()["items"]
    assert own["bot"] == "shark"
    assert ask("leaderboards/basari?show=provisional").json()["items"] == []
    [basari] = [one for one in ask("bots/shark/ratings").json() if one["game"] == "basari"]
    assert basari["rank"] == 1


def test_newcomers_are_listed_without_a_rank(table):
    factories.make_match(table)
    factories.rate_all()
    rows = ask("leaderboards/basari?show=provisional").json()["items"]
    assert {row["rank"] for row in rows} == {None}
    assert len(rows) == 3


def test_receipts_tell_what_each_match_did(table):
    matches = [factories.make_match(table).pk for _ in range(3)]
    factories.rate_all()
    receipts = [one for page in pages("bots/shark/ratings/basari?limit=2") for one in page]
    assert [one["match"] for one in receipts] == matches[::-1]
    assert receipts[0]["before"] == receipts[1]["after"]


def test_a_record_is_sent_as_stored_and_proves_itself(table):
    match = factories.make_match(table)
    zipped = ask(f"matches/{match.pk}/record", **{"Accept-Encoding": "br, gzip;q=0.8"})
    plain = ask(f"matches/{match.pk}/record", **{"Accept-Encoding": "identity, gzip;q=0"})
    assert zipped["Content-Encoding"] == "gzip"
    assert zipped.content == bytes(match.record.data)
    assert gzip.decompress(zipped.content) == plain.content
    assert "immutable" in zipped["Cache-Control"]
    verify(plain.json())


def test_who_has_a_record_is_not_sent_it_again(table):
    match = factories.make_match(table)
    paths = [f"matches/{match.pk}/record?view={view}" for view in ("everything", "public", "0")]
    marks = [ask(path)["ETag"] for path in paths]
    assert len(set(marks)) == 3
    for path, mark in zip(paths, marks, strict=True):
        again = ask(path, **{"If-None-Match": mark})
        assert (again.status_code, again.content) == (304, b"")
        assert "immutable" in again["Cache-Control"]


def test_a_copy_for_a_seat_or_the_public_holds_neither_seed_nor_digest(table):
    match = factories.make_match(table, "edelsteinsuche")
    for view in ("public", "0", "2"):
        copy = ask(f"matches/{match.pk}/record?view={view}").json()
        assert "seed" not in copy
        assert copy["redacted"] == (view if view == "public" else int(view))
        assert len(copy["steps"]) == len(ask(f"matches/{match.pk}/record").json()["steps"])
    assert ask(f"matches/{match.pk}/record?view=3").status_code == 422


def test_own_notes_are_merged_for_the_owner_and_kept_from_caches(key, table):
    match = factories.make_match(table, notes={0: "mine", 1: "theirs"})
    own = ask(f"matches/{match.pk}/record?notes=mine", key=key)
    assert "mine" in own.content.decode()
    assert "theirs" not in own.content.decode()
    assert own["Cache-Control"].startswith("private")
    assert "mine" not in ask(f"matches/{match.pk}/record").content.decode()


@pytest.mark.parametrize("path", ["leaderboards/basari", "matches", "bots", "games"])
def test_an_answer_that_did_not_change_is_not_sent_again(table, path):
    first = ask(path)
    assert ask(path, **{"If-None-Match": first["ETag"]}).status_code == 304
    assert "Authorization" in first["Vary"]


def test_an_answer_that_changed_is_sent(table):
    before = ask("bots")
    factories.make_player()
    assert ask("bots", **{"If-None-Match": before["ETag"]}).status_code == 200


def test_head_answers_like_get(table):
    assert ask("bots/shark", method="HEAD").status_code == 200


def test_lists_ask_the_database_as_often_for_many_rows_as_for_few(
    key, table, django_assert_max_num_queries
):
    paths = [
        *("bots", "bots/shark/versions", "matches", "leaderboards/basari?show=provisional"),
        *("bots/shark/ratings/basari", "me"),
    ]

    def counts():
        found = []
        for path in paths:
            with django_assert_max_num_queries(10) as asked:
                assert ask(path, key=key).status_code == 200
            found.append(len(asked))
        return found

    factories.make_match(table)
    factories.rate_all()
    ask("me", key=key)  # Writes down when the key was used, which is not done again soon.
    few = counts()
    more = [factories.make_player(factories.make_user()) for _ in range(3)]
    factories.make_version(table[0])
    table[0].refresh_from_db()
    for _ in range(3):
        factories.make_match([table[0], *more])
    factories.rate_all()
    assert counts() == few


def test_the_status_counts_what_waits_and_what_was_played(table):
    factories.make_match(table)
    factories.queue_match(table)
    aside = {"quarantined_at": timezone.now(), "quarantine_reason": "bots were too slow"}
    for name, facts in {"aside": aside, "drained": {"draining": True}, "well": {}}.items():
        Worker.objects.create(name=name, seen_at=timezone.now(), **facts)
    told = ask("status").json()
    assert [(one["name"], one["draining"], one["set_aside"]) for one in told["workers"]] == [
        ("aside", False, True),
        ("drained", True, False),
        ("well", False, False),
    ]
    assert told["matches"] == {"finished": 1, "void": 0}
    assert (told["queue"]["queued"], told["queue"]["running"]) == (1, 0)
    assert told["queue"]["oldest_seconds"] >= 0
    assert set(told["versions"]["rules"]) == set(ladder.GAMES)
