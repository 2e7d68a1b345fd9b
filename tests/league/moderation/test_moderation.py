"""Moderation that holds: what staff take out is out, everywhere, and stays out."""

from contextlib import suppress

import pytest
from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from engine.record.verify import verify
from league.accounts.models import Token, User
from league.bots import checks, services as bots
from league.bots.models import Bot, BotVersion, Source
from league.errors import Refused
from league.jobs import leases
from league.ladder import services as ladder
from league.ladder.models import Entry as LadderEntry
from league.matches import services as matches
from league.matches.models import Match, SeatLog
from league.moderation import services as moderation
from league.tournaments.models import Action, Entry, Versions
from league.tournaments.services import entries, lifecycle as tournaments, refereeing
from league.workers import playing
from runners.box.pool import Pool
from runners.match import Fault
from tests.league.factories import (
    GAME,
    SOURCE,
    make_bot,
    make_bundle,
    make_key,
    make_match,
    make_player,
    make_tournament,
    make_user,
    make_version,
    queue_match,
    rate_all,
)
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

PASSWORD = "open sesame"
MARK = "tell_nobody_this"


@pytest.fixture
def boss():
    return make_user("boss", is_staff=True)


@pytest.fixture
def staff(client, boss):
    client.force_login(boss)
    return client


@pytest.fixture
def mira():
    return make_user("mira", email="mira@example.org")


@pytest.fixture
def shark(mira):
    """A bot of Mira's with two good versions, on the ladder."""
    bot = make_player(mira, "Shark")
    make_version(bot, f"{SOURCE}# {MARK}\n")
    bot.refresh_from_db()
    rate_all()
    return bot


def do(client, subject, what, **form):
    kind = {User: "users", Bot: "bots", BotVersion: "versions"}[type(subject)]
    return client.post(f"/staff/{kind}/{subject.pk}/{what}/", {"because": "hostile", **form})


def others():
    return [make_player(None, name) for name in ("Anton", "Berta")]


def on_ladder(bot):
    return LadderEntry.objects.playing(GAME).filter(bot=bot).exists()


def ways_back(bot, version, owner):
    """Everything an owner could try to let a suspended version play again."""
    browser = Client()
    browser.force_login(owner)
    key = {"Authorization": f"Bearer {make_key(owner)}"}
    code = version.source.text
    return {
        "the button": lambda: browser.post(f"/bots/{bot.slug}/versions/{version.number}/activate/"),
        "the API": lambda: browser.post(
            f"/api/v1/bots/{bot.slug}/versions/{version.number}/activate", headers=key
        ),
        "the same code": lambda: browser.post(
            f"/api/v1/bots/{bot.slug}/versions",
            {"source": code},
            content_type="application/json",
            headers=key,
        ),
        "the same code in the form": lambda: browser.post(
            f"/bots/{bot.slug}/versions/new/", {"code": code}
        ),
        "the same code for a new bot": lambda: browser.post(
            "/bots/new/", {"name": "Another Fish", "code": code}
        ),
        "the same code by a friend": lambda: bots.upload(
            make_bot(make_user(), f"Friend {User.objects.count()}"), code.encode()
        ),
    }


def test_a_version_suspended_by_staff_stays_out_whatever_its_owner_tries(staff, shark, mira):
    version, before = shark.active, shark.versions.get(number=1)
    waiting = queue_match([shark, *others()])
    do(staff, version, "suspend")
    shark.refresh_from_db()
    waiting.refresh_from_db()
    assert shark.active == before
    assert (waiting.status, waiting.rated) == ("void", False)
    count = BotVersion.objects.count()
    for way, attempt in ways_back(shark, version, mira).items():
        with suppress(Refused):
            attempt()
        version.refresh_from_db()
        shark.refresh_from_db()
        assert (version.fit, shark.active, BotVersion.objects.count()) == (False, before, count), (
            way
        )
    with pytest.raises(Refused, match="L013"):
        matches.make(GAME, [version, *(bot.active for bot in others_of())], Match.Kind.CHALLENGE)
    do(staff, version, "lift")
    bots.activate(shark, version.number)
    shark.refresh_from_db()
    assert shark.active == version


def others_of():
    return list(Bot.objects.filter(owner=None))


def test_a_match_that_slipped_through_is_not_played(shark):
    match = queue_match([shark, *others()])
    BotVersion.objects.filter(pk=shark.active_id).update(suspended_at=timezone.now())
    lease = leases.claim(Match, Match.objects.queued(), "test")
    with Pool(0) as pool:
        assert not playing.play(lease, pool)
    match.refresh_from_db()
    assert (match.status, match.rated, match.lease) == ("void", False, None)


def test_a_bot_without_another_version_leaves_the_ladder_and_its_tournaments(staff, mira, boss):
    shark = make_player(mira, "Shark")
    rate_all()
    cup = make_tournament(boss)
    tournaments.publish(cup, boss)
    entries.enter(cup, shark, mira)
    assert on_ladder(shark)
    do(staff, shark.active, "suspend")
    ladder.enrol()
    assert not on_ladder(shark)
    assert Entry.objects.get(bot=shark).status == Entry.Status.WITHDRAWN
    shark.refresh_from_db()
    assert entries.refusal_reason(cup, shark)


