"""How well the ladder spends its matches: `python -m tests.bench.ladder`.

Simulated ladders with known strengths compare its rule with chance and with its former rule, over
20 seeds; then several ladders share simulated workers. Nothing is played and no database is used.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from math import sqrt
from multiprocessing import Pool
from random import Random
from statistics import mean, median, stdev
from time import perf_counter, process_time

from league.ladder.matchmaking.pairing import Candidate, Matchmaker
from league.ladder.matchmaking.settled import MIN_MATCHES, Progress, unsettled
from league.ladder.matchmaking.shares import Need, free_places, is_ahead
from tests.bench.ladder_rules import RULES
from tests.bench.ladder_simulation import (
    SIZES,
    Kind,
    LadderSimulation,
    Player,
    make_player,
    renew,
    resolve_options,
)

SEEDS = 20
T_95 = {10: 2.262, SEEDS: 2.093}
"""Of Student's distribution: how wide the interval is for so many seeds."""
MATCHES_FOR_ALL = 8
MATCHES_FOR_ARRIVALS = 16
"""Errors are compared when the ladder played so many matches for each bot, or for each arrival."""
PATIENCE = 45
"""And the search for their places is given up after so many for each."""
MAX_ARRIVALS = 20


@dataclass(frozen=True, slots=True)
class Scenario:
    """A league and who arrives in it."""

    name: str
    kinds: Mapping[Kind, float]
    """The shares of unusual bots among those that are there."""
    newcomers: float = 0.0
    new_versions: float = 0.0
    arrivals: tuple[Kind, ...] = (Kind.USUAL,)
    """What newcomers are, in turn."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came out for one seed."""

    error: float
    """Of the arrivals' ranks, or of all ranks if everybody arrived together; in per cent."""
    placed: int
    """Matches until every arrival's true rank was within its interval."""
    busiest: float
    """The share of matches in which the busiest bot sat, while two arrivals needed matches."""
    unfair: float
    """How often the busiest arrival played, compared with the median arrival."""


TOGETHER = Scenario("all at once", {Kind.TWIN: 0.2})
ALL_KINDS = Scenario(
    "all kinds at once",
    {Kind.LAST: 0.1, Kind.FIRST: 0.1, Kind.FAULTY: 0.1, Kind.TWIN: 0.2},
)
ARRIVALS = (
    Scenario("new versions", {}, new_versions=0.3),
    Scenario("new versions, always last", {Kind.LAST: 0.1}, new_versions=0.3),
    Scenario("new versions, always first", {Kind.FIRST: 0.1}, new_versions=0.3),
    Scenario("new versions, faulty", {Kind.FAULTY: 0.1}, new_versions=0.3),
    Scenario("newcomers", {Kind.LAST: 0.1}, newcomers=0.3),
    Scenario(
        "newcomers of all kinds",
        {Kind.LAST: 0.1},
        newcomers=0.4,
        arrivals=(Kind.TWIN, Kind.LAST, Kind.TWIN, Kind.FIRST, Kind.FAULTY, Kind.USUAL),
    ),
)


def populate(scenario: Scenario, bots: int, seed: str) -> list[Player]:
    """Return the bots of a league; the same for every rule."""
    rng = Random(f"{scenario.name} {seed}")
    arriving = min(MAX_ARRIVALS, round(bots * scenario.newcomers))
    renewed = min(MAX_ARRIVALS, round(bots * scenario.new_versions))
    kinds = [kind for kind, share in scenario.kinds.items() for _ in range(round(bots * share))]
    kinds += [Kind.USUAL] * (bots - arriving - len(kinds))
    players = [make_player(bot, kind, rng) for bot, kind in enumerate(kinds)]
    if scenario.newcomers or scenario.new_versions:
        resolve_options(players, rng)
    for player in players[len(players) - renewed :]:
        renew(player, rng)
    for n in range(arriving):
        kind = scenario.arrivals[n % len(scenario.arrivals)]
        players.append(make_player(len(players), kind, rng))
        players[-1].arrived = True
    return players


