"""What a tournament would be like: its cost, and the pods of its first round."""

from dataclasses import dataclass
from typing import Any

from league.accounts.models import User
from league.bots.models import Bot
from league.ladder import queries as ladder
from league.tournaments.planning import plan
from league.tournaments.planning.config import Config
from league.tournaments.planning.formats import Format
from league.tournaments.queries.calibration import pace

MAX_PODS = 12
"""Further pods are only counted."""


@dataclass(frozen=True, slots=True)
class Pod:
    """A table of the first round as it would be today."""

    letter: str
    names: list[str]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Sentences for an organiser, and the first round."""

    sentence: str
    """Empty if it cannot be played."""
    notes: list[str]
    pods: list[Pod]
    byes: list[str]
    more: int = 0
    """How many pods are not listed."""


def estimate(
    form: Format[Any],
    config: Config,
    game: str,
    bots: int,
    *,
    organiser: User | None,
    names: list[str] | None = None,
) -> Estimate:
    """Estimate it for this number of bots; `names` are in the order of the seeding, if known."""
    notes = form.notes(config, bots)
    if config.refusal_reason(bots):
        return Estimate("", notes, [], [])
    sentence = form.cost(config, bots).sentence(pace(game, config.seats, organiser))
    seeded = names if names is not None else strongest(game, bots)
    entries = [plan.Entry(rank, rank) for rank in range(1, bots + 1)]
    first = form.next_round(config, entries, [])
    if first is None:
        return Estimate(sentence, notes, [], [])

    def name(entry: int) -> str:
        return seeded[entry - 1] if entry <= len(seeded) else f"Seed {entry}"

    pods = [Pod(table.letter, [name(entry) for entry in table.entries]) for table in first.tables]
    byes = [name(entry) for entry in first.byes]
    return Estimate(sentence, notes, pods[:MAX_PODS], byes, max(0, len(pods) - MAX_PODS))


def strongest(game: str, limit: int) -> list[str]:
    """Return the names of the bots that play a game, the best first."""
    return list(ladder.table(game).values_list("bot__name", flat=True)[:limit])


def count_bots(game: str) -> int:
    """Return how many bots could enter today."""
    return Bot.objects.playing(game).count()