def test_a_running_tournament_goes_on_without_a_suspended_version(staff, shark, mira, boss):
    cup = make_tournament(boss, versions=Versions.FROZEN)
    tournaments.publish(cup, boss)
    for bot in (shark, *others(), make_player(None, "Carla")):
        entries.enter(cup, bot, boss)
    tournaments.lock(cup, boss)
    tournaments.start(cup, boss)
    do(staff, shark.active, "suspend")
    assert Entry.objects.get(bot=shark).status == Entry.Status.WITHDRAWN
    row = cup.rounds.get()
    tables = {game.table for game in row.games.filter(match__seats__bot=shark)}
    forfeited = Match.objects.queued().filter(seats__version=shark.active)
    games = forfeited.count()
    assert games == row.games.filter(table__in=tables).count()
    refereeing.rerun_table(cup, boss, 1, tables.pop(), "a wrong deal")
    assert forfeited.count() == games


def test_a_suspended_upload_is_not_checked_and_one_in_check_is_not_activated(staff, mira):
    bot = make_bot(mira, "Shark")
    version = bots.upload(bot, SOURCE.encode()).version
    lease = checks.claim()
    do(staff, version, "suspend")
    assert checks.run(lease)
    bot.refresh_from_db()
    assert bot.active is None
    second = bots.upload(bot, f"{SOURCE}# 2\n".encode()).version
    do(staff, second, "suspend")
    assert checks.claim() is None


def test_a_ban_ends_sessions_and_keys_and_empties_every_queue(staff, shark, mira, boss):
    browser = Client()
    browser.force_login(mira)
    key = {"Authorization": f"Bearer {make_key(mira)}"}
    cup = make_tournament(boss)
    tournaments.publish(cup, boss)
    entries.enter(cup, shark, mira)
    waiting = queue_match([shark, *others()])
    upload = bots.upload(shark, f"{SOURCE}# 3\n".encode()).version
    do(staff, mira, "ban")
    assert browser.get("/me/").status_code == 302
    assert browser.get("/api/v1/me", headers=key).status_code == 401
    sign_in = {"username": "mira", "password": PASSWORD}
    assert Client().post("/accounts/login/", sign_in).status_code == 200
    waiting.refresh_from_db()
    assert (waiting.status, waiting.rated) == ("void", False)
    assert not on_ladder(shark)
    assert checks.claim() is None
    assert Entry.objects.get(bot=shark).status == Entry.Status.WITHDRAWN
    # Others may write the same code.
    assert bots.upload(make_bot(make_user(), "Tuna"), upload.source.text.encode())
    do(staff, mira, "unban")
    shark.refresh_from_db()
    assert shark.active is not None
    assert on_ladder(shark)
    assert Client().post("/accounts/login/", sign_in).status_code == 302
    assert not Token.objects.valid().exists()


PLACES = [
    "/bots/",
    "/matches/",
    "/matches/{match}/",
    "/matches/{match}/?view=text",
    "/matches/{match}/embed/",
    "/api/v1/matches/{match}",
    "/api/v1/matches/{match}/record",
    "/api/v1/matches/{match}/record?view=public",
    "/api/v1/bots",
    "/search/?q=Rude",
    "/sitemap.xml",
    f"/g/{GAME}/leaderboard/",
    f"/g/{GAME}/feed.atom",
    "/u/mira/",
    "/tournaments/friday-cup/entries/",
    "/tournaments/friday-cup/log/",
]


@pytest.mark.parametrize("what", ["rename", "hide"])
def test_an_old_name_is_shown_nowhere(staff, mira, boss, what):
    rude = make_player(mira, "Rude Word")
    match = make_match([rude, *others()])
    rate_all()
    cup = make_tournament(boss)
    tournaments.publish(cup, boss)
    entries.enter(cup, rude, mira)
    addresses = [place.format(match=match.pk) for place in PLACES]
    seen_before = {one: client_text(staff, one) for one in addresses}
    assert "Rude Word" in seen_before[f"/api/v1/matches/{match.pk}/record"]
    do(staff, rude, what, name="Polite Fish")
    for address in addresses:
        text = client_text(staff, address)
        assert "Rude Word" not in text, address
        assert "rude-word" not in text, address
    assert staff.get("/bots/rude-word/").status_code == 404
    rude.refresh_from_db()
    shown = 200 if what == "rename" else 404
    assert staff.get(rude.get_absolute_url()).status_code == shown
    assert not Action.objects.filter(what__contains="Rude Word").exists()


def client_text(client, address):
    return client.get(address).content.decode().replace("q=Rude", "").replace('value="Rude"', "")


