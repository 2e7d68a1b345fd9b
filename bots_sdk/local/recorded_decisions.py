"""Which decision of a recorded match is meant: who was asked when, and which seat a bot is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.game import SEAT_LETTERS, Seat
from engine.record.recorder import Record

SHOWN_STEPS = 8


class UnclearDecision(Exception):
    """Nobody can tell which decision is meant. Says in a sentence what to add."""


def find_decision(
    record: Record, names: Iterable[str], step: int | None, letter: str | None
) -> tuple[Seat, int]:
    """Return the seat and the step that are meant.

    `names` are those of the bot: its seat is the one called like that, if there is a choice.
    Without a step it is the first fault of the seat.
    """
    own = _seats_named(record, names)
    if step is None:
        seat = _own_seat(record, own, letter)
        return seat, _first_step(record, seat)
    return _asked_seat(record, step, own, letter), step


def _seats_asked(step: Mapping[str, Any]) -> list[Seat]:
    """Return the seats that had a choice at a step."""
    if "moves" in step:
        return [seat for seat, forced in enumerate(step["forced"]) if not forced]
    return [step["seat"]] if "move" in step and not step["forced"] else []


def _steps_asked(record: Record, seat: Seat | None = None) -> list[int]:
    """Return the steps at which a seat had a choice, or anybody."""
    asked = ((step["i"], _seats_asked(step)) for step in record["steps"])
    return [i for i, seats in asked if (seats if seat is None else seat in seats)]


def _asked_seat(record: Record, step: int, own: Sequence[Seat], letter: str | None) -> Seat:
    """Return who was asked at this step: the seat named, the only one, the bot's, the faulty."""
    if not 0 <= step < len(record["steps"]):
        raise UnclearDecision(f"The match has steps 0 to {len(record['steps']) - 1}, not {step}.")
    seats = _seats_asked(record["steps"][step])
    if not seats:
        near = ", ".join(map(str, _nearest(_steps_asked(record), step, 3)))
        raise UnclearDecision(
            f"Nobody was asked at step {step}: {record['steps'][step]['t']}. "
            f"Decisions close by: steps {near}."
        )
    if letter:
        return _named_seat(record, step, seats, letter)
    own = [seat for seat in own if seat in seats]
    at_fault = [one["seat"] for one in record["faults"] if one["step"] == step]
    for candidates in (seats, own, [seat for seat in own if seat in at_fault], at_fault):
        if len(candidates) == 1:
            return candidates[0]
    some = own or seats
    raise UnclearDecision(
        f"Seats {_list(some)} were asked at step {step}; add --seat {SEAT_LETTERS[some[0]]}."
    )


def _named_seat(record: Record, step: int, seats: Sequence[Seat], letter: str) -> Seat:
    seat = _seat_of(record, letter)
    if seat not in seats:
        others = [f"--step {near}" for near in _nearest(_steps_asked(record, seat), step, 1)]
        ways = " or ".join([f"--seat {SEAT_LETTERS[seats[0]]}", *others])
        raise UnclearDecision(
            f"Seat {SEAT_LETTERS[seat]} was not asked at step {step}; write {ways}."
        )
    return seat


def _seat_of(record: Record, letter: str) -> Seat:
    seats = range(len(record["seats"]))
    for seat in seats:
        if SEAT_LETTERS[seat] == letter.upper():
            return seat
    raise UnclearDecision(f"The match has seats {_list(seats)}, not {letter}.")


def _own_seat(record: Record, own: Sequence[Seat], letter: str | None) -> Seat:
    """Return the seat of the bot in the whole match: the one named, its own, the one at fault."""
    if letter:
        return _seat_of(record, letter)
    at_fault = sorted({one["seat"] for one in record["faults"]})
    own_at_fault = [seat for seat in own if seat in at_fault]
    for candidates in (own, own_at_fault, [] if own else at_fault):
        if len(candidates) == 1:
            return candidates[0]
    some = own_at_fault or own or range(len(record["seats"]))
    names = ", ".join(_name(record, seat) for seat in some)
    raise UnclearDecision(f"The bot may be {names}; add --seat {SEAT_LETTERS[some[0]]}.")


def _first_step(record: Record, seat: Seat) -> int:
    """Return the step of the first fault of a seat; if it had none, say where it was asked."""
    faults: list[int | None] = [one["step"] for one in record["faults"] if one["seat"] == seat]
    asked = _steps_asked(record, seat)
    # Whoever failed while it was loaded does so again, whatever it is asked.
    for step in [*[step for step in faults if step is not None], *(asked if faults else [])]:
        return step
    if not asked:
        raise UnclearDecision(f"{_name(record, seat)} was never asked in this match.")
    more = f", … {asked[-1]}" if len(asked) > SHOWN_STEPS else ""
    raise UnclearDecision(
        f"{_name(record, seat)} had no fault. It was asked at steps "
        f"{', '.join(map(str, asked[:SHOWN_STEPS]))}{more}; add --step {asked[0]}."
    )


def _seats_named(record: Record, names: Iterable[str]) -> list[Seat]:
    """Return the seats that have one of these names: of a bot, a file or a class."""
    plain_names = {_plain(name) for name in names}
    return [
        seat
        for seat, player in enumerate(record["seats"])
        if plain_names & {_plain(player.get("name") or ""), _plain(player.get("bot") or "")}
    ]


def _plain(name: str) -> str:
    """Return a name without what `my_bot`, `my-bot` and `MyBot` differ in."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _name(record: Record, seat: Seat) -> str:
    return f"{SEAT_LETTERS[seat]} {record['seats'][seat]['name']}"


def _nearest(steps: Sequence[int], step: int, count: int) -> list[int]:
    return sorted(sorted(steps, key=lambda i: abs(i - step))[:count])


def _list(seats: Iterable[Seat]) -> str:
    """Return `A and C`, or `A, B and C`."""
    *first, last = (SEAT_LETTERS[seat] for seat in seats)
    return f"{', '.join(first)} and {last}" if first else last
