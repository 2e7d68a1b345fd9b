"""The arithmetic of the ledger: starts and matches in their order give every rating, to the digit.

Pure; the writer of ratings and the rebuild both work with it, so they cannot disagree.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bots_sdk.rating.skill import MU, SIGMA, Rating, expected_places, rate

INHERITED_SIGMA = 4.0
"""A new version is at least this uncertain: it may be much better or worse than the last."""


def start(predecessor: Rating | None) -> Rating:
    """Return the first rating of a version: a fresh one, or that of its predecessor."""
    if predecessor is None:
        return Rating(MU, SIGMA)
    return Rating(predecessor.mu, max(predecessor.sigma, INHERITED_SIGMA))


@dataclass(frozen=True, slots=True)
class Change:
    """What a match did to one seat."""

    seat: int
    version: int
    before: Rating
    after: Rating
    expected: float


def rate_match(
    ratings: dict[int, Rating], versions: Sequence[int], places: Sequence[int]
) -> list[Change]:
    """Rate one match of these versions, and update `ratings`."""
    before = [ratings[version] for version in versions]
    after = rate(before, places)
    expected = expected_places(before)
    ratings.update(zip(versions, after, strict=True))
    return [
        Change(seat, version, before[seat], after[seat], expected[seat])
        for seat, version in enumerate(versions)
    ]