def test_a_masked_record_verifies_and_the_stored_one_is_untouched(staff, mira):
    rude = make_player(mira, "Rude Word")
    match = make_match([rude, *others()])
    address = f"/api/v1/matches/{match.pk}/record"
    before, stored = staff.get(address), bytes(match.record.data)
    assert "immutable" in before["Cache-Control"]
    do(staff, rude, "rename", name="Polite Fish")
    after = staff.get(address, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, after["Cache-Control"]) == (200, "public, no-cache")
    assert after.json()["seats"][0]["name"] == "Polite Fish"
    assert after.json()["digest"] != before.json()["digest"]
    verify(after.json())
    match.record.refresh_from_db()
    assert bytes(match.record.data) == stored


def test_a_renamed_user_has_another_address(staff, mira, shark):
    assert "reserved for the league" in text_of(do(staff, mira, "rename", name="official"))
    do(staff, mira, "rename", name="polite")
    assert staff.get("/u/mira/").status_code == 404
    assert staff.get("/u/polite/").status_code == 200
    assert "mira" not in text_of(staff.get(f"/bots/{shark.slug}/"))


def test_reading_code_leaves_an_audit_line(staff, shark, boss):
    version = shark.active
    assert MARK not in staff.get(f"/staff/versions/{version.pk}/read/").content.decode()
    assert MARK not in staff.post(f"/staff/versions/{version.pk}/read/", {}).content.decode()
    assert not LogEntry.objects.exists()
    assert MARK in do(staff, version, "read").content.decode()
    line = LogEntry.objects.get()
    assert (line.user, line.object_id) == (boss, str(version.pk))
    assert "read its code: hostile" in line.change_message
    assert "read its code: hostile" in text_of(staff.get(f"/staff/versions/{version.pk}/"))


def test_reading_a_bundle_shows_its_modules_and_names_its_data(staff, mira):
    version = make_version(make_bot(mira, "Net"), make_bundle(b"secret weights"))
    page = do(staff, version, "read").content.decode()
    assert "=== model.py ===" in page
    assert "def choose(options, data)" in page
    assert "=== data/weights.bin ===" in page
    assert "secret weights" not in page


def everything_of(mira):
    """A bot that played, printed and failed; a bot that never did; a key; a wrong password."""
    played, idle = make_player(mira, "Shark"), make_player(mira, "Idle")
    make_version(played, f"{SOURCE}# {MARK}\n")
    played.refresh_from_db()
    table = [played, *others()]
    make_match(table, printed={0: MARK}, faults=[Fault(0, 3, "E303", "KeyError", MARK)])
    make_key(mira)
    Client().post("/accounts/login/", {"username": "mira", "password": "wrong"})
    return played, idle


def nothing_is_left_of(mira):
    mira.refresh_from_db()
    assert (mira.is_active, mira.email, mira.shown_name) == (False, "", "former member")
    assert not Source.objects.filter(text__contains=MARK).exists()
    assert not SeatLog.objects.filter(printed__contains=MARK).exists()
    assert not BotVersion.objects.filter(bot__owner=mira, faults__traceback__contains=MARK).exists()
    assert not AccessAttempt.objects.filter(username="mira").exists()
    assert not Token.objects.filter(user=mira).exists()
    assert not Bot.objects.filter(owner=mira, active__isnull=False).exists()


def test_leaving_removes_code_logs_keys_and_wrong_passwords_and_results_stay(client, mira):
    played, _ = everything_of(mira)
    assert AccessAttempt.objects.filter(username="mira").exists()
    client.force_login(mira)
    client.post("/me/delete/", {"confirmed": "mira", "password": PASSWORD})
    nothing_is_left_of(mira)
    assert client.get(f"/bots/{played.slug}/").status_code == 200
    assert "Shark" in text_of(client.get("/matches/"))


def test_staff_delete_a_user_with_all_bots(staff, mira):
    played, idle = everything_of(mira)
    do(staff, mira, "delete")
    nothing_is_left_of(mira)
    assert not Bot.objects.filter(pk=idle.pk).exists()
    assert "Shark" not in text_of(staff.get("/matches/"))
    played.refresh_from_db()
    assert played.hidden_at is not None


def test_staff_cannot_moderate_staff_unless_superuser(staff, boss):
    other = make_user("chief", is_staff=True)
    assert "Only a superuser" in text_of(do(staff, other, "ban"))
    assert "Only a superuser" in text_of(do(staff, boss, "ban"))
    User.objects.filter(pk=boss.pk).update(is_superuser=True)
    do(staff, other, "ban")
    other.refresh_from_db()
    assert not other.is_active


def test_nobody_but_staff_moderates(client, mira, shark):
    client.force_login(mira)
    for subject, what in ((mira, "unban"), (shark, "show"), (shark.active, "read")):
        assert do(client, subject, what).status_code == 403
    assert not LogEntry.objects.exists()


def test_moderation_needs_a_reason(staff, mira):
    assert "required" in text_of(staff.post(f"/staff/users/{mira.pk}/ban/", {"because": ""}))
    mira.refresh_from_db()
    assert mira.is_active
    assert moderation.cancel_waiting([], "nothing") == 0
