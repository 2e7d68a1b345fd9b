"""Numbers for the parts of an observation, whatever the game. Runs inside the box.

Seats are counted from the observer: itself first, then clockwise. What can be large is scaled to be
around one; what is one of a few things is one-hot.
"""

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from engine.game import Seat, View

Features = dict[str, list[float]]
"""Groups of numbers by name, in their order."""

MAX_FEATURE = 20.0
"""No feature is larger, and none is below zero."""


def one_hot(value: object, choices: "Sequence[object]") -> list[float]:
    """Return a one at the place of the value, or only zeros if it is none of the choices."""
    return [float(value == choice) for choice in choices]


def many_hot(values: "Container[object]", choices: "Iterable[object]") -> list[float]:
    """Return a one for each of the choices that is among the values."""
    return [float(choice in values) for choice in choices]


def scaled(values: "Iterable[float]", by: float) -> list[float]:
    """Divide all values by a number that makes them about one."""
    return [value / by for value in values]


def clockwise(view: "View") -> "list[Seat]":
    """Return all seats in the order in which the observer counts them."""
    return [*seats_from(view["seat"], len(view["seats"]))]


@lru_cache
def seats_from(seat: "Seat", seats: int) -> "tuple[Seat, ...]":
    """Return all seats clockwise, this one first."""
    return tuple((seat + step) % seats for step in range(seats))
