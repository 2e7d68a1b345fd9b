"""Tournaments played with dice instead of bots."""

from collections.abc import Sequence
from typing import Any

from engine.game import placements
from engine.rng import Rng
from league.tournaments.planning.config import Config
from league.tournaments.planning.formats import Format
from league.tournaments.planning.plan import Entry, EntryId, Result, Round


def field(count: int) -> list[Entry]:
    """Entries 1, 2, …, seeded in this order."""
    return [Entry(number, number, rating=30.0 - number / 10) for number in range(1, count + 1)]


def result(seats: Sequence[EntryId], rng: Rng) -> Result:
    """Dice, with a little help for low numbers; equal scores are not rare."""
    scores = [rng.below(12) - seat % 7 for seat in seats]
    return Result(tuple(placements(scores)), tuple(scores))


def played(upcoming: Round, seed: str = "") -> Round:
    """A round after all its matches."""
    rng = Rng(f"{seed} dice {upcoming.number}")
    return upcoming.with_results(
        [[result(match.seats, rng) for match in table.matches()] for table in upcoming.tables]
    )


def play_all(
    form: Format[Any], config: Config, entries: Sequence[Entry], seed: str = ""
) -> list[Round]:
    """Every round of a tournament."""
    rounds: list[Round] = []
    while upcoming := form.next_round(config, entries, rounds):
        rounds.append(played(upcoming, seed))
    return rounds


def sits(one: Round) -> list[EntryId]:
    """Everybody who has a part in a round: at a table or as a bye."""
    return [*one.byes, *(entry for table in one.tables for entry in table.entries)]
