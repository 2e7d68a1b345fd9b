"""How fair the seats of identical tables are: every house bot, at every table of its game.

`make bench BENCH=seats`; `python -m tests.bench.seats 400 edelsteinsuche` looks at fewer deals or
games. Prints the share of deals each seat wins, with a house bot and with players at random in all
seats, and fails if the house bot adds more to the game's own seat effect than chance explains.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from bots_sdk import house
from engine.registry import GAMES
from tests.bots_sdk.seat_shares import (
    Shares,
    allowed_difference,
    shares_at_random,
    shares_of_bot,
)

DEALS = 4000
SLOW = {
    *(("basari", name) for name in ("leila", "searcher")),
    *(("edel-stein-reich", name) for name in ("ottilie", "searcher")),
}
"""Bots that need ten to a hundred times as long get a tenth of the deals."""


class Table(NamedTuple):
    """One bot in every seat."""

    game: str
    name: str
    seats: int
    deals: int


class Shared(NamedTuple):
    """How often each seat wins, and how often it would at random."""

    table: Table
    won: Shares
    at_random: Shares


def tables(games: list[str], deals: int) -> list[Table]:
    """Return every table of these games, those that take longest first."""
    found = [
        Table(game, name, seats, deals // 10 if (game, name) in SLOW else deals)
        for game in games
        for seats in GAMES[game].seats
        for name in house.names(game)
        if name != "random"
    ]
    return sorted(found, key=lambda table: (table.deals, -table.seats))


def measure(table: Table) -> Shared:
    """Play all deals of a table."""
    game, name, seats, deals = table
    won = shares_of_bot(game, name, seats, deals)
    return Shared(table, won, shares_at_random(game, seats, deals))


def unfair(shared: Shared, comparisons: int) -> list[int]:
    """Return the seats whose share is further from that at random than allowed."""
    return [
        seat
        for seat, (won, usual) in enumerate(zip(shared.won, shared.at_random, strict=True))
        if abs(won - usual) > allowed_difference(won, usual, shared.table.deals, comparisons)
    ]


def main(deals: int = DEALS, *games: str) -> int:
    """Print a line for each table; return how many are unfair."""
    all_tables = tables(list(games or GAMES), deals)
    comparisons = sum(table.seats for table in all_tables)
    failed = 0
    with ProcessPoolExecutor() as pool:
        for shared in pool.map(measure, all_tables):
            game, name, seats, played = shared.table
            seats_at_fault = unfair(shared, comparisons)
            failed += bool(seats_at_fault)
            won, usual = (
                " ".join(f"{share:4.0%}" for share in one) for one in (shared.won, shared.at_random)
            )
            verdict = f"  UNFAIR: seats {seats_at_fault}" if seats_at_fault else ""
            print(
                f"{game:17} {name:9} {seats} seats {played:5,} deals"
                f"  won {won}  at random {usual}{verdict}",
                flush=True,
            )
    print(f"{len(all_tables) - failed} of {len(all_tables)} tables are fair to every seat")
    return failed


if __name__ == "__main__":
    count, *chosen = sys.argv[1:] or [str(DEALS)]
    sys.exit(bool(main(int(count), *chosen)))
