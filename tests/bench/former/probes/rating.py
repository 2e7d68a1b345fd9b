"""Rating matches with the code of the checkout whose interpreter runs this, as JSON.

    rating.py SECONDS    CPU µs of one match, by case: {"3 seats": …, "trueskill, 3 seats": …, …}

Every match has a tie. It is rated by the function that the ladder's ledger uses, and by the library
alone, once, with the tie as it comes. Imports nothing of `tests`.
"""

import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from time import process_time

import django
import trueskill  # type: ignore[import-untyped]

LEDGERS = ("league.ladder.ratings.ledger", "league.ladder.ledger")
"""Where the ladder's arithmetic is, now and formerly."""
PLACES = {"3 seats": (1, 2, 2), "5 seats": (1, 2, 2, 4, 5)}
MATCHES = 200
"""Different matches, rated again and again."""

Strength = tuple[float, float]
Rate = Callable[[Sequence[Strength], Sequence[int]], object]


def ledger_rate() -> Callable[[Sequence[Strength]], Callable[[Sequence[int]], object]]:
    """Return what rates a match on the ladder."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    ledger = import_module(next(name for name in LEDGERS if _exists(name)))

    def prepare(strengths: Sequence[Strength]) -> Callable[[Sequence[int]], object]:
        ratings = [ledger.Rating(mu, sigma) for mu, sigma in strengths]
        return lambda places: ledger.rate(ratings, places)

    return prepare


def library_rate() -> Callable[[Sequence[Strength]], Callable[[Sequence[int]], object]]:
    """Return the library alone, with the parameters of the ladder."""
    library = trueskill.TrueSkill(25, 25 / 3, 25 / 6, 25 / 300, 0.10)

    def prepare(strengths: Sequence[Strength]) -> Callable[[Sequence[int]], object]:
        groups = [(trueskill.Rating(mu, sigma),) for mu, sigma in strengths]
        return lambda places: library.rate(groups, places)

    return prepare