def simulate(scenario: Scenario, bots: int, rule: str, seed: int) -> Result:
    """Play one league until the places of all arrivals are known, or patience ends."""
    players = populate(scenario, bots, str(seed))
    before = {one.bot: one.matches for one in players}
    ladder = LadderSimulation(players, RULES[rule], f"{seed} {rule}")
    arrivals = [one for one in players if one.arrived]
    ladder.play(MATCHES_FOR_ARRIVALS * len(arrivals) or MATCHES_FOR_ALL * bots)
    error = 100 * ladder.rank_error(of_arrivals=bool(arrivals))
    placed = ladder.play_until_placed(PATIENCE * len(arrivals)) if arrivals else 0
    contested = _contested(ladder.tables, {one.bot for one in arrivals})
    counts = Counter(bot for table in contested for bot in table)
    cohort = [one.matches - before[one.bot] for one in arrivals or players]
    return Result(
        error,
        placed,
        max(counts.values()) / len(contested),
        max(cohort) / max(1, median(cohort)),
    )


def _contested(tables: list[list[int]], arrivals: set[int]) -> list[list[int]]:
    """Return the tables that were made while at least two arrivals had too few matches; all, if
    everybody arrived together.
    """
    counts: Counter[int] = Counter()
    for at, table in enumerate(tables):
        counts.update(arrivals.intersection(table))
        if arrivals and sum(counts[bot] < MIN_MATCHES for bot in arrivals) < 2:
            return tables[: at + 1]
    return tables


def compare(scenario: Scenario, bots: int) -> dict[str, list[Result]]:
    """Return the results of all rules, seed by seed, computed by two processes."""
    with Pool(2) as pool:
        return {
            rule: pool.map(partial(simulate, scenario, bots, rule), range(SEEDS), 1)
            for rule in RULES
        }


def interval(differences: list[float]) -> tuple[float, float]:
    """Return the 95 % interval of their mean."""
    middle = mean(differences)
    reach = T_95[len(differences)] * stdev(differences) / sqrt(len(differences))
    return middle - reach, middle + reach


def differences(results: Mapping[str, list[Result]], peer: str, measure: str) -> list[float]:
    """Return how much larger a measure is than by another rule, seed by seed."""
    pairs = zip(results["ours"], results[peer], strict=True)
    return [getattr(ours, measure) - getattr(theirs, measure) for ours, theirs in pairs]


def rows(scenario: Scenario, bots: int, results: Mapping[str, list[Result]]) -> Iterator[str]:
    """Yield the lines of the table for one scenario."""
    for rule, ones in results.items():
        cells = [
            scenario.name if rule == "ours" else "",
            f"{bots:,}" if rule == "ours" else "",
            rule,
            f"{mean(one.error for one in ones):.1f} %",
            "" if rule == "ours" else _shown(interval(differences(results, rule, "error"))),
        ]
        if placed := mean(one.placed for one in ones):
            gained = interval(differences(results, rule, "placed"))
            cells += [f"{placed:.0f}", "" if rule == "ours" else _shown(gained, 0)]
        else:
            cells += ["", ""]
        cells += [
            f"{100 * max(one.busiest for one in ones):.0f} %",
            f"{max(one.unfair for one in ones):.1f}",
        ]
        yield "| " + " | ".join(cells) + " |"


def _shown(bounds: tuple[float, float], digits: int = 1) -> str:
    return " to ".join(f"{bound:+.{digits}f}" for bound in bounds).replace("-", "−")


HEAD = """\
| league | bots | rule | error of ranks | ours less theirs | matches until placed | \
ours less theirs | busiest bot | to median |
|---|---|---|---|---|---|---|---|---|"""


def share_workers(
    durations: Mapping[str, float], needs: Mapping[str, Need], seconds: int, order: str
) -> Counter[str]:
    """Return how many matches of each ladder two workers finished; one tick a second.

    `order` is how they take matches: as made, at random, or of the ladder that used least time.
    """
    rng = Random("workers")
    queue: list[str] = []
    ends: list[tuple[float, str]] = []
    used: Counter[str] = Counter()
    idle_at = [0.0, 0.0]
    for now in range(seconds):
        finished = Counter(game for end, game in ends if now - 30 < end <= now)
        for game, need in needs.items():
            others = [o for o in needs if o != game and needs[o] is Need.USERS]
            ahead = need is Need.USERS and is_ahead(
                finished[game], [finished[other] for other in others], 8
            )
            steps_back = ahead or (need is Need.HOUSE and bool(others))
            waiting = queue.count(game)
            queue += [game] * free_places(need, waiting, 8, steps_back=steps_back)
        while queue and min(idle_at) < now + 1:
            picks = {
                "as made": 0,
                "at random": rng.randrange(len(queue)),
                "by time": min(range(len(queue)), key=lambda n: used[queue[n]]),
            }
            game = queue.pop(picks[order])
            end = max(now, heappop(idle_at)) + durations[game]
            used[game] += int(1000 * durations[game])
            heappush(idle_at, end)
            ends.append((end, game))
    return Counter(game for end, game in ends if end <= seconds)


