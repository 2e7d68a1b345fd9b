"""How long pages of a large league take, on both databases: `python -m tests.bench.pages`.

A league is made up on SQLite, measured, copied to a PostgreSQL of its own, measured there, and
thrown away. A small one beside it shows that the number of queries does not grow.
"""

import argparse
import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from tests import servers
from tests.bench.copying import copy
from tests.league.home import FILE, ROOT, Home

MATCHES = 20_000
BOTS = 500
SMALL = ("--matches", "400", "--bots", "20", "--played", "30")
PLAYED = 300
"""So many of the latest have a record to be shown."""
TIMES = 40
LIMIT_MS = 150

Measured = dict[str, dict[str, Any]]


class League:
    """A made-up league in a folder, or in PostgreSQL with files in a folder."""

    def __init__(self, stack: ExitStack, folder: Path | None = None, database: str = "") -> None:
        if folder is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="karat-bench-")))
        folder.mkdir(parents=True, exist_ok=True)
        self.home = Home(folder, {})
        self.file = folder / FILE
        stack.callback(self.home.end)
        if database:
            self.home.env |= {"DATABASE_URL": database, "HTTPS": "0", "LOG_LEVEL": "WARNING"}

    def fill(self, *options: str) -> float:
        """Make up bots and matches. How many seconds that took."""
        begun = perf_counter()
        self.home.create()
        self.home.manage("seed_demo", *options)
        return perf_counter() - begun

    def measure(self, times: int) -> Measured:
        """Ask for every page so often, in a process of its own."""
        asking = [sys.executable, "-m", "tests.bench.page_times", str(times)]
        answer = subprocess.run(
            asking, env=self.home.env, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
        )
        found: Measured = json.loads(answer.stdout)
        return found


def made_up(stack: ExitStack, matches: int, kept: Path | None = None) -> League:
    """A large league on SQLite, or the one that was kept."""
    league = League(stack, kept)
    if not league.file.exists():
        played = str(min(PLAYED, matches))
        options = ("--matches", str(matches), "--bots", str(BOTS), "--played", played)
        print(f"made up {matches:,} matches of {BOTS} bots in {league.fill(*options):.0f} s")
    return league


def report(matches: int, kept: Path | None = None) -> None:
    """Print a table for each database."""
    with ExitStack() as stack:
        small = League(stack)
        small.fill(*SMALL)
        few = small.measure(1)
        large = made_up(stack, matches, kept)
        show("SQLite", large.measure(TIMES), few)
        postgres = stack.enter_context(servers.running(servers.Postgres))
        other = League(stack, database=postgres.address)
        begun = perf_counter()
        other.home.manage("migrate", "-v0")
        count = copy(large.file, postgres.address)
        print(f"copied {count:,} rows to PostgreSQL in {perf_counter() - begun:.0f} s")
        show("PostgreSQL", other.measure(TIMES), few)


def show(database: str, measured: Measured, few: Measured) -> None:
    """A line for each page, with a word where one is slow or asks more than with few matches."""
    print(f"pages on {database}, {TIMES} times each, in ms")
    print(f"  {'':<28}{'p50':>8}{'p95':>8}{'CPU p95':>9}{'queries':>9}{'gzip KB':>9}")
    for name, one in measured.items():
        p95, asked = _within(one["clock"], 95), few.get(name, one)["queries"]
        late = f"  above {LIMIT_MS}" if p95 > LIMIT_MS else ""
        more = f"  {asked} queries with few matches" if one["queries"] > asked else ""
        print(
            f"  {name:<28}{_within(one['clock'], 50):>8.1f}{p95:>8.1f}"
            f"{_within(one['busy'], 95):>9.1f}{one['queries']:>9}{one['size'] / 1024:>9.1f}"
            f"{late}{more}"
        )


def _within(times: list[float], percent: int) -> float:
    """The time within which so many of a hundred lie."""
    return quantiles(times, n=100)[percent - 1]


def main() -> None:
    """Read the options."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--matches", type=int, default=MATCHES)
    asked.add_argument("--kept", type=Path, help="a folder whose league is used, or made and kept")
    options = asked.parse_args()
    report(options.matches, options.kept)


if __name__ == "__main__":
    main()
