"""What changed between states of a table, small enough to be sent every second. Pure.

Lists grow at their end, and mappings by new names. The viewer has one of several former states, so
what is kept of a list is what all of them have in common.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Values = Mapping[str, Any]


def changes(before: Sequence[Values], now: Values) -> dict[str, Any]:
    """Return how to get from any of the former states to this one; all of it if there is none."""
    return {
        name: _change([one.get(name) for one in before], value)
        for name, value in now.items()
        if not before or any(name not in one or one[name] != value for one in before)
    }


def _change(before: Sequence[Any], value: Any) -> dict[str, Any]:
    if before and isinstance(value, list) and all(isinstance(one, list) for one in before):
        kept = min(_common(one, value) for one in before)
        return {"keep": kept, "rows": value[kept:]}
    if before and isinstance(value, dict) and all(_is_part(one, value) for one in before):
        # One that has too little gets some of it twice.
        least = min(before, key=len)
        return {"more": {name: one for name, one in value.items() if name not in least}}
    return {"is": value}


def _common(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return with how many equal rows both begin."""
    pairs = zip(one, other, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _is_part(one: Any, whole: Mapping[str, Any]) -> bool:
    missing = object()
    return isinstance(one, dict) and all(whole.get(k, missing) == v for k, v in one.items())
