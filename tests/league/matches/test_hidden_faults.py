"""Rotations of a deal are shown together. Until then nobody learns how one of them went, not even
from its faults or ratings, from what is counted of bots, or from why a version is benched.
"""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league.bots import services as bots
from league.jobs import leases
from league.ladder.ratings import writer
from league.matches import revealing, services as matches
from league.matches.models import Match, Meeting, PendingBenchReason, Style
from league.matches.statistics.rebuild import rebuild
from league.tournaments.queries.standing import Standing
from league.tournaments.services import entries, lifecycle as tournaments, refereeing
from runners.match import Fault
from tests.league.factories import (
    GAME,
    finish_match,
    make_key,
    make_match,
    make_player,
    make_tournament,
    make_user,
    rate_all,
)

pytestmark = pytest.mark.django_db

DETAIL = "KeyError in the very deal"
PAGES = [
    "/me/",
    "/bots/shark/",
    "/bots/shark/faults/",
    "/bots/shark/matches/",
    "/bots/shark/matches/?fault=any",
    "/bots/shark/versions/",
    "/bots/shark/feed.atom",
    "/bots/shark/opponents/",
    "/bots/shark/vs/anton/",
    "/bots/anton/",
    "/bots/",
    "/status/",
    "/matches/",
    "/matches/{match}/",
    f"/g/{GAME}/leaderboard/",
    f"/g/{GAME}/leaderboard.csv",
    f"/g/{GAME}/leaderboard.json",
    f"/g/{GAME}/feed.atom",
    "/api/v1/matches",
    "/api/v1/matches/{match}",
    "/api/v1/matches/{match}/record",
    "/api/v1/matches/{match}/log",
    "/api/v1/bots/shark",
    "/api/v1/bots/shark/versions",
    "/api/v1/bots/shark/versions/1",
    "/api/v1/bots/shark/ratings",
    f"/api/v1/bots/shark/ratings/{GAME}",
    f"/api/v1/leaderboards/{GAME}",
]


@pytest.fixture
def rotations():
    """Two matches of one deal with a bot of Mira's; both wait."""
    owner = make_user("mira")
    players = [make_player(owner, "Shark"), make_player(None, "Anton"), make_player(None, "Berta")]
    rate_all()
    return owner, queue_deal(players)


def queue_deal(players, size=2):
    """Some matches of one deal; all wait."""
    group = uuid4()
    versions = [bot.active for bot in players]
    return [
        matches.make(GAME, versions, Match.Kind.TOURNAMENT, rated=True, group=group)
        for _ in range(size)
    ]


def fail(match, code="E303"):
    """Finish a match in which the bot of the first seat failed."""
    return finish_match(match, faults=[Fault(0, 3, code, DETAIL, "Traceback")])


def ask(owner, key, match):
    """Every address as everybody sees it."""
    browser, guest = Client(), Client()
    browser.force_login(owner)
    seen = {}
    for path in PAGES:
        address = path.format(match=match.pk)
        if path.startswith("/api/"):
            headers = {"Authorization": f"Bearer {key}"}
            seen[path, "owner"] = guest.get(address, headers=headers).content.decode()
        else:
            seen[path, "owner"] = browser.get(address).content.decode()
        seen[path, "guest"] = guest.get(address).content.decode()
    return seen


def tell(seen):
    """The places that tell of the fault. Filters offer every code there is."""
    plain = {place: re.sub(r"<option.*?</option>", "", text) for place, text in seen.items()}
    telling = re.compile(rf"{DETAIL}|E30[37]|[0-9] faults? in its last")
    return {place for place, text in plain.items() if telling.search(text)}


def count_meetings():
    """How often two bots met, all pairs together, if what is counted agrees with the matches."""
    sums = rebuild(write=False)
    assert sums.differences == 0, sums.named
    return sum(Meeting.objects.values_list("met", flat=True))


def test_faults_of_a_hidden_match_are_shown_when_its_deal_is(rotations):
    owner, (first, second) = rotations
    key = make_key(owner)
    fail(first)
    writer.rate(GAME)
    hidden = ask(owner, key, first)
    assert tell(hidden) == set()
    assert "No faults, and no rated match yet." in hidden["/bots/shark/faults/", "owner"]
    first.refresh_from_db()
    assert (first.hidden, first.ledger_position) == (True, None)

    finish_match(second)
    writer.rate(GAME)
    shown = tell(ask(owner, key, first))
    assert {(path, "owner") for path in ("/me/", "/bots/shark/faults/")} <= shown
    assert {(path, "guest") for path in ("/bots/shark/faults/", "/api/v1/matches/{match}")} <= shown
    first.refresh_from_db()
    second.refresh_from_db()
    assert {first.ledger_position, second.ledger_position} == {1, 2}


def test_a_hidden_match_is_counted_when_its_deal_is_shown(rotations):
    _, (first, second) = rotations
    paths = ["/bots/shark/", "/bots/shark/opponents/", "/bots/shark/vs/anton/", "/bots/anton/"]

    def read():
        return [re.sub(r"<[^>]+>", "", Client().get(path).content.decode()) for path in paths]

    before = read()
    finish_match(first)
    assert (Style.objects.count(), count_meetings()) == (0, 0)
    assert read() == before
    make_match([seat.bot for seat in first.seats.select_related("bot__active")])
    assert count_meetings() == 3

    finish_match(second)
    assert count_meetings() == 9
    assert set(Style.objects.values_list("matches", flat=True)) == {3}
    assert read() != before


