"""What a spectator likes to be told and a record does not say: it takes the rules to know it.

The viewer knows no rules, so this is served beside the record, never in it.
"""

from collections.abc import Callable
from typing import Any

from engine.game import Seat, State
from engine.games.basari.rules import ENOUGH_WORKERS, WORKER_AWARD, score_stage
from engine.games.basari.state import State as BasariState, clone as clone_basari
from engine.games.edel_stein_reich.scoring import score_phase
from engine.games.edel_stein_reich.state import State as EsrState, clone as clone_esr
from engine.games.edelsteinsuche.cards import SERIES
from engine.games.edelsteinsuche.moves import MAX_EXCHANGES
from engine.games.edelsteinsuche.state import PLACES, State as SucheState
from engine.record.recorder import Record
from engine.record.rerun import rerun

Remark = dict[str, Any]
NOTHING_TOLD: dict[str, Any] = {"scored": None, "remarks": []}
"""The insight into a match of a game that is not known here."""
_SETTLING = frozenset({"score", "certificates", "workers", "end"})
"""Steps in the middle of which a scoring of its own would count things twice."""


def insight(record: Record, seat: Seat | None = None) -> dict[str, Any]:
    """For each step what every seat would have if it were scored now, and remarks on some steps.

    `seat` is given for a redacted copy: whether others missed a win is not for it to know.
    """
    scored: list[list[int] | None] = []
    notice = _NOTICE.get(record["game"], _Silent)()
    count = _IF_SCORED.get(record["game"])

    def look(step: dict[str, Any], state: State) -> None:
        if count:
            scored.append(scored[-1] if step["t"] in _SETTLING else count(state))
        notice(step, state)

    rerun(record, look)
    remarks = [r for r in notice.remarks if seat is None or not r["secret"] or r["seat"] == seat]
    return {"scored": scored or None, "remarks": remarks}


def _esr_scored(state: EsrState) -> list[int]:
    future = clone_esr(state)
    score_phase(future, None)
    return future.money


def _basari_scored(state: BasariState) -> list[int]:
    future = clone_basari(state)
    score_stage(future, None)
    return future.points


_IF_SCORED: dict[str, Callable[[Any], list[int]]] = {
    "edel-stein-reich": _esr_scored,
    "basari": _basari_scored,
}


class _Silent:
    """Listens to a match and remarks on nothing."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []

    def __call__(self, step: dict[str, Any], state: State) -> None:
        """Look at a step and the position after it."""

    def remark(self, i: int, kind: str, seat: Seat, text: str, secret: bool = False) -> None:
        """Keep a sentence for a step; a secret one is for its seat and for those who see all."""
        said = {"i": i, "kind": kind, "seat": seat, "text": text, "secret": secret}
        self.remarks.append(said)


class _LastRound(_Silent):
    """Says when a stage of Basari is bound to end with the running round."""

    said = False

    def __call__(self, step: dict[str, Any], state: BasariState) -> None:
        if step["t"] == "stage":
            self.said = False
        most = max(state.workers)
        if most >= ENOUGH_WORKERS and not self.said:
            self.said = True
            seat = state.workers.index(most)
            self.remark(
                step["i"],
                "last-round",
                seat,
                f"{{{seat}}} has {most} workers: the stage ends after this round, and every seat "
                f"with {ENOUGH_WORKERS} or more gets {WORKER_AWARD}.",
            )


class _MissedWins(_Silent):
    """Says when a seat of Edelsteinsuche knew enough to win in this turn and did not.

    Once for each stretch of turns in which it could: the first is the moment worth a look.
    """

    def __init__(self) -> None:
        super().__init__()
        self.chance: tuple[int, Seat, int] | None = None
        self.missing: set[Seat] = set()

    def __call__(self, step: dict[str, Any], state: SucheState) -> None:
        if step["t"] in ("turn", "end"):
            self._judge(state)
        if step["t"] == "turn":
            self._look_ahead(step, state)

    def _judge(self, state: SucheState) -> None:
        """The turn with a chance is over; was it used?"""
        if self.chance is None:
            return
        i, seat, cards = self.chance
        self.chance = None
        if state.missing[seat] and seat not in self.missing:
            self.missing.add(seat)
            last = "last card" if cards == 1 else f"last {cards} cards"
            text = f"{{{seat}}} knew where its {last} lay and could have won in this turn."
            self.remark(i, "missed-win", seat, text, secret=True)

    def _look_ahead(self, step: dict[str, Any], state: SucheState) -> None:
        seat = step["seat"]
        fresh = state.unique or not state.unique_used[seat]
        needed = exchanges_to_win(state, seat)
        if needed is not None and needed <= (MAX_EXCHANGES if fresh else 1):
            self.chance = step["i"], seat, state.missing[seat]
        else:
            self.missing.discard(seat)


def exchanges_to_win(state: SucheState, seat: Seat) -> int | None:
    """How many exchanges complete the series; None if the seat does not know where all cards are.

    A card in another row takes one. A card in the own row must first be sent out, which happens by
    the way when the card that belongs in its slot is shown; cards that wait for each other in a
    circle need one exchange more to begin.
    """
    gem, own = state.types[seat], seat * SERIES
    slots: dict[int, int | None] = {}
    """Of each missing number: the slot of the own row it lies in, if it does."""
    for place in range(PLACES):
        card = state.cards[place]
        if card[0] == gem and not state.up[place]:
            if not state.knowers[place] >> seat & 1:
                return None
            inside = own <= place < own + SERIES
            slots[int(card[1])] = place - own + 1 if inside else None
    return len(slots) + _circles(slots)


def _circles(waits_for: dict[int, int | None]) -> int:
    """How many circles there are when everything waits for at most one other thing."""
    circles, done = 0, set[int]()
    for first in waits_for:
        at: int | None = first
        path: set[int] = set()
        while at is not None and at not in done:
            done.add(at)
            path.add(at)
            at = waits_for[at]
        circles += at in path
    return circles


_NOTICE: dict[str, type[_Silent]] = {"basari": _LastRound, "edelsteinsuche": _MissedWins}
