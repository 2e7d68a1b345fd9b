"""Tournaments in the database, played with dice: their matches end without being played."""

from itertools import groupby

from django.utils import timezone

from engine.rng import Rng
from league.matches.models import Match, Seat
from league.tournaments.services import entries, lifecycle
from tests.league.factories import GAME, make_player, make_tournament, make_user
from tests.league.tournaments import pretend


def begun(size, config, name="Friday Cup", **facts):
    """A tournament of so many bots in its first round."""
    tournament = entered(size, config, name, **facts)
    lifecycle.lock(tournament)
    lifecycle.start(tournament)
    tournament.refresh_from_db()
    return tournament


def entered(size, config, name="Friday Cup", game=GAME, **facts):
    """A tournament that so many bots have entered."""
    tournament = make_tournament(make_user(), name, game=game, config=config, **facts)
    lifecycle.publish(tournament, None)
    for _ in range(size):
        entries.enter(tournament, make_player(make_user()), None)
    return tournament


def finish_all():
    """Give every waiting match a result that follows from its seed."""
    waiting = Match.objects.queued()
    seats = list(Seat.objects.filter(match__in=waiting).select_related("match").order_by("match"))
    for match, group in groupby(seats, key=lambda seat: seat.match):
        table = list(group)
        came_out = pretend.result([seat.bot_id for seat in table], Rng(match.seed))
        for seat, place, score in zip(table, came_out.placements, came_out.scores, strict=True):
            seat.place, seat.score = place, score
    Seat.objects.bulk_update(seats, ["place", "score"], batch_size=200)
    waiting.update(status=Match.Status.FINISHED, finished_at=timezone.now(), hidden=False)


def play_round(tournament):
    """Finish the round that is played, and begin the next unless somebody paused it."""
    finish_all()
    lifecycle.move_on(tournament, timezone.now())
    tournament.refresh_from_db()


def play_out(tournament):
    """To the end."""
    while not tournament.over:
        play_round(tournament)
    return tournament
