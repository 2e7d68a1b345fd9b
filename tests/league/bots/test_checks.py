"""The check of an upload as a job: what a real box says of it, and the match that is kept of it."""

from dataclasses import replace
from datetime import timedelta
from time import monotonic

import pytest
from django.utils import timezone

from league.bots import checks, services
from league.bots.models import BotVersion, SmokeMatch
from league.matches.records import codec
from league.operate import retention
from runners.match import Fault
from tests.league.asking import ask
from tests.league.factories import (
    make_bot,
    make_key,
    make_player,
    make_smoke_match,
    make_user,
    make_version,
)
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

# Zero characters wherever a bot's own words are kept: not every database can hold them.
TALKER = """from bots_sdk import Bot


class Talker(Bot):
    games = ("edelsteinsuche",)

    def decide(self, view, options):
        print("thinking\\0")
        self.note("cheap\\0enough")
        return options[0]
"""
SLEEPER = """import time

from bots_sdk import Bot


class Sleeper(Bot):
    games = ("edel-stein-reich", "basari")

    def decide(self, view, options):
        time.sleep(0.93)
        return options[0]
"""
STUMBLER = TALKER.replace("return options[0]", "raise ValueError('lost\\0my way')")


def checked(source):
    version = services.upload(make_bot(make_user()), source.encode()).version
    return checks.run(checks.claim()) and BotVersion.objects.get(pk=version.pk)


def test_the_match_of_a_check_is_kept_with_what_the_bot_said():
    version = checked(TALKER)
    assert version.status == BotVersion.Status.ACCEPTED
    match = version.smoke_matches.get()
    record = codec.unpack(match.record)
    assert record["seats"][0] == {"name": version.bot.name, "bot": version.bot.slug, "version": 1}
    assert match.place == record["outcome"]["placements"][0]
    assert match.printed.startswith("thinking␀\n")
    assert "cheap␀enough" in [step.get("note") for step in record["steps"]]


def test_words_that_a_database_cannot_hold_do_not_stop_the_check():
    version = checked(STUMBLER)
    assert (version.status, version.code) == (BotVersion.Status.REJECTED, "E303")
    assert "lost␀my way" in version.steps[-1]["traceback"]
    assert not version.smoke_matches.exists()


def test_every_check_has_a_seed_of_its_own_and_its_report_says_how_to_repeat_it(client):
    versions = [checked(STUMBLER + f"# {number}\n") for number in range(2)]
    seeds = [version.steps[-1]["seed"] for version in versions]
    assert seeds[0] != seeds[1]
    owner = versions[0].bot.owner
    client.force_login(owner)
    repeated = f"karat check bot.py --game edelsteinsuche --seed {seeds[0]}"
    assert repeated in text_of(client.get(f"/uploads/{versions[0].pk}/"))
    path = f"bots/{versions[0].bot.slug}/versions/1"
    assert ask(path, key=make_key(owner)).json()["steps"][-1]["seed"] == seeds[0]


def test_the_api_tells_what_was_asked_and_what_is_worth_knowing():
    failed = checked(STUMBLER)
    path, key = f"bots/{failed.bot.slug}/versions/1", make_key(failed.bot.owner)
    last = ask(path, key=key).json()["steps"][-1]
    assert last["asked"]["method"] == "decide"
    assert last["asked"]["view"]
    assert last["notices"] == []
    loud = checked(TALKER.replace('"thinking\\0"', '"x" * 99_999'))
    steps = ask(f"bots/{loud.bot.slug}/versions/1", key=make_key(loud.bot.owner)).json()["steps"]
    assert [notice["code"] for step in steps for notice in step["notices"]] == ["E305"]


def test_a_bot_that_sleeps_through_the_checks_of_its_games_is_ended_by_one_budget(settings):
    settings.LIMITS = replace(settings.LIMITS, check_wall_ms=3000)
    begun = monotonic()
    version = checked(SLEEPER)
    assert monotonic() - begun < 20
    assert (version.status, version.code) == (BotVersion.Status.REJECTED, "E302")
    assert version.steps[-1]["text"] == "The check of all its games took longer than 3 s."


