"""Speed by the processor's clock, both sides of a ratio in turns, so that noise hits both alike."""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

TURNS = 9
SLICE_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Speeds:
    """What several contestants did per second in each turn."""

    turns: dict[str, list[float]]

    def typical(self, name: str) -> float:
        """The median over the turns."""
        return median(self.turns[name])

    def ratio(self, name: str, peer: str) -> float:
        """How many times as fast as the peer: the median over the turns."""
        return median(a / b for a, b in zip(self.turns[name], self.turns[peer], strict=True))


def in_turns(contestants: dict[str, Callable[[], int]]) -> Speeds:
    """Let everybody play short slices, again and again."""
    for play in contestants.values():
        _slice(play)
    # The collector would let each contestant pay for looking through the modules of the others.
    gc.collect()
    gc.freeze()
    turns: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(TURNS):
        for name, play in contestants.items():
            turns[name].append(_slice(play))
    return Speeds(turns)


def _slice(play: Callable[[], int]) -> float:
    done, begun = 0, process_time()
    while (elapsed := process_time() - begun) < SLICE_SECONDS:
        done += play()
    return done / elapsed
