"""Which terms of an event night fit together. Pure; form, API and services ask here."""

from collections.abc import Mapping
from typing import Any

from league.tournaments.planning.config import MAX_ROUNDS, Config, Problem
from league.tournaments.planning.formats import Format

MAX_MINUTES = 7 * 24 * 60
"""A week: longer than any evening."""
MIN_REVEAL_MINUTES = 1
FIELDS = (*("sealed_from", "freeze_after_minutes", "reveal_after_minutes", "reveal_every_minutes"),)
_TITLES = {
    "freeze_after_minutes": "The freeze",
    "reveal_after_minutes": "The first reveal",
    "reveal_every_minutes": "The time between reveals",
}


def problems(
    terms: Mapping[str, Any], form: Format[Any], config: Config, max_entries: int, *, hosted: bool
) -> list[Problem]:
    """Return what is wrong with these terms. `hosted`: somebody can reveal by hand."""
    sealed_from = terms.get("sealed_from") or 0
    freeze_after = terms.get("freeze_after_minutes")
    reveal_after = terms.get("reveal_after_minutes")
    wrong = [*_out_of_bounds(terms), *_beyond(sealed_from, form, config, max_entries)]
    seals = bool(sealed_from) or freeze_after is not None
    if reveal_after is not None and not seals:
        text = "There is nothing to reveal: seal rounds or freeze the standings."
        wrong.append(Problem("reveal_after_minutes", text))
    if seals and reveal_after is None and not hosted:
        text = "Nobody organises it, so its reveals need a schedule."
        wrong.append(Problem("reveal_after_minutes", text))
    return wrong


def _out_of_bounds(terms: Mapping[str, Any]) -> list[Problem]:
    lowest = {
        "freeze_after_minutes": 1,
        "reveal_after_minutes": 0,
        "reveal_every_minutes": MIN_REVEAL_MINUTES,
    }
    return [
        Problem(name, f"{_TITLES[name]}: choose {minimum} to {MAX_MINUTES:,} minutes.")
        for name, minimum in lowest.items()
        if (value := terms.get(name)) is not None and not minimum <= value <= MAX_MINUTES
    ]


def _beyond(sealed_from: int, form: Format[Any], config: Config, max_entries: int) -> list[Problem]:
    """Return a problem if there would be no such round, even with as many entries as may be."""
    if not 0 <= sealed_from <= MAX_ROUNDS:
        return [Problem("sealed_from", f"Choose a round from 1 to {MAX_ROUNDS}, or 0 for none.")]
    if config.refusal_reason(max_entries):
        return []
    rounds = len(form.table_counts(config, max_entries))
    if sealed_from <= rounds:
        return []
    counted = "1 round" if rounds == 1 else f"{rounds} rounds"
    text = f"Round {sealed_from} cannot be sealed: with {max_entries} bots there are {counted}."
    return [Problem("sealed_from", text)]
