"""Copies of a record for those who may not see everything: one seat, or the public.

A copy is made by playing the match again and writing down what that seat could see after each
step, so a game's `view` stays the only place that knows what is hidden.
"""

from engine.game import PUBLIC, Seat, View
from engine.record.patch import diff
from engine.record.rerun import game_of, rerun
from engine.record.types import AnyRecord, AnyStep, Document, FaultEntry, Json

HIDDEN_DETAIL = "The reason is not shown in this copy, as it may name a hidden card."


def redact(record: AnyRecord, seat: Seat) -> Document:
    """Return a copy that holds what this seat, or `PUBLIC`, may know.

    Seed and digest are left out, as each of them gives the cards away.
    """
    game = game_of(record)
    views: list[View] = []
    hides = False

    def look(_: AnyStep, state: object) -> None:
        nonlocal hides
        everything, own_view = game.view(state), game.view(state, seat)
        # A seat's view says more about the decision at hand; a record has the table only.
        views.append({name: own_view[name] for name in everything})
        hides = hides or views[-1] != everything

    rerun(record, look)
    copy = {name: value for name, value in record.items() if name not in ("seed", "digest")}
    copy["redacted"] = "public" if seat == PUBLIC else seat
    copy["steps"] = [_step(step, views, seat) for step in record["steps"]]
    copy["faults"] = [_fault(fault, seat, hides) for fault in record["faults"]]
    return copy


def _step(step: AnyStep, views: list[View], seat: Seat) -> dict[str, Json]:
    """Return the step without cards this seat does not know and without the notes of others."""
    i, knowers = step["i"], step.get("for", {})
    copy = {name: value for name, value in step.items() if seat in knowers.get(name, (seat,))}
    if i:
        copy["set"] = diff(views[i - 1], views[i])
    else:
        copy["view"] = views[0]
    note = copy.pop("note", None)
    if isinstance(note, list):
        own = [text if author == seat else None for author, text in enumerate(note)]
        return copy | ({"note": own} if any(own) else {})
    return copy | ({"note": note} if note and step["seat"] == seat else {})


def _fault(fault: FaultEntry, seat: Seat, hides: bool) -> FaultEntry:
    """Hide the detail from others where cards are hidden: it may name the card in hand."""
    if hides and fault["seat"] != seat:
        return {**fault, "detail": HIDDEN_DETAIL}
    return fault
