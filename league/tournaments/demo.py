"""The recurring tournaments of a league on one machine: a short one for each game.

They recur so often that there is always one to watch.
"""

from typing import Any

from django.utils import timezone

from engine.game import Game
from engine.registry import GAMES
from league.tournaments.models import RecurringTournament
from league.tournaments.planning.formats import KNOCKOUT, SWISS
from league.tournaments.services import recurring

INTERVAL_MINUTES = 15
ENTRY_MINUTES = 10
ABOUT = "The house bots meet every quarter of an hour. Enter yours: it stays in until you withdraw."


def ensure() -> int:
    """Create those that are missing, and return how many are new. Stopped ones stay stopped."""
    known = set(RecurringTournament.objects.filter(organiser=None).values_list("game", flat=True))
    missing = [(at, game) for at, game in enumerate(GAMES.values()) if game.slug not in known]
    for number, game in missing:
        _create(game, number)
    return len(missing)


def _create(game: Game, number: int) -> None:
    # Each has its own minutes, so that they do not need the workers all at once.
    first = number * INTERVAL_MINUTES // len(GAMES)
    minutes = ",".join(map(str, range(first, 60, INTERVAL_MINUTES)))
    recurring.create_recurring(
        None,
        f"{game.name} Sprint"[:60],
        game.slug,
        _config(game, number),
        about=ABOUT,
        cron=f"{minutes} * * * *",
        entry_minutes=ENTRY_MINUTES,
        house=True,
        looked_at=timezone.now(),
    )


def _config(game: Game, number: int) -> dict[str, Any]:
    """Return a short format: Swiss pods and knock-outs take turns, at the smallest tables."""
    seats = min(game.seats)
    if number % 2:
        return {"format": KNOCKOUT.slug, "seats": seats, "advance": 1, "deals": 2}
    # A table of two is played quickly, so there is time for fair seats.
    mirrored = seats == 2
    return {"format": SWISS.slug, "seats": seats, "rounds": 3, "deals": 1, "mirrored": mirrored}
