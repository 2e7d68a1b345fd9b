"""Versions that fail in sealed matches: benched at once, for a reason that is told later."""

import pytest

from league.bots.models import BotVersion
from league.matches import revealing, services as matches
from league.matches.models import Fault, Match, PendingBenchReason
from league.tournaments.models import Versions
from runners.match import Fault as PlayedFault
from tests.league.factories import finish_match, make_version
from tests.league.tournaments.sealing.events import make_event, move_on, play_all, reveal

pytestmark = pytest.mark.django_db

FAILING = {"faults": [PlayedFault(0, 4, "E303", "KeyError", "Traceback")]}


def bench_in(event):
    """Let the bot in the first seat of the first match fail there after it failed elsewhere."""
    match = Match.objects.queued().first()
    version = match.seats.get(number=0).version
    elsewhere = [entry.version for entry in event.entries.select_related("version")]
    elsewhere = [version, *(one for one in elsewhere if one != version)][:3]
    for _ in range(2):
        finish_match(matches.make(event.game, elsewhere, Match.Kind.LADDER), **FAILING)
    finish_match(match, **FAILING)
    version.refresh_from_db()
    return version


def test_a_version_benched_for_a_sealed_match_stops_at_once_and_says_why_at_the_reveal(client):
    event = make_event()
    version = bench_in(event)
    assert version.benched_because == revealing.EVENT_RUNNING
    assert version.bot.active is None
    page = client.get(version.bot.get_absolute_url()).content.decode()
    assert "is benched:</strong> event running." in page
    assert "What went wrong" not in page
    assert Fault.objects.public().count() == 2
    # It plays on inside the event.
    play_all(event)
    assert event.entries.get(version=version).status == "playing"
    while event.state == "running":
        reveal(event)
    version.refresh_from_db()
    assert version.benched_because.startswith("3 faults in its last 3 matches")
    assert not PendingBenchReason.objects.exists()


def play_with(version, match, *, faulty=False):
    """Play a match in which this version fails, or nobody does."""
    seat = match.seats.get(version=version).number
    faults = [PlayedFault(seat, 4, "E303", "KeyError", "Traceback")] if faulty else []
    return finish_match(match, faults=faults)


def fail_elsewhere(event, version, count):
    """Let a version fail in so many public matches."""
    others = [entry.version for entry in event.entries.exclude(version=version)[:2]]
    for _ in range(count):
        made = matches.make(event.game, [version, *others], Match.Kind.LADDER)
        play_with(version, made, faulty=True)
    version.refresh_from_db()


def test_the_reason_of_a_bench_counts_no_sealed_matches_where_public_ones_suffice():
    event = make_event()
    match = Match.objects.queued().first()
    version = match.seats.get(number=0).version
    play_with(version, match)
    fail_elsewhere(event, version, 3)
    assert version.benched_because == "3 faults in its last 3 matches (E303 3 times)"


def test_the_reason_of_a_bench_waits_for_sealed_matches_without_a_fault_too():
    event = make_event(size=3)
    match = Match.objects.queued().get()
    version = match.seats.get(number=0).version
    play_with(version, match, faulty=True)
    move_on(event)
    play_with(version, Match.objects.queued().get())
    move_on(event)
    fail_elsewhere(event, version, 2)
    assert version.benched_because == revealing.EVENT_RUNNING
    reveal(event)
    version.refresh_from_db()
    assert version.benched_because == revealing.EVENT_RUNNING
    reveal(event)
    version.refresh_from_db()
    assert version.benched_because == "3 faults in its last 4 matches (E303 3 times)"


def test_versions_of_each_round_stay_as_they_are_once_results_are_sealed():
    event = make_event(versions=Versions.LATEST)
    benched = bench_in(event)
    other = event.entries.exclude(version=benched).first()
    make_version(other.bot)
    play_all(event)
    assert event.entries.filter(status="playing").count() == 6
    assert set(event.entries.values_list("version__number", flat=True)) == {1}
    assert BotVersion.objects.get(pk=benched.pk).benched_at is not None