@pytest.fixture
def watched():
    """A version whose check was watched, and its owner."""
    owner = make_user("mira")
    version = make_player(owner, "Sapphire Shark").active
    fault = Fault(0, 3, "E301", "It offered a gem it does not have.")
    make_smoke_match(version, printed="a secret of mine", note="a note of mine", faults=[fault])
    return version


@pytest.mark.parametrize("part", ["", "record.json"])
def test_a_smoke_match_is_for_the_owner_and_staff(client, watched, part):
    address = f"/uploads/{watched.pk}/smoke/basari/{part}"
    people = [None, make_user(), watched.bot.owner, make_user(is_staff=True)]
    seen = []
    for person in people:
        client.logout()
        if person:
            client.force_login(person)
        answer = client.get(address)
        seen.append(answer.status_code)
        assert ("a note of mine" in answer.content.decode()) is (answer.status_code == 200)
        if answer.status_code == 200:
            assert "private" in answer["Cache-Control"]
    assert seen == [302, 404, 200, 200]


def test_the_owner_watches_the_smoke_match_with_faults_notes_and_log(client, watched):
    client.force_login(watched.bot.owner)
    upload = client.get(f"/uploads/{watched.pk}/").content.decode()
    assert f'href="/uploads/{watched.pk}/smoke/basari/?step=3"' in upload
    page = client.get(f"/uploads/{watched.pk}/smoke/basari/?step=3")
    for told in ("E301", "It offered a gem it does not have.", "a secret of mine"):
        assert told in text_of(page)
    assert page.content.decode().count('aria-current="step"') == 1
    own_view = client.get(f"/uploads/{watched.pk}/smoke/basari/record.json?view=A").json()
    assert "seed" not in own_view
    assert client.get(f"/uploads/{watched.pk}/smoke/edelsteinsuche/").status_code == 404


def test_everybody_sees_how_the_smoke_match_ended_and_only_some_a_link(client, watched):
    second = make_version(watched.bot)
    match = make_smoke_match(second, "edelsteinsuche")
    address, link = f"/bots/{watched.bot.slug}/versions/", f"/uploads/{second.pk}/smoke/"
    page = client.get(address)
    place = {1: "1st", 2: "2nd", 3: "3rd"}[match.place]
    assert f"Edelsteinsuche {place} of 3" in text_of(page)
    assert link not in page.content.decode()
    client.force_login(watched.bot.owner)
    assert link in client.get(address).content.decode()


def test_the_api_tells_the_owner_where_to_watch(watched):
    steps = [
        {"name": "start", "ok": True, "text": "starts", "ms": 1.0},
        {"name": "match", "ok": True, "text": "finishes", "ms": 1.0, "game": "basari"},
    ]
    BotVersion.objects.filter(pk=watched.pk).update(steps=steps)
    path = f"bots/{watched.bot.slug}/versions/1"
    told = ask(path, key=make_key(watched.bot.owner)).json()["steps"]
    page = f"http://testserver/uploads/{watched.pk}/smoke/basari/?step=3"
    assert [step["watch_url"] for step in told] == [None, page]
    assert ask(path, key=make_key(make_user())).json()["steps"] is None


def test_old_smoke_matches_are_forgotten_with_the_logs_and_their_result_stays(
    client, watched, settings
):
    assert retention.remove_old_logs() == 0
    SmokeMatch.objects.update(created_at=timezone.now() - timedelta(days=settings.LOG_DAYS + 1))
    assert retention.remove_old_logs() == 1
    assert retention.remove_old_logs() == 0
    client.force_login(watched.bot.owner)
    page = client.get(f"/uploads/{watched.pk}/smoke/basari/")
    assert "This match is too old to watch." in text_of(page)
    assert client.get(f"/uploads/{watched.pk}/smoke/basari/record.json").status_code == 404
    assert "Its replay is no longer kept." in text_of(client.get(f"/uploads/{watched.pk}/"))
