"""Rating a match with the code of the checkout whose interpreter runs this, as JSON.

    rating.py SECONDS    CPU µs of one match: {"3 seats": …, "3 seats, trueskill": …, …}

Every match has a tie. It is rated by the function that the ladder uses, and by the library
alone, which takes those who tied in the order they come. Imports nothing of `tests`.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

import trueskill  # type: ignore[import-untyped]

MODULES = ("bots_sdk.rating.skill", "bots_sdk.rating")
"""Where the function is that rates matches, now and formerly."""
PLACES = {"3 seats": (1, 2, 2), "5 seats": (1, 2, 2, 4, 5)}
MATCHES = 200
"""Different matches, rated over and over."""

Rate = Callable[[list[Any], tuple[int, ...]], object]


def load_rating() -> Any:
    """Return the module that rates matches."""
    for name in MODULES:
        if _is_module(name):
            return import_module(name)
    raise SystemExit("The arithmetic has moved: name its module in MODULES.")


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def microseconds(rate: Rate, matches: list[list[Any]], places: Any, seconds: float) -> float:
    """Return the CPU time of rating one match."""
    rated, started_at = 0, process_time()
    while (used := process_time() - started_at) < seconds:
        for ratings in matches:
            rate(ratings, places)
        rated += len(matches)
    return used / rated * 1e6


def main(seconds: float) -> None:
    """Measure every case."""
    skill, chance = load_rating(), Random(19)
    library = trueskill.TrueSkill(25, 25 / 3, 25 / 6, 25 / 300, 0.10)
    figures = {}
    for case, places in PLACES.items():
        strengths = [
            [(chance.gauss(25, 4), chance.uniform(1, 8)) for _ in places] for _ in range(MATCHES)
        ]
        own = [[skill.Rating(*one) for one in match] for match in strengths]
        plain = [[(trueskill.Rating(*one),) for one in match] for match in strengths]
        figures[case] = microseconds(skill.rate, own, places, seconds)
        figures[f"{case}, trueskill"] = microseconds(library.rate, plain, places, seconds)
    print(json.dumps(figures))


if __name__ == "__main__":
    main(float(sys.argv[1]))
