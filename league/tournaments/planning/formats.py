"""The front door of the planners: every format under its name, with the same few functions.

    format = FORMATS["swiss"]
    config = format.read({"seats": 4, "rounds": 5, "deals": 12, "mirrored": True, "seed": "fri-14"})
    format.cost(config, 18).sentence(pace)
    format.notes(config, 18)                    # sentences when the numbers do not fit

    rounds: list[Round] = []
    while upcoming := format.next_round(config, entries, rounds):
        ...                                     # play every match of every table.matches()
        rounds.append(upcoming.with_results(results))
    format.standings(config, entries, rounds)   # at any time, also in the middle of a round

`entries` are all entries that were locked; whoever leaves stays in the list with another status.
The same arguments always give the same answer: after a crash, ask again. A round that is not
complete may be shown in the standings but nothing can follow it. What is stored of a config is
`dump(config)`; `load` finds format and config again, or raises `BadConfig` with a sentence for
every field.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from league.tournaments.planning import knockout, round_robin, series, standings, swiss
from league.tournaments.planning.config import BadConfig, Config, Problem
from league.tournaments.planning.cost import Cost, byes_note, knockout_notes, series_notes
from league.tournaments.planning.plan import Entry, Round
from league.tournaments.planning.standings import Row

C = TypeVar("C", bound=Config)


@dataclass(frozen=True, slots=True)
class Format(Generic[C]):
    """A way to hold a tournament."""

    slug: str
    name: str
    summary: str
    config: type[C]
    plan: Callable[[C, Sequence[Entry], Sequence[Round]], Round | None]
    table_counts: Callable[[C, int], list[int]]
    explain: Callable[[C, int, int], list[str]]
    """Takes config, entries and rounds; returns what follows from uneven numbers."""
    rank: Callable[[C, Sequence[Entry], Sequence[Round]], list[Row]] = standings.standings

    def read(self, data: Mapping[str, Any]) -> C:
        """Read a config of this format from JSON; `BadConfig` if it cannot be played."""
        return self.config.from_json(data)

    def next_round(
        self, config: C, entries: Sequence[Entry], rounds: Sequence[Round]
    ) -> Round | None:
        """Return the round after these, or None when the tournament is finished."""
        if rounds and not rounds[-1].complete:
            raise ValueError(f"round {rounds[-1].number} is not finished")
        return self.plan(config, entries, rounds)

    def standings(self, config: C, entries: Sequence[Entry], rounds: Sequence[Round]) -> list[Row]:
        """Return the standings, best first, each row with the values that decided it."""
        return self.rank(config, entries, rounds)

    def cost(self, config: C, entries: int) -> Cost:
        """Return the cost with this number of entries if nobody leaves."""
        counts = tuple(self.table_counts(config, entries))
        return Cost(entries, counts, config.games_per_table)

    def total_games(self, config: C, entries: int) -> int:
        """Return the number of matches if nobody leaves."""
        return self.cost(config, entries).games

    def notes(self, config: C, entries: int) -> list[str]:
        """Return what an organiser should know about uneven numbers, or why nobody can play."""
        reason = config.refusal_reason(entries)
        if reason:
            return [reason]
        return self.explain(config, entries, len(self.table_counts(config, entries)))

    def describe(self, config: C) -> str:
        """Return the choices in a sentence."""
        deals = f"{config.deals} deal{'' if config.deals == 1 else 's'} per pod and round"
        mirrored = ", each once per seat" if config.mirrored else ""
        pods = f"Pods of {config.seats}, {deals}{mirrored}; {config.counted}."
        return f"{self.name}: {self.summary}. {pods}"


ROUND_ROBIN = Format(
    "round-robin",
    "Round robin",
    "everybody meets everybody as evenly as possible",
    round_robin.RoundRobin,
    round_robin.next_round,
    round_robin.table_counts,
    byes_note,
)
SWISS = Format(
    "swiss",
    "Swiss pods",
    "bots with similar standings meet, with as few rematches as possible",
    swiss.Swiss,
    swiss.next_round,
    swiss.table_counts,
    byes_note,
)
KNOCKOUT = Format(
    "knockout",
    "Groups and knock-out",
    "the best of every pod advance until one table is left",
    knockout.Knockout,
    knockout.next_round,
    knockout.table_counts,
    knockout_notes,
    knockout.final_standings,
)
SERIES = Format(
    "series",
    "Series",
    "several games at one table, counted in penalty points",
    series.Series,
    series.next_round,
    series.table_counts,
    series_notes,
)

FORMATS: dict[str, Format[Any]] = {
    form.slug: form for form in (ROUND_ROBIN, SWISS, KNOCKOUT, SERIES)
}


def dump(config: Config) -> dict[str, Any]:
    """Return a config with the name of its format, as JSON."""
    slug = next(form.slug for form in FORMATS.values() if form.config is type(config))
    return {"format": slug, **config.to_json()}


def load(data: Mapping[str, Any]) -> tuple[Format[Any], Config]:
    """Return the format and config that `dump` wrote."""
    slug = data.get("format")
    if not isinstance(slug, str) or slug not in FORMATS:
        raise BadConfig([Problem("format", f"Choose one of {', '.join(FORMATS)}.")])
    form = FORMATS[slug]
    return form, form.read({key: value for key, value in data.items() if key != "format"})
