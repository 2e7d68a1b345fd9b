"""Proving a record: play the match again from its seed and moves, and compare every step."""

from typing import Any

from engine.game import BadSetup, Game, Json, Seat
from engine.record.ending import end_placements, final, forfeiting_faults
from engine.record.patch import diff
from engine.record.reading import RecordError, check_form
from engine.record.recorder import UNPROVEN, Record, digest
from engine.record.rerun import game_of
from engine.rng import Rng

_UNCOMPARED = UNPROVEN | {"fault"}


def verify(record: Record) -> None:
    """Raise `RecordError`, naming the first place that is not true; return if all of it is."""
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
    """Listens to the re-run and holds every step against the recorded one."""

    def __init__(self, game: Game, record: Record) -> None:
        self.game = game
        self.record = record
        self.steps: list[dict[str, Any]] = record["steps"]
        self.at = 0
        self.view: dict[str, Any] = {}
        faults = record["faults"]
        self.listed = {(fault["step"], fault["seat"]): fault["code"] for fault in faults}
        self.forfeiting = forfeiting_faults(faults)

    def __call__(self, t: str, state: object, fields: dict[str, Any]) -> None:
        view = self.game.view(state)
        if t == "end":
            fields = fields | {"placements": self._end_placements(state)}
        shown = {"set": diff(self.view, view)} if self.at else {"view": view}
        self._compare(self._step(), {"i": self.at, "t": t, **fields, **shown})
        self.view = view
        self.at += 1

    def _step(self) -> dict[str, Any]:
        if self.at == len(self.steps):
            raise RecordError(f"steps[{self.at}]", "the record ends here, the match does not")
        return self.steps[self.at]

    def _compare(self, recorded: dict[str, Any], played: dict[str, Any]) -> None:
        if played["t"] != recorded["t"]:
            raise RecordError(
                f"steps[{self.at}].t", f"recorded {recorded['t']!r}, the re-run {played['t']!r}"
            )
        for name in [*played, *recorded]:
            if name in _UNCOMPARED:
                continue
            for missing, there in ((recorded, "re-run"), (played, "record")):
                if name not in missing:
                    raise RecordError(f"steps[{self.at}].{name}", f"only the {there} has it")
            if not _identical(recorded[name], played[name]):
                raise RecordError(
                    f"steps[{self.at}].{name}",
                    f"recorded {_short(recorded[name])}, the re-run {_short(played[name])}",
                )

    def next_moves(self, state: object, asked: tuple[Seat, ...]) -> list[str]:
        """The recorded moves of the seats asked, if they are legal and faults are honest."""
        step = self._step()
        if "moves" in step:
            said = {s: (step["moves"][s], step["fault"][s]) for s in range(len(step["moves"]))}
        elif "move" in step:
            said = {step["seat"]: (step["move"], step.get("fault"))}
        else:
            said = {}
        if step.get("forced") is True or tuple(said) != asked:
            seats = ", ".join(map(str, asked))
            raise RecordError(f"steps[{self.at}]", f"a decision of seat {seats} is expected here")
        return [self._checked(state, seat, *said[seat]) for seat in asked]

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
        """A mark names the fault listed for the move, or the one by which the seat forfeited."""
        cause = self.forfeiting.get(seat)
        if cause and (cause["step"] is None or cause["step"] < self.at):
            if code != cause["code"]:
                raise RecordError(
                    f"steps[{self.at}].fault",
                    f"seat {seat} has forfeited by {cause['code']}, which must mark its moves",
                )
        elif code is not None and self.listed.get((self.at, seat)) != code:
            raise RecordError(
                f"steps[{self.at}].fault", f"no fault {code} of seat {seat} is listed here"
            )

    def _end_placements(self, state: object) -> list[int]:
        """The places that the last step must tell, of forfeits that follow from the faults."""
        self._check_faults()
        outcome = self.game.outcome(state)
        assert outcome is not None
        return end_placements(self.game, self.record["rules"], outcome, sorted(self.forfeiting))

    def _check_faults(self) -> None:
        """Each fault is listed once, none after a seat forfeited, and they say who forfeits."""
        seen: set[tuple[Seat, int | None]] = set()
        gone: set[Seat] = set()
        for number, fault in enumerate(self.record["faults"]):
            seat = fault["seat"]
            if seat in gone or (seat, fault["step"]) in seen:
                problem = "has forfeited before" if seat in gone else "has another fault there"
                raise RecordError(f"faults[{number}]", f"seat {seat} {problem}")
            seen.add((seat, fault["step"]))
            if self.forfeiting.get(seat) is fault:
                gone.add(seat)
        if self.record["outcome"]["forfeits"] != sorted(gone):
            raise RecordError(
                "outcome.forfeits",
                f"the faults make it {sorted(gone)}: a hard one forfeits, or the third soft one",
            )

    def finish(self, state: object) -> None:
        """Nothing may follow the end, and the outcome must be the one that was played."""
        if self.at != len(self.steps):
            raise RecordError(f"steps[{self.at}]", "the match is over before this step")
        for number, fault in enumerate(self.record["faults"]):
            if fault["step"] is not None and self._marked(fault) != fault["code"]:
                raise RecordError(f"faults[{number}]", f"step {fault['step']} shows no such fault")
        outcome = self.game.outcome(state)
        assert outcome is not None
        played = final(outcome, self.record["outcome"]["forfeits"])
        if played != self.record["outcome"]:
            raise RecordError("outcome", f"the re-run ends with {_short(played)}")

    def _marked(self, fault: dict[str, Any]) -> Json:
        """The code with which the step of a listed fault marks the move of its seat."""
        if not 0 <= fault["step"] < len(self.steps):
            return None
        step = self.steps[fault["step"]]
        if "moves" in step:
            return step["fault"][fault["seat"]]
        return step.get("fault") if step.get("seat") == fault["seat"] else None


def _identical(a: Json, b: Json) -> bool:
    """Equal as JSON: in Python alone, true equals 1 and 1.0 equals 1."""
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
