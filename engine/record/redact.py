"""Copies of a record for those who may not see everything: one seat, or the public.

A copy is made by playing the match again and writing down what that seat could see after each
step, so a game's `view` stays the only place that knows what is hidden.
"""

from typing import Any

from engine.game import PUBLIC, Seat, View
from engine.record.patch import diff
from engine.record.recorder import Record
from engine.record.rerun import game_of, rerun

HIDDEN_DETAIL = "The reason is not shown in this copy, as it may name a hidden card."


def redact(record: Record, seat: Seat) -> Record:
    """A copy that holds what this seat, or `PUBLIC`, may know; the record itself is not changed.

    Seed and digest are left out, as each of them gives the cards away.
    """
    game = game_of(record)
    views: list[View] = []
    hides = False

    def look(_: dict[str, Any], state: object) -> None:
        nonlocal hides
        everything, seen = game.view(state), game.view(state, seat)
        # A seat's view says more about the decision at hand; a record has the table only.
        views.append({name: seen[name] for name in everything})
        hides = hides or views[-1] != everything

    rerun(record, look)
    copy = {name: value for name, value in record.items() if name not in ("seed", "digest")}
    copy["redacted"] = "public" if seat == PUBLIC else seat
    copy["steps"] = [_step(step, views, seat) for step in record["steps"]]
    copy["faults"] = [_fault(fault, seat, hides) for fault in record["faults"]]
    return copy


def _step(step: dict[str, Any], views: list[View], seat: Seat) -> dict[str, Any]:
    """The step without the cards this seat does not know and without the notes of others."""
    i, known = step["i"], step.get("for", {})
    told = {name: value for name, value in step.items() if seat in known.get(name, (seat,))}
    if i:
        told["set"] = diff(views[i - 1], views[i])
    else:
        told["view"] = views[0]
    note = told.pop("note", None)
    if isinstance(note, list):
        own = [said if teller == seat else None for teller, said in enumerate(note)]
        return told | ({"note": own} if any(own) else {})
    return told | ({"note": note} if note and step["seat"] == seat else {})


def _fault(fault: dict[str, Any], seat: Seat, hides: bool) -> dict[str, Any]:
    """Why a move was refused may name the card in hand: where cards are hidden, only to its own."""
    if hides and fault["seat"] != seat:
        return fault | {"detail": HIDDEN_DETAIL}
    return fault
