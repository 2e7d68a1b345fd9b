"""The check of a record: play the match again from its seed and moves, compare every step."""

from collections.abc import Sequence

from engine.game import BadSetup, Game, Seat, View
from engine.record.ending import end_placements, final, forfeiting_faults
from engine.record.patch import diff
from engine.record.reading import RecordError, check_form
from engine.record.recorder import UNPROVEN, digest
from engine.record.rerun import game_of
from engine.record.types import AnyRecord, AnyStep, FaultEntry, Json
from engine.rng import Rng

_UNCOMPARED = UNPROVEN | {"fault"}


def verify(record: AnyRecord) -> None:
    """Raise `RecordError` with the first place that is not true, if there is one."""
    check_form(record)
    game = game_of(record)
    rng = Rng(record["seed"])
    comparison = _Comparison(game, record)
    try:
        state = game.start(len(record["seats"]), record["options"], rng, comparison)
    except BadSetup as error:
        raise RecordError("options", str(error)) from None
    if game.resolve_options(len(record["seats"]), record["options"]) != record["options"]:
        raise RecordError("options", "they must be complete")
    while asked := game.to_move(state):
        game.play(state, comparison.next_moves(state, asked), rng, comparison)
    comparison.finish(state)
    if digest(record) != record["digest"]:
        raise RecordError("digest", "it is not the digest of this record")


class _Comparison:
    """Listens to the re-run and compares every step with the recorded one."""

    def __init__(self, game: Game, record: AnyRecord) -> None:
        self.game = game
        self.record = record
        self.steps: Sequence[AnyStep] = record["steps"]
        self.at = 0
        self.view: View = {}
        self.faults: list[FaultEntry] = record["faults"]
        self.listed_codes = {(fault["step"], fault["seat"]): fault["code"] for fault in self.faults}
        self.forfeiting = forfeiting_faults(self.faults)

    def __call__(self, t: str, state: object, fields: dict[str, Json]) -> None:
        view = self.game.view(state)
        if t == "end":
            fields = fields | {"placements": self._end_placements(state)}
        change = {"set": diff(self.view, view)} if self.at else {"view": view}
        self._compare(self._step(), {"i": self.at, "t": t, **fields, **change})
        self.view = view
        self.at += 1

    def _step(self) -> AnyStep:
        if self.at == len(self.steps):
            raise RecordError(f"steps[{self.at}]", "the record ends here, the match does not")
        return self.steps[self.at]

    def _compare(self, recorded: AnyStep, played: AnyStep) -> None:
        if played["t"] != recorded["t"]:
            raise RecordError(
                f"steps[{self.at}].t", f"recorded {recorded['t']!r}, the re-run {played['t']!r}"
            )
        for name in [*played, *recorded]:
            if name in _UNCOMPARED:
                continue
            for step, other in ((recorded, "re-run"), (played, "record")):
                if name not in step:
                    raise RecordError(f"steps[{self.at}].{name}", f"only the {other} has it")
            if not _identical(recorded[name], played[name]):
                raise RecordError(
                    f"steps[{self.at}].{name}",
                    f"recorded {_short(recorded[name])}, the re-run {_short(played[name])}",
                )

    def next_moves(self, state: object, asked: tuple[Seat, ...]) -> list[str]:
        """Return the recorded moves of the seats asked, if they are legal and faults are honest."""
        step = self._step()
        if "moves" in step:
            moves = dict(enumerate(zip(step["moves"], step["fault"], strict=True)))
        elif "move" in step:
            moves = {step["seat"]: (step["move"], step.get("fault"))}
        else:
            moves = {}
        if step.get("forced") is True or tuple(moves) != asked:
            seats = ", ".join(map(str, asked))
            raise RecordError(f"steps[{self.at}]", f"a decision of seat {seats} is expected here")
        return [self._checked(state, seat, *moves[seat]) for seat in asked]

    def _checked(self, state: object, seat: Seat, move: str, fault: str | None) -> str:
        reason = self.game.illegal_reason(state, seat, move)
        if reason is not None:
            raise RecordError(f"steps[{self.at}].move", f"seat {seat} may not: {reason}")
        if fault is not None and move != self.game.fallback(state, seat):
            raise RecordError(
                f"steps[{self.at}].fault", f"{move!r} is not the fallback move of seat {seat}"
            )
        self._check_mark(seat, fault)
        return move

    def _check_mark(self, seat: Seat, code: str | None) -> None:
        """Check that a mark names the fault listed for the move, or the one that forfeited."""
        cause = self.forfeiting.get(seat)
        if cause and (cause["step"] is None or cause["step"] < self.at):
            if code != cause["code"]:
                raise RecordError(
                    f"steps[{self.at}].fault",
                    f"seat {seat} has forfeited by {cause['code']}, which must mark its moves",
                )
        elif code is not None and self.listed_codes.get((self.at, seat)) != code:
            raise RecordError(
                f"steps[{self.at}].fault", f"no fault {code} of seat {seat} is listed here"
            )

    def _end_placements(self, state: object) -> list[int]:
        """Return the places that the last step must tell, with forfeits that follow from faults."""
        self._check_faults()
        outcome = self.game.outcome(state)
        assert outcome is not None
        return end_placements(self.game, self.record["rules"], outcome, sorted(self.forfeiting))

    def _check_faults(self) -> None:
        """Check that each fault is listed once, none after a forfeit, and who forfeits by them."""
        places: set[tuple[Seat, int | None]] = set()
        forfeits: set[Seat] = set()
        for number, fault in enumerate(self.faults):
            seat = fault["seat"]
            if seat in forfeits or (seat, fault["step"]) in places:
                before = seat in forfeits
                problem = "has forfeited before" if before else "has another fault there"
                raise RecordError(f"faults[{number}]", f"seat {seat} {problem}")
            places.add((seat, fault["step"]))
            if self.forfeiting.get(seat) is fault:
                forfeits.add(seat)
        expected = sorted(forfeits)
        if self.record["outcome"]["forfeits"] != expected:
            raise RecordError(
                "outcome.forfeits",
                f"the faults make it {expected}: a hard one forfeits, or the third soft one",
            )

    def finish(self, state: object) -> None:
        """Check that nothing follows the end, and that the outcome is the one that was played."""
        if self.at != len(self.steps):
            raise RecordError(f"steps[{self.at}]", "the match is over before this step")
        for number, fault in enumerate(self.faults):
            if fault["step"] is not None and self._mark(fault) != fault["code"]:
                raise RecordError(f"faults[{number}]", f"step {fault['step']} shows no such fault")
        outcome = self.game.outcome(state)
        assert outcome is not None
        result = final(outcome, self.record["outcome"]["forfeits"])
        if result != self.record["outcome"]:
            raise RecordError("outcome", f"the re-run ends with {_short(result)}")

    def _mark(self, fault: FaultEntry) -> Json:
        """Return the code with which the step of a listed fault marks the move of its seat."""
        i = fault["step"]
        if i is None or not 0 <= i < len(self.steps):
            return None
        step = self.steps[i]
        if "moves" in step:
            return step["fault"][fault["seat"]]
        return step.get("fault") if step.get("seat") == fault["seat"] else None


def _identical(a: Json, b: Json) -> bool:
    """Return whether values are equal as JSON: in Python alone, true and 1.0 equal 1."""
    if a == b:
        return repr(a) == repr(b) or _normal(a) == _normal(b)
    return False


def _normal(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _normal(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_normal(item) for item in value]
    return type(value).__name__, value


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
