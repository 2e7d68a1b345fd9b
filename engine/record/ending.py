"""How a match ends once it is known who forfeited.

A game knows no forfeits: it ends with places of its own. The referee's faults say who forfeited,
and the outcome of a record puts those seats behind all others.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from engine.game import Game, Outcome, Seat, placements
from engine.record.patch import apply
from engine.registry import GAMES

SOFT_FAULTS = frozenset({"E301", "E303", "E306"})
"""Codes that cost a move; every other code in the faults of a record costs the match at once."""
MAX_SOFT_FAULTS = 3
"""With this many a seat forfeits."""


def final(outcome: Outcome, forfeits: list[Seat]) -> dict[str, Any]:
    """Return the outcome with those who forfeited behind all others, in the game's own order."""
    keys = [(seat not in forfeits, -place) for seat, place in enumerate(outcome.placements)]
    return {
        "placements": placements(keys),
        "scores": outcome.scores,
        "reason": outcome.reason,
        "forfeits": forfeits,
    }


def forfeiting_faults(faults: Iterable[Mapping[str, Any]]) -> dict[Seat, Mapping[str, Any]]:
    """Return the fault by which each seat that forfeited did so."""
    soft_counts: dict[Seat, int] = {}
    forfeiting: dict[Seat, Mapping[str, Any]] = {}
    for fault in faults:
        seat = fault["seat"]
        if fault["code"] in SOFT_FAULTS:
            soft_counts[seat] = soft_counts.get(seat, 0) + 1
            if soft_counts[seat] < MAX_SOFT_FAULTS:
                continue
        forfeiting.setdefault(seat, fault)
    return forfeiting


def end_placements(game: Game, rules: str, outcome: Outcome, forfeits: list[Seat]) -> list[int]:
    """Return the places that the `end` step of a record tells.

    By the former rules it told the game's own places, also of seats that had forfeited.
    """
    if rules in game.former_rules:
        return outcome.placements
    placed: list[int] = final(outcome, forfeits)["placements"]
    return placed


def name_winner(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record for people: its last sentence names the winner of the outcome.

    A record of the former rules keeps its bytes, and may name a seat there that had forfeited.
    """
    steps = record["steps"]
    game, outcome = GAMES.get(record["game"]), record["outcome"]
    if game is None or record["rules"] not in game.former_rules or not outcome["forfeits"]:
        return record
    view = deepcopy(steps[0]["view"])
    for step in steps[1:]:
        apply(view, step["set"])
    end = steps[-1] | {"text": game.narrate({**steps[-1], **outcome}, view)}
    return record | {"steps": [*steps[:-1], end]}
