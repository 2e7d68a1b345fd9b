"""Is a worker worse than the others? Pure arithmetic over counts.

Matches go to whichever worker asks first, so every worker meets the same bots. One on which far
more of them are too slow or crash is itself the reason.
"""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

FEWEST_MATCHES = 20
"""Of the suspect and of all others together; with fewer nothing is said."""
TIMES_WORSE = 3.0
"""And its share of faulty matches must be so many times that of the others."""


class Bar(NamedTuple):
    """What it takes: so many faulty matches, so far above what chance explains."""

    faulty: int
    sigmas: float


SURE = Bar(5, 5.0)
"""Enough to set a worker aside: by chance alone less than once in a million looks."""
DOUBT = Bar(2, 3.0)
"""Enough to ask another worker before a fault counts."""


class Count(NamedTuple):
    """Matches of one worker, and those of them in which a bot was too slow or went away."""

    matches: int
    faulty: int


def suspects(counts: Mapping[str, Count], bar: Bar = SURE) -> dict[str, str]:
    """The workers that are much worse than all others together, each with a sentence why."""
    everything = Count(
        sum(one.matches for one in counts.values()), sum(one.faulty for one in counts.values())
    )
    found = {}
    for name, own in counts.items():
        others = Count(everything.matches - own.matches, everything.faulty - own.faulty)
        if _much_worse(own, others, bar):
            found[name] = (
                f"bots were too slow or crashed in {own.faulty} of its last {own.matches} matches, "
                f"elsewhere in {others.faulty} of {others.matches}"
            )
    return found


def _much_worse(own: Count, others: Count, bar: Bar) -> bool:
    if min(own.matches, others.matches) < FEWEST_MATCHES or own.faulty < bar.faulty:
        return False
    # One more of each, so that others without any fault do not make a single one damning.
    usual = (others.faulty + 1) / (others.matches + 2)
    share = own.faulty / own.matches
    spread = sqrt(usual * (1 - usual) / own.matches)
    return share > TIMES_WORSE * usual and share - usual > bar.sigmas * spread
