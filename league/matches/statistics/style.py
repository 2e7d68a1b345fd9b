"""How a seat played a match, as numbers that can be added up.

Pure: reads a public record, so the same numbers come out whenever it is read again.
"""

from bisect import bisect_left
from collections import Counter
from typing import Any

from engine.barter.rounds import action_rounds
from engine.record.views import views_of
from league.matches.records.codec import Record

Counts = dict[str, int]
Step = dict[str, Any]

TIMES_MS = tuple(round(0.1 * 1.25**step, 3) for step in range(50))
"""Thinking times are counted in classes, of which these are the upper ends."""


def styles(record: Record) -> list[Counts]:
    """For each seat what it did: `chosen gems`, `fate sold`, `paid`, `draws`, `ms 12` …"""
    found: list[Counter[str]] = [Counter() for _ in record["seats"]]
    _count_times(record["steps"], found)
    if record["game"] == "edelsteinsuche":
        _count_exchanges(record, found)
    else:
        _count_actions(record["steps"], found)
        _count_barters(record["steps"], found)
    return [dict(counts) for counts in found]


def _count_times(steps: list[Step], found: list[Counter[str]]) -> None:
    """Of decisions in which there was a choice; others are not put to the bot."""
    for step in steps:
        asked: list[tuple[int, float, bool]] = []
        if "moves" in step:
            asked = list(zip(range(len(found)), step["ms"], step["forced"], strict=True))
        elif "move" in step:
            asked = [(step["seat"], step["ms"], step["forced"])]
        for seat, ms, forced in asked:
            if not forced:
                found[seat][f"ms {min(bisect_left(TIMES_MS, ms), len(TIMES_MS) - 1)}"] += 1


def _count_actions(steps: list[Step], found: list[Counter[str]]) -> None:
    chosen = [step for step in steps if step["t"] == "choose"]
    for step, one in zip(chosen, action_rounds(steps), strict=True):
        for seat, action in enumerate(step["moves"]):
            fate = one.result(action)
            kind = "won" if fate.buyer == seat else fate.kind
            found[seat][f"chosen {action}"] += 1
            found[seat][f"fate {kind}"] += 1


def _count_barters(steps: list[Step], found: list[Counter[str]]) -> None:
    """Who paid how many gems to whom; an action won for nothing has no price."""
    for step in steps:
        if step["t"] == "accept":
            gems = sum(step["gems"])
            found[step["from"]].update({"bought": 1, "paid": gems})
            found[step["seat"]].update({"sold": 1, "earned": gems})


def _count_exchanges(record: Record, found: list[Counter[str]]) -> None:
    """What a seat knows changes when a card is placed, not yet when it is drawn."""
    for step, view in zip(record["steps"], views_of(record), strict=True):
        if step["t"] == "turn":
            _count_turn(step, found[step["seat"]])
        elif step["t"] == "draw":
            row, slot = map(int, step["move"].removeprefix("draw ").split("."))
            knew = view["known"][step["seat"]][row][slot - 1] is not None
            found[step["seat"]].update({"draws": 1, "draws known": int(knew)})
        elif step["t"] == "place":
            found[step["seat"]]["shown" if step["move"] == "show" else "hidden"] += 1


def _count_turn(step: Step, counts: Counter[str]) -> None:
    counts["turns"] += 1
    if step["move"] == "unique":
        counts.update({"unique": 1, "unique turn": counts["turns"]})
