"""The pages of matches: feed, match in all its states, record, embed."""

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.record.redact import HIDDEN_DETAIL
from engine.registry import GAMES
from league.matches import services
from league.matches.models import Match, Record, SeatLog
from league.matches.records import codec
from league.matches.views import rating_receipts, seat_logs
from league.web import keyset
from runners.match import Fault
from tests.league.factories import (
    finish_match,
    make_match,
    make_player,
    make_user,
    queue_match,
    rate_all,
)

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
TIMEOUT = Fault(seat=0, step=3, code="E302", detail="It took too long.", traceback="line 7")


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


@pytest.fixture
def players():
    return [make_player(make_user("mira"), "Sapphire Shark"), *(make_player() for _ in range(3))]


# A finished match


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_match_tells_result_ratings_and_every_sentence(client, players, game):
    match = make_match(players[: max(GAMES[game].seats)][:4], game)
    rate_all(game)
    page = client.get(f"/matches/{match.pk}/?result=1")
    said = text_of(page)
    html = page.content.decode()
    record = json.loads(client.get(f"/api/v1/matches/{match.pk}/record").content)
    assert html.count('<li id="log-') == len(record["steps"])
    assert "Money race" in html or "Points race" in html or "Open cards" in html
    for seat in match.seats.all():
        assert f"/bots/{seat.bot.slug}/" in html
    winner = match.seats.filter(place=1).order_by("number").first()
    change = match.changes.get(seat=winner.number)
    points = round(40 * (change.mu - change.mu_before))
    assert f'property="og:description" content="1st {winner.bot.name}' in html
    assert f"(+{points})" in said
    assert f"Place {change.expected:.1f} was expected at this table." in said
    assert html.count("<h1>") == 1


def test_without_javascript_a_step_is_marked_and_has_neighbours(client, players):
    match = make_match(players[:3])
    last = len(json.loads(client.get(f"/api/v1/matches/{match.pk}/record").content)["steps"]) - 1
    html = client.get(f"/matches/{match.pk}/?step=5").content.decode()
    assert html.count('aria-current="step"') == 1
    assert '<li id="log-5" aria-current="step"' in html
    assert '<a href="?step=4#log-4">Step back</a>' in html
    assert '<a href="?step=6#log-6">Step forward</a>' in html
    for wrong in (last + 1, "-1", "x", "9" * 30, "٣"):
        assert (
            'aria-current="step"'
            not in client.get(f"/matches/{match.pk}/", {"step": wrong}).content.decode()
        )


def test_the_text_replay_is_the_whole_match_in_chapters(client, players):
    match = make_match(players[:3], "edel-stein-reich")
    html = client.get(f"/matches/{match.pk}/?view=text").content.decode()
    record = json.loads(client.get(f"/api/v1/matches/{match.pk}/record").content)
    assert re.findall(r'<li value="(\d+)"', html) == [str(i) for i in range(len(record["steps"]))]
    assert re.findall(r"<h2>(Phase \d)</h2>", html) == ["Phase 1", "Phase 2", "Phase 3"]
    assert "A Sapphire Shark" in html


@pytest.mark.parametrize("view", ["public", "A", "B"])
def test_nothing_hidden_leaves_the_server_for_a_seat_or_the_public(client, players, view):
    match = make_match(players[:2], "edelsteinsuche")
    whole = json.loads(client.get(f"/api/v1/matches/{match.pk}/record").content)
    copy = json.loads(client.get(f"/api/v1/matches/{match.pk}/record?view={view}").content)
    seat = "public" if view == "public" else "AB".index(view)
    assert copy["redacted"] == seat
    assert "seed" not in copy
    hidden = [
        (step["i"], step["card"])
        for step in whole["steps"]
        if step["t"] == "draw" and seat not in step["for"]["card"]
    ]
    assert hidden
    page = client.get(f"/matches/{match.pk}/?view={view}").content.decode()
    lines = dict(re.findall(r'<li id="log-(\d+)" (.*?)</li>', page, re.DOTALL))
    names = {"O": "Opal", "R": "Ruby", "S": "Sapphire", "E": "Emerald"}
    for i, card in hidden:
        assert "a hidden card" in lines[str(i)]
        assert f"{names[card[0]]} {card[1]}" not in lines[str(i)]
        assert "card" not in copy["steps"][i]


def test_faults_are_told_with_code_and_consequence(client, players):
    match = make_match(players[:3], faults=[TIMEOUT])
    said = text_of(client.get(f"/matches/{match.pk}/"))
    assert "E302 Too slow – seat A, step 3" in said
    assert "The league played" in said
    assert "line 7" not in said