def report_shares() -> None:
    """Print how ladders whose matches take differently long share two workers."""
    durations = {"short": 0.05, "medium": 0.2, "long": 2.0, "house bots only": 0.1}
    needs = dict.fromkeys(("short", "medium", "long"), Need.USERS)
    needs["house bots only"] = Need.HOUSE
    print("\nshares of ladders that share two workers for 20 minutes, by how matches are taken")
    for order in ("as made", "at random", "by time"):
        finished = share_workers(durations, needs, 1200, order)
        shares = [f"{game} {100 * finished[game] / finished.total():.0f} %" for game in needs]
        print(f"  {order}: {', '.join(shares)}")


def report_hopeless_bot() -> None:
    """Print what three ladders do for 33 minutes if one of them has a bot that always loses: the
    situation in which the former rule spent 94 of 100 matches on that bot.
    """
    for rule, needs_matches in (("former", _unsure), ("ours", _unsettled)):
        ladders = []
        for number in range(3):
            kinds = [Kind.LAST if number == 2 else Kind.USUAL] + [Kind.USUAL] * 11
            rng = Random(f"hopeless {number}")
            players = [make_player(bot, kind, rng) for bot, kind in enumerate(kinds)]
            ladders.append(LadderSimulation(players, RULES[rule], f"{rule} {number}"))
        for second in range(33 * 60):
            busy = [one for one in ladders if needs_matches(one)]
            # Five matches a second, shared by the ladders with need; else a trickle.
            for n in range(5 if busy else second % 60 == 0):
                (busy or ladders)[(second + n) % len(busy or ladders)].play(1)
        counts = [len(one.tables) for one in ladders]
        hopeless = ladders[2].players[0].matches
        print(
            f"{rule}: {' + '.join(map(str, counts))} matches in 33 minutes; the bot that always "
            f"loses sat in {hopeless}, {100 * hopeless / sum(counts):.0f} %; the median bot of its "
            f"ladder in {median(one.matches for one in ladders[2].players.values()):.0f}"
        )


def _unsettled(ladder: LadderSimulation) -> bool:
    progress = [Progress(o.bot, o.rating, o.matches) for o in ladder.players.values()]
    return bool(unsettled(progress, sum(SIZES) / len(SIZES)))


def _unsure(ladder: LadderSimulation) -> bool:
    """Return whether the former rule went on."""
    return any(o.rating.sigma > 1.2 or o.matches < MIN_MATCHES for o in ladder.players.values())


def report_cost() -> None:
    """Print what making matches costs."""
    for bots in (1000, 2000):
        players = populate(ARRIVALS[4], bots, "cost")
        candidates = [
            Candidate(one.bot, one.bot, one.rating, one.matches, waited_seconds=one.bot)
            for one in players
        ]
        begun = process_time()
        matchmaker = Matchmaker(candidates, dict.fromkeys(SIZES, 0), [], Random("cost"))
        ready = process_time()
        for _ in range(32):
            matchmaker.make_table()
        took = (process_time() - ready) / 32
        print(
            f"{bots:,} bots, {len(matchmaker.needy)} with need: {1000 * (ready - begun):.0f} ms to "
            f"look at all, then {1000 * took:.1f} ms a match"
        )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, nargs="*", default=[10, 100, 1000])
    options = parser.parse_args()
    begun = perf_counter()
    print(HEAD)
    for bots in options.bots:
        for scenario in (TOGETHER, ALL_KINDS, *ARRIVALS):
            if bots < 1000 or scenario in (ARRIVALS[1], *ARRIVALS[4:]):
                print(*rows(scenario, bots, compare(scenario, bots)), sep="\n", flush=True)
    report_shares()
    report_hopeless_bot()
    report_cost()
    print(f"{SEEDS} seeds each, {perf_counter() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