def cancel(match):
    matches.cancel(match, "rain")


def lose(match):
    Match.objects.filter(pk=match.pk).update(attempt=leases.MAX_ATTEMPTS - 1)
    matches.give_back(leases.claim(Match, Match.objects.filter(pk=match.pk), "test"), "a test")


def cancel_claimed(match):
    matches.cancel_claimed(leases.claim(Match, Match.objects.filter(pk=match.pk), "test"), "rain")


@pytest.mark.parametrize("end", [finish_match, fail, cancel, lose, cancel_claimed])
def test_however_a_deal_ends_its_matches_are_counted_and_its_reason_is_told(rotations, end):
    _, (first, second) = rotations
    fail(first, "E307")
    shark = first.seats.get(number=0).version
    assert shark.benched_because == revealing.NOT_PUBLIC_YET
    assert count_meetings() == 0
    end(second)
    first.refresh_from_db()
    second.refresh_from_db()
    assert not first.hidden
    assert count_meetings() == (6 if second.status == Match.Status.FINISHED else 3)
    shark.refresh_from_db()
    assert shark.benched_because == f"it tried to leave the box in match {first.pk} (E307)"
    assert not PendingBenchReason.objects.exists()


def test_a_version_is_benched_at_once_and_why_is_told_when_all_its_matches_are_public(rotations):
    owner, (first, second) = rotations
    players = [seat.bot for seat in first.seats.select_related("bot__active")]
    key = make_key(owner)
    others = [queue_deal(players) for _ in range(2)]
    fail(first)
    fail(others[0][0])
    fail(others[1][0])
    bot = players[0]
    bot.refresh_from_db()
    version = bot.versions.get()
    assert bot.active is None
    assert version.benched_at is not None
    hidden = ask(owner, key, first)
    assert tell(hidden) == set()
    for place in ("/bots/shark/", "/bots/shark/versions/", "/api/v1/bots/shark/versions"):
        assert revealing.NOT_PUBLIC_YET in hidden[place, "owner"]

    finish_match(second)
    finish_match(others[0][1])
    version.refresh_from_db()
    assert version.benched_because == revealing.NOT_PUBLIC_YET
    finish_match(others[1][1])
    version.refresh_from_db()
    assert version.benched_because == "3 faults in its last 3 matches (E303 3 times)"
    shown = tell(ask(owner, key, first))
    assert {("/bots/shark/", "guest"), ("/api/v1/bots/shark/versions", "owner")} <= shown
    assert count_meetings() == 18


def test_a_version_that_was_taken_from_the_bench_gets_no_old_reason(rotations):
    _, (first, second) = rotations
    fail(first, "E307")
    version = first.seats.get(number=0).version
    bots.activate(version.bot, version.number)
    finish_match(second)
    version.refresh_from_db()
    assert (version.benched_at, version.benched_because) == (None, "")


def test_a_fault_in_public_matches_is_told_at_once(rotations):
    _, (first, _) = rotations
    public = make_match(
        [seat.bot for seat in first.seats.select_related("bot__active")],
        faults=[Fault(0, 3, "E307", DETAIL, "")],
    )
    told = public.seats.get(number=0).version.benched_because
    assert told == f"it tried to leave the box in match {public.pk} (E307)"


def begin_mirrored():
    """A tournament of one table, every deal with all rotations, one match of the first finished."""
    config = {"format": "series", "seats": 3, "rounds": 1, "deals": 1, "mirrored": True}
    tournament = make_tournament(make_user("mira"), config=config)
    tournaments.publish(tournament, tournament.organiser)
    for _ in range(3):
        entries.enter(tournament, make_player(make_user()), None)
    tournaments.lock(tournament)
    tournaments.start(tournament)
    tournament.refresh_from_db()
    fail(Match.objects.queued().first(), "E307")
    return tournament


@pytest.mark.parametrize(
    "end",
    [
        lambda cup: refereeing.void_table(cup, cup.organiser, 1, 1, "a test"),
        lambda cup: refereeing.rerun_table(cup, cup.organiser, 1, 1, "a test"),
        lambda cup: tournaments.cancel(cup, cup.organiser, "a test"),
    ],
    ids=["voided", "re-run", "cancelled"],
)
def test_deals_that_a_tournament_gives_up_are_counted_as_they_are_shown(end):
    tournament = begin_mirrored()
    assert count_meetings() == 0
    end(tournament)
    assert count_meetings() == 3
    assert not PendingBenchReason.objects.exists()


def test_standings_do_not_tell_of_hidden_matches():
    tournament = begin_mirrored()
    assert {(row.points, row.forfeits, row.games) for row in Standing(tournament).rows} == {
        (0, 0, 0)
    }
    for match in Match.objects.queued():
        finish_match(match)
    tournaments.move_on(tournament, timezone.now())
    assert {row.games for row in Standing(tournament).rows} == {3}