def test_only_the_owner_sees_what_a_bot_printed_and_noted(client, players):
    match = make_match(players[:3], printed={0: "hm, gems\n"}, notes={0: "cheap enough"})
    stranger = make_user("otto")
    for user in (None, stranger, players[0].owner):
        if user:
            client.force_login(user)
        html = client.get(f"/matches/{match.pk}/").content.decode()
        owns = user == players[0].owner
        assert ("hm, gems" in html) is owns
        assert ("cheap enough" in html) is owns
        assert ("Only you see this. Logs are kept 30 days." in html) is owns
        for path in (f"/api/v1/matches/{match.pk}/record", f"/matches/{match.pk}/embed/"):
            assert b"cheap enough" not in client.get(path).content
    for view, noted in {"everything": True, "A": True, "B": False}.items():
        html = client.get(f"/matches/{match.pk}/?view={view}").content.decode()
        assert ('<q class="kv-note">' in html) is noted
    SeatLog.objects.all().delete()
    long_ago = timezone.now() - timedelta(days=40)
    Match.objects.filter(pk=match.pk).update(finished_at=long_ago)
    html = client.get(f"/matches/{match.pk}/").content.decode()
    assert '<p class="muted">Logs are kept 30 days.</p>' in html


def test_a_log_is_cut_at_its_marks_which_count_bytes(players):
    seat = make_match(players[:3]).seats.first()
    SeatLog.objects.create(
        seat=seat,
        printed="öpening\nsecond\nbye",
        marks=[[3, 9], [7, 9], [9, 16]],
        notes={"7": "a note"},
    )
    seat.refresh_from_db()
    (log,) = seat_logs.own_logs([seat])
    told = [(entry.step, entry.printed, entry.note) for entry in log.entries]
    assert told == [
        (3, "öpening\n", ""),
        (7, "", "a note"),
        (9, "second\n", ""),
        (None, "bye", ""),
    ]


def test_a_receipt_says_what_was_expected_and_what_came(players):
    match = make_match(players[:3])
    rate_all()
    seats, lines = list(match.seats.all()), list(match.changes.all())
    for one in rating_receipts.receipts(seats, lines):
        # All began alike, so the middle place was to be expected of everybody.
        assert one.expected == pytest.approx(2)
        assert one.opponents == [(seat, one.before) for seat in seats if seat != one.seat]
        assert (one.change > 1) is (one.seat.place == 1)
        way = {1: "better than expected, so the rating rises by", 2: "as expected, so the rating"}
        assert way.get(one.seat.place, "worse than expected, so the rating falls by") in one.why
        assert one.sureness.startswith("We are surer of it than before: ±667 becomes ±")
    assert rating_receipts.receipts(seats, []) == []


def test_an_unrated_match_says_so_and_a_lost_replay_leaves_the_result(client, players):
    match = make_match(players[:3], rated=False)
    assert "does not count for ratings" in text_of(client.get(f"/matches/{match.pk}/"))
    Record.objects.all().delete()
    said = text_of(client.get(f"/matches/{match.pk}/"))
    assert "The replay of this match has been lost. Its result stands." in said
    assert "1st" in said


# States


def test_a_waiting_match_tells_its_place_and_becomes_the_page_when_it_is_over(client, players):
    first, second = queue_match(players[:3]), queue_match(players[1:])
    said = text_of(client.get(f"/matches/{second.pk}/"))
    assert re.search(r"Place 2 in the queue, about \d+ s. Nothing is wrong.", said)
    waiting = client.get(f"/matches/{second.pk}/", headers=HTMX)
    assert b"karat:tick" in waiting.content
    assert b"<html" not in waiting.content
    finish_match(first)
    finish_match(second)
    assert client.get(f"/matches/{second.pk}/", headers=HTMX)["HX-Refresh"] == "true"


def test_running_void_and_hidden_matches_say_what_they_are(client, players):
    match = queue_match(players[:3])
    rows = Match.objects.filter(pk=match.pk)
    path = f"/matches/{match.pk}/"
    rows.update(status=Match.Status.RUNNING)
    assert "Being played now." in text_of(client.get(path))
    rows.update(status=Match.Status.VOID, void_because="No box would start.")
    said = text_of(client.get(path))
    assert "It is not rated. No box would start." in said
    assert b"karat:tick" not in client.get(path).content
    done = make_match(players[:3])
    Match.objects.filter(pk=done.pk).update(hidden=True)
    page = client.get(f"/matches/{done.pk}/")
    assert "Not shown yet." in text_of(page)
    assert b"1st" not in page.content
    assert client.get(f"/api/v1/matches/{done.pk}/record").status_code == 404
    assert client.get(f"/matches/{done.pk}/embed/").status_code == 404
    assert str(done.pk) not in re.findall(
        r"/matches/(\d+)/", client.get("/matches/").content.decode()
    )


# For others


def test_whoever_embeds_a_match_is_given_a_frame_that_may_fill_the_screen(client, players):
    match = make_match(players[:3])
    page = client.get(f"/matches/{match.pk}/").content.decode()
    code = re.search(r'id="embed-code".*?value=\'(.*?)\'', page, re.DOTALL)[1]
    assert f"/matches/{match.pk}/embed/" in code
    assert 'allow="fullscreen"' in code


