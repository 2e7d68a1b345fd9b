"""Event nights in the database, whose matches are stored as workers store them."""

from datetime import timedelta

from django.utils import timezone

from league.matches.models import Match
from league.matches.statistics.rebuild import rebuild as rebuild_statistics
from league.tournaments.sealing import services
from league.tournaments.services import entries, lifecycle
from tests.league.factories import GAME, finish_match, make_player, make_user

SWISS = {"format": "swiss", "seats": 3, "rounds": 2}


def make_event(size=6, config=SWISS, name="Gala", **facts):
    """An event night that has begun; all of it is sealed, unless told otherwise."""
    now = timezone.now()
    facts = {"sealed_from": 1} | facts
    facts.setdefault("organiser", make_user())
    organiser = facts.pop("organiser")
    tournament = lifecycle.create(
        organiser, name, GAME, config, locks_at=now, starts_at=now, **facts
    )
    lifecycle.publish(tournament, organiser)
    for _ in range(size):
        entries.enter(tournament, make_player(make_user()), None)
    tournament.refresh_from_db()
    return move_on(tournament)


def move_on(tournament, after=timedelta()):
    """Let the tournament do what is due so much later."""
    lifecycle.move_on(tournament, timezone.now() + after)
    tournament.refresh_from_db()
    return tournament


def play_waiting(**facts):
    """Play all matches that wait."""
    return [finish_match(match, **facts) for match in Match.objects.queued()]


def play_round(tournament):
    """Play the current round and begin the next one."""
    play_waiting()
    return move_on(tournament)


def play_all(tournament):
    """Play all rounds."""
    while Match.objects.queued().exists():
        play_round(tournament)
    return tournament


def reveal(event):
    """Reveal what comes next, and return the sentence about it."""
    text = services.reveal_next(event, event.organiser)
    event.refresh_from_db()
    return text


def assert_all_is_public(event):
    """Nothing is hidden any more, and all of it is counted."""
    assert not Match.objects.filter(hidden=True).exists()
    assert not Match.objects.filter(sealed=True).exists()
    assert not event.rounds.filter(sealed=True).exists()
    sums = rebuild_statistics(write=False)
    assert sums.differences == 0, sums.named
