"""Random matches, and what the library `trueskill` makes of them when it works exactly."""

from random import Random
from typing import Any
from unittest.mock import patch

from bots_sdk.rating.arithmetic import v1
from bots_sdk.rating.belief import Rating

MIN_DELTA = 1e-10


def library_rate(ratings: list[Rating], places: list[int]) -> list[Rating]:
    """Rate a match by the library to the last digit; the mean over both orders of a tie of two."""
    library = v1._TRUESKILL
    usual = library.rate

    def exactly(groups: Any, ranks: list[int]) -> Any:
        return usual(groups, ranks, min_delta=MIN_DELTA)

    with patch.object(library, "rate", exactly):
        return v1.rate(ratings, places)


def random_match(rng: Random, *, tied: bool) -> tuple[list[Rating], list[int]]:
    """Return ratings and places of a table of two to five, with a tie of two or none."""
    count = rng.randint(2, 5)
    spread = rng.choice((3.0, 6.0, 12.0))
    ratings = [Rating(rng.gauss(25, spread), rng.uniform(0.7, 8.5)) for _ in range(count)]
    places = list(range(1, count + 1))
    if tied:
        higher = rng.randrange(count - 1)
        places[higher + 1] = places[higher]
    rng.shuffle(places)
    return ratings, places