def test_the_record_is_the_stored_document_and_never_changes(client, players):
    match = make_match(players[:3])
    answer = client.get(f"/api/v1/matches/{match.pk}/record")
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    redirect = client.get(f"/matches/{match.pk}.json?view=A")
    assert redirect.status_code == 301
    assert redirect["Location"] == f"/api/v1/matches/{match.pk}/record?view=A"
    again = client.get(
        f"/api/v1/matches/{match.pk}/record", headers={"If-None-Match": answer["ETag"]}
    )
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/matches/999/record", 404, "L010"),
        ("/api/v1/matches/{}/record?view=Z", 422, "L009"),
        ("/api/v1/matches/{}/record?view=3", 422, "L009"),
        ("/api/v1/matches/{}/record?view=nobody", 422, "L009"),
    ],
)
def test_a_record_that_cannot_be_had_is_a_problem_document(client, players, path, status, code):
    answer = client.get(path.format(make_match(players[:3]).pk))
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == code


def test_the_embed_page_may_be_framed_by_anybody_and_sets_no_cookie(client, players):
    client.force_login(players[0].owner)
    client.cookies.clear()
    match = make_match(players[:3])
    page = client.get(f"/matches/{match.pk}/embed/?theme=dark&controls=0&step=3")
    assert "frame-ancestors *" in page["Content-Security-Policy"]
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    assert not page.cookies
    html = page.content.decode()
    assert 'data-theme="dark"' in html
    assert '<body class="embedded bare">' in html
    assert f'class="kv-home" href="/matches/{match.pk}/"' in html
    other = client.get(f"/matches/{match.pk}/")
    assert other["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    missing = client.get("/matches/999/embed/")
    assert missing.status_code == 404
    assert "This match is not public." in text_of(missing)


# The feed


def shown(client, query=""):
    html = client.get(f"/matches/{query}").content.decode()
    return [int(pk) for pk in re.findall(r'class="target" href="/matches/(\d+)/"', html)]


def test_an_empty_feed_says_so_kindly(client):
    assert "No finished matches yet." in text_of(client.get("/matches/"))


def test_the_feed_filters_and_sorts(client, players):
    basari = make_match(players[:3], faults=[TIMEOUT])
    suche = make_match(players[:2], "edelsteinsuche")
    asked = services.challenge(players[0].owner, "basari", [bot.slug for bot in players[:3]])
    finish_match(asked)
    Match.objects.filter(pk=suche.pk).update(excitement=99)
    assert shown(client) == [asked.pk, suche.pk, basari.pk]
    assert shown(client, "?game=edelsteinsuche") == [suche.pk]
    assert shown(client, "?kind=challenge") == [asked.pk]
    assert shown(client, "?fault=E302") == [basari.pk]
    assert shown(client, "?fault=any") == [basari.pk]
    assert shown(client, "?fault=E303") == []
    assert shown(client, "?sort=excitement")[0] == suche.pk
    said = text_of(client.get("/matches/?game=chess&colour=red"))
    assert "Unknown filter chess removed" in said
    assert "Unknown filter colour removed" in said
    moved = client.get("/matches/?bot=Sapphire+Shark&game=basari")
    assert moved.url == "/bots/sapphire-shark/matches/?game=basari"
    assert "No bot is called nobody" in text_of(client.get("/matches/?bot=nobody"))


def test_older_pages_continue_where_the_page_before_ended(client, players, monkeypatch):
    monkeypatch.setattr("league.matches.views.match_list.ROWS", 2)
    made = [make_match(players[:3]).pk for _ in range(5)]
    same = Match.objects.get(pk=made[0]).finished_at
    # Rows that finished at the same moment are neither lost nor repeated.
    Match.objects.filter(pk__in=made[:4]).update(finished_at=same)
    for sort in ("latest", "excitement"):
        seen, path = [], f"?sort={sort}"
        while path:
            seen += shown(client, path)
            html = client.get(f"/matches/{path}").content.decode()
            more = re.search(r'href="(\?[^"]*after=[^"]*)"', html)
            path = more and more[1].replace("&amp;", "&")
        assert sorted(seen) == made
    for wrong in ("x", "20261399T999999.000000_1", "1.5_", "nan_1"):
        assert keyset._read(wrong) is None
        assert client.get("/matches/", {"after": wrong}).status_code == 200


def test_pages_cost_the_same_however_many_matches_there_are(client, players):
    def cost(path):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        return len(queries)

    first = make_match(players[:3], faults=[TIMEOUT])
    rate_all()
    paths = ("/matches/", "/matches/?sort=excitement&fault=any", f"/matches/{first.pk}/")
    for path in paths:
        client.get(path)
    few = [cost(path) for path in paths]
    for _ in range(6):
        make_match(players, faults=[TIMEOUT])
    rate_all()
    assert [cost(path) for path in paths] == few
    assert max(few) <= 12


def test_a_fault_does_not_name_a_hidden_card_to_another_seat(client, players):
    match = make_match(players[:2], "edelsteinsuche", faults=[TIMEOUT])
    kept = Record.objects.get(match=match)
    told = {"step": 3, "seat": 0, "code": "E302", "detail": "It took too long."}
    kept.data = codec.pack(codec.unpack(kept.data) | {"faults": [told]})
    kept.save()
    for view, shown_there in {"everything": True, "A": True, "B": False, "public": False}.items():
        said = text_of(client.get(f"/matches/{match.pk}/?view={view}"))
        assert ("It took too long." in said) is shown_there
        assert (HIDDEN_DETAIL in said) is not shown_there
