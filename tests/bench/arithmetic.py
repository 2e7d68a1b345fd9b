"""What rating one match costs: the library, the former and the current arithmetic in one run."""

from collections.abc import Callable, Sequence
from random import Random
from time import process_time

from bots_sdk.rating.arithmetic import v1, v2
from bots_sdk.rating.belief import Rating
from tests.bots_sdk.library_ratings import library_rate, random_match

Table = tuple[list[Rating], list[int]]
Rate = Callable[[Sequence[Rating], Sequence[int]], list[Rating]]

COMPARED = 10_000
WITHIN = 1e-6
TABLES = 50
RUNS = 3
PLACES = {
    "no tie": lambda seats: list(range(seats)),
    "a tie of two": lambda seats: [0, *range(seats - 1)],
    "a tie of three": lambda seats: [0, 0, *range(seats - 2)],
    "all tie": lambda seats: [0] * seats,
}
LARGER_TIES = ([1, 1, 1], [1, 1, 2, 2], [1, 2, 2, 2], [1, 1, 1, 1], [1, 2, 2, 2, 3])


def compare_with_the_library(count: int = COMPARED) -> float:
    """Return the largest difference from the library, over matches without and with ties of two."""
    rng = Random("compared with the library")
    matches = [random_match(rng, tied=number % 2 == 1) for number in range(count)]
    worst = max(_distance(v2.rate(*match), library_rate(*match)) for match in matches)
    verdict = "equal" if worst < WITHIN else "DIFFERENT"
    print(f"{count:,} random matches, half with a tie of two: {verdict}, at most {worst:.1e} apart")
    return worst


def compare_larger_ties() -> None:
    """Print how far larger ties are from what the former arithmetic made of them."""
    rng = Random("larger ties")
    worst = 0.0
    for places in LARGER_TIES:
        for ratings, _ in _tables(rng, len(places), places):
            worst = max(worst, _distance(v2.rate(ratings, places), v1.rate(ratings, places)))
    print(f"larger ties: at most {worst:.1e} from the former mean over orders")


def measure() -> None:
    """Print the time of a match by seats and ties."""
    rng = Random("time of a match")
    print(
        "seats, ties            trueskill     former    current   (microseconds of CPU per match)"
    )
    for seats in (2, 3, 4, 5):
        for name, places_of in PLACES.items():
            places = places_of(seats)
            if len(places) != seats or (seats == 2 and name in ("a tie of three", "all tie")):
                continue
            tables = _tables(rng, seats, places)
            few = tables[: 2 if name == "all tie" else 10]
            library, former = _microseconds(_library_once, few), _microseconds(v1.rate, few)
            current = _microseconds(v2.rate, tables)
            print(f"{seats}, {name:16} {library:12.0f} {former:10.0f} {current:10.1f}")


def library_seconds(count: int) -> float:
    """Return how long the library alone takes for so many matches, by a sample of them."""
    rng = Random("the library alone")
    sample = [random_match(rng, tied=number % 10 == 0) for number in range(500)]
    return _microseconds(_library_once, sample) * count / 1e6


def _library_once(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Call the library once, as if the order within a tie did not matter."""
    groups = [(v1._library_rating(one),) for one in ratings]
    return [Rating(one.mu, one.sigma) for (one,) in v1._TRUESKILL.rate(groups, places)]


def _tables(rng: Random, seats: int, places: list[int]) -> list[Table]:
    return [
        (
            [Rating(rng.gauss(25, 5), rng.uniform(0.8, 8.0)) for _ in range(seats)],
            rng.sample(places, seats),
        )
        for _ in range(TABLES)
    ]


def _microseconds(rate: Rate, tables: list[Table]) -> float:
    best = float("inf")
    for _ in range(RUNS):
        begun = process_time()
        for table in tables:
            rate(*table)
        best = min(best, process_time() - begun)
    return best / len(tables) * 1e6


def _distance(one: list[Rating], other: list[Rating]) -> float:
    pairs = zip(one, other, strict=True)
    return max(max(abs(a.mu - b.mu), abs(a.sigma - b.sigma)) for a, b in pairs)
