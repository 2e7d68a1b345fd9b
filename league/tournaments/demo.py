"""The cups of a league on one machine: a short one per game, so that there is always one to see."""

from django.utils import timezone

from engine.registry import GAMES
from league.tournaments.models import Cup
from league.tournaments.services import recurring

EVERY_MINUTES = 15
ENTRY_MINUTES = 10
_CUPS = {
    "edel-stein-reich": (
        "Quarter-Hour Cup",
        {"format": "swiss", "seats": 3, "rounds": 3, "deals": 1},
    ),
    "basari": (
        "Basari Sprint",
        {"format": "knockout", "seats": 3, "advance": 1, "deals": 2},
    ),
    "edelsteinsuche": (
        "Memory Sprint",
        {"format": "swiss", "seats": 2, "rounds": 3, "deals": 1, "mirrored": True},
    ),
}


def ensure() -> int:
    """Found the cups that are missing. One that was stopped stays so. How many are new."""
    known = set(Cup.objects.filter(organiser=None).values_list("game", flat=True))
    return sum(_found(game, number) for number, game in enumerate(GAMES) if game not in known)


def _found(game: str, number: int) -> bool:
    if game not in _CUPS:
        return False
    name, config = _CUPS[game]
    # Each cup has its own minute, so that the workers are not asked for all at once.
    first = number * EVERY_MINUTES // len(GAMES)
    minutes = ",".join(map(str, range(first, 60, EVERY_MINUTES)))
    recurring.create_cup(
        None,
        name,
        game,
        config,
        about="The house bots meet four times an hour. Enter yours: it stays in until you say.",
        cron=f"{minutes} * * * *",
        entry_minutes=ENTRY_MINUTES,
        house=True,
        looked_at=timezone.now(),
    )
    return True
