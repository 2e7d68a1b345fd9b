"""How a match ends once it is known who forfeited.

A game knows no forfeits: it ends with places of its own. The referee's faults say who forfeited,
and the outcome of a record puts those seats behind all others.
"""

from collections.abc import Iterable

from engine.game import Game, Outcome, Seat, placements
from engine.record.types import Document, FaultEntry, OutcomeEntry
from engine.record.views import views_of
from engine.registry import GAMES

SOFT_FAULTS = frozenset({"E301", "E303", "E306"})
"""Codes that cost a move; every other code in the faults of a record costs the match at once."""
MAX_SOFT_FAULTS = 3
"""With this many a seat forfeits."""


def final(outcome: Outcome, forfeits: list[Seat]) -> OutcomeEntry:
    """Return the outcome with those who forfeited behind all others, in the game's own order."""
    keys = [(seat not in forfeits, -place) for seat, place in enumerate(outcome.placements)]
    return {
        "placements": placements(keys),
        "scores": outcome.scores,
        "reason": outcome.reason,
        "forfeits": forfeits,
    }


def forfeiting_faults(faults: Iterable[FaultEntry]) -> dict[Seat, FaultEntry]:
    """Return the fault by which each seat that forfeited did so."""
    soft_counts: dict[Seat, int] = {}
    forfeiting: dict[Seat, FaultEntry] = {}
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
    return final(outcome, forfeits)["placements"]


def name_winner(record: Document) -> Document:
    """Return the record for people: its last sentence names the winner of the outcome.

    A record of the former rules keeps its bytes, and may name a seat there that had forfeited.
    """
    steps = record["steps"]
    game, outcome = GAMES.get(record["game"]), record["outcome"]
    if game is None or record["rules"] not in game.former_rules or not outcome["forfeits"]:
        return record
    *_, view = views_of(record)
    end = steps[-1] | {"text": game.narrate({**steps[-1], **outcome}, view)}
    return record | {"steps": [*steps[:-1], end]}
