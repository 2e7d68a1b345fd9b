"""What a tournament costs, in games and time, and what follows from uneven numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.tournaments.planning.config import Config
from league.tournaments.planning.knockout import Knockout, stages
from league.tournaments.planning.pace import Pace
from league.tournaments.planning.plan import letters
from league.tournaments.wording import count, duration, number, times


@dataclass(frozen=True, slots=True)
class Cost:
    """The size of a tournament, known before it starts."""

    entries: int
    tables: tuple[int, ...]
    """The number of tables of each round."""
    games_per_table: int

    @property
    def games(self) -> int:
        """Return how many matches will be played."""
        return sum(self.tables) * self.games_per_table

    def seconds(self, pace: Pace) -> float | None:
        """Return the time it takes at this pace; None if nobody plays."""
        return pace.seconds(tables * self.games_per_table for tables in self.tables)

    def sentence(self, pace: Pace) -> str:
        """Return `18 bots → 5 rounds × 4 pods × 48 games = 960 games, about 8 min on 4 workers`."""
        rounds, pods = count(len(self.tables), "round"), sum(self.tables)
        shape = f"{rounds}, {count(pods, 'pod')}"
        if len(set(self.tables)) == 1:
            shape = f"{rounds} × {count(self.tables[0], 'pod')}"
        seconds = self.seconds(pace)
        when = "once a worker is available"
        if seconds is not None:
            when = f"{duration(seconds)} on {count(pace.workers, 'worker')}"
        return (
            f"{count(self.entries, 'bot')} → {shape} × {count(self.games_per_table, 'game')}"
            f" = {count(self.games, 'game')}, {when}"
        )


def byes_note(config: Config, entries: int, rounds: int) -> list[str]:
    """Return who sits out when the entries do not fill all tables."""
    spare = entries % config.seats
    if not spare:
        return []
    least, more = divmod(spare * rounds, entries)
    often = f"at most {times(least + 1)}" if more else times(least)
    who = "One bot sits" if spare == 1 else f"{number(spare).capitalize()} bots sit"
    unfilled = f"{entries} bots do not fill pods of {config.seats}."
    return [f"{unfilled} {who} out per round; each bot sits out {often}."]


def series_notes(config: Config, entries: int, rounds: int) -> list[str]:
    """Return who sits out, and whether everybody has each seat equally often."""
    uneven = not config.mirrored and config.deals % config.seats
    note = f"{count(config.deals, 'game')} cannot be spread evenly over a table of {config.seats}: "
    return byes_note(config, entries, rounds) + (
        [note + "not everybody has each seat equally often."] if uneven else []
    )


def knockout_notes(config: Knockout, entries: int, _rounds: int) -> list[str]:
    """Return who sits out the first round, and from which pods more or fewer advance."""
    planned = stages(entries, config.seats, config.advance)
    byes = planned[0].byes
    notes = []
    if byes:
        who = "strongest bot goes" if byes == 1 else f"{byes} strongest bots go"
        notes.append(f"The {who} straight to round 2.")
    for at, stage in enumerate(planned[:-1], 1):
        odd = _exceptions(stage.advance, config.advance)
        if odd:
            notes.append(f"In round {at}, {odd} instead of {config.advance}.")
    return notes


def _exceptions(advance: Sequence[int], usual: int) -> str:
    """Return `3 of pod A and pod B each advance`."""
    parts = []
    for other in sorted(set(advance) - {usual}):
        pods = [f"pod {letters(at)}" for at, going in enumerate(advance, 1) if going == other]
        named = " and ".join(pods) if len(pods) < 3 else f"{pods[0]} to {pods[-1]}"
        each = " each" if len(pods) > 1 else ""
        parts.append(f"{other} of {named}{each} {'advances' if other == 1 else 'advance'}")
    return ", ".join(parts)
