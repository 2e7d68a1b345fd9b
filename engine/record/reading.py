"""Reading records that may be damaged, hostile or from the future.

What comes out has the outer form of a record; whether it is true is for `verify` to say.
"""

import json
from typing import cast

from engine.record.recorder import SCHEMA
from engine.record.types import Document, Json

MAX_BYTES = 16 * 1024 * 1024

Kinds = type | tuple[type, ...]


class RecordError(ValueError):
    """A record that cannot be read or is not true; names the place."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


def read(text: str | bytes) -> Document:
    """Return the record in a JSON text, or raise `RecordError`."""
    if len(text) > MAX_BYTES:
        raise RecordError("", f"the record is larger than {MAX_BYTES // 1024**2} MiB")
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise RecordError("", "the record is nested too deeply") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RecordError(place, f"the record is damaged here ({error.msg})") from None
    except ValueError as error:
        raise RecordError("", f"the record cannot be read ({error})") from None
    check_form(document)
    return cast("Document", document)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def check_form(record: Json) -> None:
    """Raise `RecordError` unless this has the outer form of a schema-1 record."""
    _need(record, dict, "record")
    schema = _field(record, "schema", int, "")
    if schema > SCHEMA:
        raise RecordError(
            "schema", f"it is {schema}, this Karat reads {SCHEMA}; a newer Karat can read it"
        )
    if schema != SCHEMA:
        raise RecordError("schema", f"it must be {SCHEMA}, not {schema}")
    if "redacted" in record:
        raise RecordError("redacted", "this copy hides cards; only the full record can be checked")
    for name in ("game", "rules", "seed", "digest"):
        _field(record, name, str, "")
    _field(record, "options", dict, "")
    if record.get("limits") is not None:
        _field(record, "limits", dict, "")
    for place, seat in _items(record, "seats"):
        _field(_need(seat, dict, place), "name", str, place)
    _check_outcome(_field(record, "outcome", dict, ""))
    seats = len(record["seats"])
    for place, fault in _items(record, "faults"):
        _check_fault(_need(fault, dict, place), place, seats)
    for i, (place, step) in enumerate(_items(record, "steps")):
        _check_step(_need(step, dict, place), place, i, seats)


def _check_outcome(outcome: dict[str, Json]) -> None:
    for name in ("placements", "scores", "forfeits"):
        for place, value in _items(outcome, name, "outcome."):
            _need(value, int, place)
    _field(outcome, "reason", str, "outcome")


def _check_fault(fault: dict[str, Json], place: str, seats: int) -> None:
    _check_seat(fault, place, seats)
    _field(fault, "code", str, place)
    _field(fault, "detail", str, place)
    _field(fault, "step", (int, type(None)), place)


def _check_step(step: dict[str, Json], place: str, i: int, seats: int) -> None:
    if _field(step, "i", int, place) != i:
        raise RecordError(f"{place}.i", f"steps are numbered from 0; expected {i}")
    _field(step, "t", str, place)
    _field(step, "text", str, place)
    _field(step, "set" if i else "view", dict, place)
    if "moves" in step:
        for name, kind in (("moves", str), ("forced", bool), ("ms", (int, float))):
            _per_seat(step, name, kind, place, seats)
        _per_seat(step, "fault", (str, type(None)), place, seats)
    elif "move" in step:
        _check_seat(step, place, seats)
        _field(step, "move", str, place)
        _field(step, "forced", bool, place)
        _field(step, "ms", (int, float), place)
        if "fault" in step:
            _field(step, "fault", str, place)


def _check_seat(holder: dict[str, Json], place: str, seats: int) -> None:
    seat = _field(holder, "seat", int, place)
    if not 0 <= seat < seats:
        raise RecordError(f"{place}.seat", f"there is no seat {seat} among {seats}")


def _per_seat(step: dict[str, Json], name: str, kind: Kinds, place: str, seats: int) -> None:
    values = _field(step, name, list, place)
    if len(values) != seats:
        raise RecordError(f"{place}.{name}", f"expected one for each of {seats} seats")
    for seat, value in enumerate(values):
        _need(value, kind, f"{place}.{name}[{seat}]")


def _items(holder: dict[str, Json], name: str, within: str = "") -> list[tuple[str, Json]]:
    values = _field(holder, name, list, within.removesuffix("."))
    return [(f"{within}{name}[{i}]", value) for i, value in enumerate(values)]


def _field(holder: dict[str, Json], name: str, kind: Kinds, place: str) -> Json:
    where = f"{place}.{name}" if place else name
    if name not in holder:
        raise RecordError(where, "this field is missing")
    return _need(holder[name], kind, where)


_KINDS = {dict: "an object", list: "a list", str: "a text", int: "a whole number"} | {
    bool: "true or false",
    float: "a number",
    type(None): "null",
}


def _need(value: Json, kind: Kinds, place: str) -> Json:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    # In Python, and only there, true is also the number 1.
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        expected = " or ".join(_KINDS[k] for k in kinds)
        raise RecordError(place, f"expected {expected}, found {_KINDS[type(value)]}")
    return value
