"""`make bench BENCH=bundles`: what a bundle costs beside a single file, with a warm cache.

From asking for the boxes of a match to the first decision of every bot, by the clock: files that
are in the cache of the host, templates that are up, boxes that nobody started ahead.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter, process_time

from engine.registry import GAMES
from runners.box.launch import gather
from runners.box.pool import Pool
from runners.boxed import BoxedPlayer, boxed_players
from runners.bundles.bundle import Bundle, Listing
from runners.bundles.cache import place
from runners.bundles.unpacked import Code
from runners.players import Question
from tests.bench.boxes import BOT, questions

SEATS = 3
TURNS = 60
MIB = 1 << 20
WEIGHTS_MIB = 20
MAX_RATIO = 1.2
NUMPY_BOT = BOT.replace("from bots_sdk", "import numpy\nfrom bots_sdk", 1)
BUNDLE_BOT = """
import numpy as np
from bots_sdk import Bot

class Maps(Bot):
    def __init__(self):
        self.weights = np.load(self.data_path / "weights.npy", mmap_mode="r")

    def decide(self, view, options):
        self.weights[7, :100].sum()
        return options[0]
"""


def bundle_of(weights_mib: int) -> Bundle:
    """Return a bot with weights of this size, which are random, as trained ones are."""
    rows = weights_mib * MIB // 4096
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 1024), }}".encode()
    header = header.ljust(117) + b"\n"
    start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    weights = start + Random(1).randbytes(rows * 4096)
    return Bundle({"bot.py": BUNDLE_BOT.encode(), "weights.npy": weights})


@dataclass(frozen=True, slots=True)
class Cost:
    """What it takes until all bots have decided once."""

    ms: float
    """By the clock."""
    cpu_ms: float
    """Of the referee and its boxes, which a busy machine changes less."""


def first_decision(make_code: Callable[[], Code], question: Question, number: int) -> Cost:
    """Measure from asking for boxes to the first decision of all of them."""
    with Pool(0) as pool:
        begun, cpu_begun = perf_counter(), process_time()
        codes = [make_code() for _ in range(SEATS)]
        with boxed_players(codes, f"bench {number}", pool=pool) as players:
            boxed = [player for player in players if isinstance(player, BoxedPlayer)]
            for player in boxed:
                player.ask(question, [])
            gather([player.box for player in boxed])
            for player in boxed:
                _, failure, _ = player.listen(0)
                assert failure is None, failure
            ms, own_ms = (perf_counter() - begun) * 1000, (process_time() - cpu_begun) * 1000
            boxes_ms = (p.box.start_cpu_ms + p.load_ms + p.cpu_ms[0] for p in boxed)
            return Cost(ms, own_ms + sum(boxes_ms))


def never(file: object) -> bytes:
    """Refuse to fetch: the cache is warm."""
    raise AssertionError(f"{file} is not in the cache")


def contestants(weights_mib: int) -> dict[str, Callable[[], Code]]:
    """Return what is measured; a bundle is looked up in the cache as a worker does it."""
    bundle = bundle_of(weights_mib)
    listing: Listing = bundle.listing
    kept = place(listing, BUNDLE_BOT, lambda file: bundle.files[file.path])
    assert kept.numpy
    return {
        "a single file": lambda: BOT,
        "a single file that imports numpy": lambda: NUMPY_BOT,
        f"a bundle that maps {weights_mib} MiB": lambda: place(listing, BUNDLE_BOT, never),
    }


def measure(turns: int = TURNS, weights_mib: int = WEIGHTS_MIB) -> dict[str, list[Cost]]:
    """Return the cost of everybody in every turn."""
    codes = contestants(weights_mib)
    [question] = questions(GAMES["edel-stein-reich"], SEATS, 1)
    for make_code in codes.values():
        # Templates start, and numpy is read from the disk.
        first_decision(make_code, question, -1)
    times: dict[str, list[Cost]] = {name: [] for name in codes}
    for number in range(turns):
        for name, make_code in codes.items():
            times[name].append(first_decision(make_code, question, number))
    return times


def report(times: dict[str, list[Cost]]) -> None:
    """Print what everybody takes, and the bundle as a multiple of each file."""
    *files, bundle = times
    print(f"from asking for {SEATS} boxes to the first decision of all bots (median of turns)")
    for name, costs in times.items():
        ms, cpu_ms = median(cost.ms for cost in costs), median(cost.cpu_ms for cost in costs)
        print(f"  {name:<40}{ms:>8.1f} ms {cpu_ms:>8.1f} ms of CPU")
    print(f"the bundle as a multiple, target at most {MAX_RATIO}")
    for name in files:
        pairs = list(zip(times[name], times[bundle], strict=True))
        ratio = median(mine.ms / its.ms for its, mine in pairs)
        cpu_ratio = median(mine.cpu_ms / its.cpu_ms for its, mine in pairs)
        print(f"  of {name:<37}{ratio:>8.2f} ×  {cpu_ratio:>8.2f} × of CPU")


if __name__ == "__main__":
    report(measure())
