"""The arithmetic of the ledger: starts and matches in their order give every rating, to the digit.

Pure; the writer of ratings and the rebuild both work with it, so they cannot disagree.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bots_sdk.rating.arithmetic import v1, v2
from bots_sdk.rating.skill import MU, SIGMA, Rating, expected_places

ARITHMETICS: Mapping[int, Callable[[Sequence[Rating], Sequence[int]], list[Rating]]] = (
    MappingProxyType({1: v1.rate, 2: v2.rate})
)
"""Every version stays, because a ledger is recomputed with those it was written with."""
FIRST_ARITHMETIC = 1
"""Ledgers began with it before they had an entry about their arithmetic."""
CURRENT_ARITHMETIC = 2

INHERITED_SIGMA = 4.0
"""A new version is at least this uncertain: it may be much better or worse than the last."""


def start(predecessor: Rating | None) -> Rating:
    """Return the first rating of a version: a fresh one, or that of its predecessor."""
    if predecessor is None:
        return Rating(MU, SIGMA)
    return Rating(predecessor.mu, max(predecessor.sigma, INHERITED_SIGMA))


class Change(NamedTuple):
    """What a match did to one seat."""

    seat: int
    version: int
    before: Rating
    after: Rating
    expected: float


def rate_match(
    arithmetic: int, ratings: dict[int, Rating], versions: Sequence[int], places: Sequence[int]
) -> list[Change]:
    """Rate one match of these versions by a version of the arithmetic, and update `ratings`."""
    before = [ratings[version] for version in versions]
    after = ARITHMETICS[arithmetic](before, places)
    expected = expected_places(before)
    ratings.update(zip(versions, after, strict=True))
    return [
        Change(seat, version, before[seat], after[seat], expected[seat])
        for seat, version in enumerate(versions)
    ]
