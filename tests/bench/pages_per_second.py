"""How many pages a running site serves: `python -m tests.bench.pages_per_second URL [--pid PID]`.

Asks for what spectators open, in a fixed order, and prints one JSON document. It knows the site by
its address alone, so it measures any version of it. With the process id of the web server it also
says how much processor time a page takes there, which is what counts on a busy machine.
"""

import argparse
import json
import os
import random
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

GAMES = ("edel-stein-reich", "basari", "edelsteinsuche")
MIX = {
    "home": 12,
    "leaderboard": 18,
    "bot": 16,
    "match": 24,
    "matches": 8,
    "bots": 4,
    "tournaments": 6,
    "docs": 6,
    "API": 6,
}
"""Out of a hundred requests. Several pages of a kind take turns."""
VARIETY = 24
"""How many bots and how many matches are looked at."""
SECONDS = 20.0
READERS = 4
SEED = 19
_LINK = re.compile(r'href="(/tournaments/(?!new/)[a-z0-9-]+/)"')


@dataclass(slots=True)
class Answers:
    """What was answered to a crowd of readers."""

    milliseconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    not_modified: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Return the number of answers."""
        return sum(map(len, self.milliseconds.values()))


class Reader:
    """Somebody with a connection of their own, who may remember what they saw."""

    def __init__(self, url: str, *, remembers: bool = False) -> None:
        address = urlsplit(url)
        self._connection = HTTPConnection(address.hostname or "", address.port, timeout=60)
        self._tags: dict[str, str] | None = {} if remembers else None

    def get(self, path: str) -> tuple[int, bytes]:
        """Ask for a page as a browser does."""
        headers = {"Accept-Encoding": "gzip"}
        if self._tags and path in self._tags:
            headers["If-None-Match"] = self._tags[path]
        self._connection.request("GET", path, headers=headers)
        answer = self._connection.getresponse()
        body = answer.read()
        tag = answer.headers.get("ETag")
        if self._tags is not None and tag:
            self._tags[path] = tag
        return answer.status, body

    def text(self, path: str) -> str:
        """Return a page that must be there, uncompressed."""
        self._connection.request("GET", path)
        answer = self._connection.getresponse()
        body = answer.read().decode()
        assert answer.status == 200, f"{path}: {answer.status}"
        return body


def pages_of(reader: Reader) -> dict[str, list[str]]:
    """Return the pages of a league by kind, as its API and its pages name them."""
    bots = [
        bot["bot"]
        for game in GAMES
        for bot in json.loads(reader.text(f"/g/{game}/leaderboard.json"))["bots"]
    ]
    matches = json.loads(reader.text(f"/api/v1/matches?limit={VARIETY}"))["items"]
    cups = sorted(set(_LINK.findall(reader.text("/tournaments/"))))
    leaderboards = [f"/g/{game}/leaderboard/" for game in GAMES]
    chosen = random.Random(SEED).sample(sorted(set(bots)), min(VARIETY, len(set(bots))))
    return {
        "home": ["/"],
        "leaderboard": [*leaderboards, *leaderboards, f"{leaderboards[0]}?page=2"],
        "bot": [f"/bots/{slug}/" for slug in chosen],
        "match": [f"/matches/{match['id']}/" for match in matches],
        "matches": ["/matches/"],
        "bots": ["/bots/"],
        "tournaments": ["/tournaments/", *cups[:3]],
        "docs": ["/docs/", "/docs/quickstart/", *(f"/g/{game}/" for game in GAMES)],
        "API": ["/api/v1/matches", *(f"/api/v1/leaderboards/{game}" for game in GAMES)],
    }


def visits(pages: dict[str, list[str]], seed: int) -> Iterator[tuple[str, str]]:
    """Yield kinds and addresses for ever, a hundred at a time in the shares of the mix."""
    chance = random.Random(seed)
    kinds = [kind for kind, share in MIX.items() for _ in range(share)]
    turns = dict.fromkeys(MIX, seed)
    while True:
        chance.shuffle(kinds)
        for kind in kinds:
            turns[kind] += 1
            yield kind, pages[kind][turns[kind] % len(pages[kind])]


def read(
    url: str, pages: dict[str, list[str]], seconds: float, readers: int, *, remember: bool
) -> Answers:
    """Let readers ask for one page after another, and return what they got."""
    answers = Answers()
    until = perf_counter() + seconds

    def visit(seed: int) -> None:
        reader = Reader(url, remembers=remember)
        for kind, path in visits(pages, seed):
            begun = perf_counter()
            if begun > until:
                return
            status, _ = reader.get(path)
            answers.milliseconds[kind].append((perf_counter() - begun) * 1000)
            if status == 304:
                answers.not_modified += 1
            elif status != 200:
                answers.errors.append(f"{path}: {status}")

    threads = [threading.Thread(target=visit, args=(seed,)) for seed in range(readers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def busy_seconds(pid: int) -> float:
    """Return the processor time that a process has used, with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_per_page(url: str, pages: dict[str, list[str]], pid: int) -> dict[str, float]:
    """Return the milliseconds of processor time that each kind of page takes, asked one by one."""
    reader = Reader(url)
    times = {}
    for kind, paths in pages.items():
        rounds = max(1, 60 // len(paths))
        begun = busy_seconds(pid)
        for _ in range(rounds):
            for path in paths:
                reader.get(path)
        times[kind] = round((busy_seconds(pid) - begun) * 1000 / rounds / len(paths), 2)
    return times


def measure(
    url: str, seconds: float, readers: int, pid: int | None, *, remember: bool = False
) -> dict[str, Any]:
    """Return pages per second and the times of each kind of page."""
    pages = pages_of(Reader(url))
    for paths in pages.values():
        for path in paths:
            Reader(url).get(path)
    worked, begun = busy_seconds(pid) if pid else 0.0, perf_counter()
    answers = read(url, pages, seconds, readers, remember=remember)
    took = perf_counter() - begun
    figures: dict[str, Any] = {
        "pages_per_second": round(answers.count / took, 1),
        "pages": answers.count,
        "not_modified": answers.not_modified,
        "errors": answers.errors[:5],
        "p95_ms": {
            kind: round(quantiles(times, n=100)[94], 1)
            for kind, times in answers.milliseconds.items()
            if len(times) > 1
        },
    }
    if pid:
        busy = busy_seconds(pid) - worked
        figures["cpu_ms_per_page"] = round(busy * 1000 / answers.count, 2)
        figures["pages_per_cpu_second"] = round(answers.count / busy, 1)
        figures["cpu_ms"] = cpu_per_page(url, pages, pid)
    return figures


def main() -> None:
    """Read the options and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("url")
    options.add_argument("--pid", type=int, help="the process id of the web server")
    options.add_argument("--seconds", type=float, default=SECONDS)
    options.add_argument("--readers", type=int, default=READERS)
    options.add_argument("--remember", action="store_true", help="ask again by ETag")
    chosen = options.parse_args()
    figures = measure(
        chosen.url, chosen.seconds, chosen.readers, chosen.pid, remember=chosen.remember
    )
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
