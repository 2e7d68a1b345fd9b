"""Is a worker worse than the others? Pure arithmetic over counts.

Matches go to whichever worker asks first, so every worker meets the same bots. If far more of them
are too slow or crash on one worker, that worker is the reason. A bot can find out on which machine
it runs and fail there on purpose: so a suspicion must hold whichever single owner is left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple

MIN_MATCHES = 20
"""Of the suspect and of all others together; with fewer there is no suspicion."""
TIMES_WORSE = 3.0
"""The share of faulty matches must be so many times that of the others."""


class Bar(NamedTuple):
    """What a suspicion takes: so many faulty matches, so far above what chance explains."""

    faulty: int
    sigmas: float


SURE = Bar(5, 5.0)
"""Enough to quarantine a worker: by chance alone less than once in a million looks."""
DOUBT = Bar(2, 3.0)
"""Enough to let another worker play the match before a fault counts."""


class Count(NamedTuple):
    """Matches of one worker, and those of them in which a bot was too slow or went away."""

    matches: int
    faulty: int
    by_owner: Mapping[int, int] = {}
    """Of the faulty ones, those in which the bots of one owner alone were at fault."""

    def without(self, owner: int | None) -> "Count":
        """Return the counts as if this owner's bots had never failed."""
        blamed = 0 if owner is None else self.by_owner.get(owner, 0)
        return Count(self.matches, self.faulty - blamed)


def suspects(counts: Mapping[str, Count], bar: Bar = SURE) -> dict[str, str]:
    """Return the workers that are much worse than all others together, each with a reason."""
    reasons = {}
    for name, own in counts.items():
        others = _together(other for key, other in counts.items() if key != name)
        if all(
            _much_worse(own.without(owner), others.without(owner), bar)
            for owner in (None, *own.by_owner)
        ):
            reasons[name] = (
                f"bots were too slow or crashed in {own.faulty} of its last {own.matches} matches, "
                f"elsewhere in {others.faulty} of {others.matches}"
            )
    return reasons


def _together(counts: Iterable[Count]) -> Count:
    matches, faulty, by_owner = 0, 0, Counter[int]()
    for one in counts:
        matches += one.matches
        faulty += one.faulty
        by_owner.update(one.by_owner)
    return Count(matches, faulty, by_owner)


def independent(owners: Iterable[frozenset[int]]) -> int:
    """Return how many failures one owner cannot have caused, given whose bots played in each."""
    failures = list(owners)
    shares = Counter(owner for failure in failures for owner in failure)
    return len(failures) - max(shares.values(), default=0)


def _much_worse(own: Count, others: Count, bar: Bar) -> bool:
    if min(own.matches, others.matches) < MIN_MATCHES or own.faulty < bar.faulty:
        return False
    # One more of each, so that others without any fault do not make a single one damning.
    usual = (others.faulty + 1) / (others.matches + 2)
    share = own.faulty / own.matches
    spread = sqrt(usual * (1 - usual) / own.matches)
    return share > TIMES_WORSE * usual and share - usual > bar.sigmas * spread
