"""Readers and uploaders at once, while workers play: what the site answers, and how fast.

`python -m tests.bench.load` starts a league of real processes for each stack. Everybody shares this
machine: site, workers, database and the readers themselves. With `--pause 3 --readers 60` they are
a class behind one address that reads at leisure, and the limits of the site are as they come.
"""

import argparse
import random
import statistics
import threading
import time
from collections import defaultdict
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException

from bots_sdk.client.api import Client, NoLeague, Refused
from tests.chaos.players import HONEST
from tests.league.home import STACKS, free_port, new_league

PAGES = {
    "home": "/",
    "leaderboard": "/g/basari/leaderboard/",
    "bot": "/bots/player-0/",
    "matches": "/matches/",
    "status": "/status/",
    "API: leaderboard": "/api/v1/leaderboards/basari",
    "API: matches": "/api/v1/matches",
}
SEED = f"""
ladder.ensure()
for n in range(8):
    bot = factories.make_bot(name=f"Player {{n}}")
    factories.make_version(bot, {HONEST!r} + f"# {{n}}\\n", games=["basari"])
ladder.enrol()
from league.accounts.services import create_token
tell(create_token(factories.make_user("visitor"), "load", ["read", "upload"])[1])
"""


class Crowd:
    """People at the site, each with a connection of their own."""

    def __init__(self, port, key, readers, pause):
        self.port, self.key, self.pause = port, key, pause
        self.took = defaultdict(list)
        self.errors = []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._read, args=(n,)) for n in range(readers)]
        self.threads.append(threading.Thread(target=self._upload))

    def stay(self, seconds):
        """Ask so many seconds, as fast as answers come unless there is a pause."""
        for thread in self.threads:
            thread.start()
        self.over.wait(seconds)
        self.over.set()
        for thread in self.threads:
            thread.join()

    def _read(self, number):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        names = list(PAGES)
        while not self.over.is_set():
            number += 1
            name = names[number % len(names)]
            begun = time.perf_counter()
            try:
                connection.request("GET", PAGES[name])
                answer = connection.getresponse()
                answer.read()
                status = answer.status
            except (OSError, HTTPException) as error:
                connection.close()
                status = repr(error)
            self.took[name].append(time.perf_counter() - begun)
            if status != 200:
                self.errors.append(f"{name}: {status}")
            self.over.wait(self.pause * random.uniform(0.5, 1.5))

    def _upload(self):
        client = Client(f"http://127.0.0.1:{self.port}", self.key)
        number = 0
        while not self.over.wait(1):
            number += 1
            begun = time.perf_counter()
            try:
                bot = client.create_bot(f"Upload {number}")
                client.upload(bot, f"{HONEST}# {number}\n", note="")
            except (NoLeague, Refused) as error:
                self.errors.append(f"upload: {error}")
            self.took["new bot and upload"].append(time.perf_counter() - begun)


def at(times, share):
    """The time in ms within which this share of them lies."""
    return statistics.quantiles(times, n=100, method="inclusive")[round(share * 100) - 1] * 1000


def measure(server, seconds, readers, pause):
    """One stack."""
    with ExitStack() as stack:
        home = stack.enter_context(new_league(server=server))
        if not pause:
            home.env |= {"API_REQUESTS_OF_GUEST": "1000000", "API_REQUESTS_OF_KEY": "1000000"}
        key = home.python(SEED)
        port = free_port()
        home.start_web(port)
        home.start("worker", "--processes", "1")
        home.start("control")
        home.wait("tell(Match.objects.filter(status='finished').count() > 20)")
        crowd = Crowd(port, key, readers, pause)
        before = home.python("tell(Match.objects.filter(status='finished').count())")
        begun = time.perf_counter()
        crowd.stay(seconds)
        took = time.perf_counter() - begun
        played = home.python("tell(Match.objects.filter(status='finished').count())") - before
        return crowd, took, played


def main():
    """A table for each stack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between two pages")
    given = parser.parse_args()
    for name, server in STACKS.items():
        crowd, took, played = measure(server, given.seconds, given.readers, given.pause)
        every = [one for times in crowd.took.values() for one in times]
        print(
            f"{name}: {given.readers} readers and an uploader for {took:.0f} s, "
            f"{len(every) / took:.0f} requests a second, {len(crowd.errors)} errors, "
            f"{played} matches meanwhile"
        )
        print(f"  {'':<22}{'times':>7}{'p50 ms':>9}{'p95':>7}{'p99':>7}")
        for page, times in [*crowd.took.items(), ("everything", every)]:
            shares = "".join(f"{at(times, share):>7.0f}" for share in (0.5, 0.95, 0.99))
            print(f"  {page:<22}{len(times):>7}  {shares}")
        for error in sorted(set(crowd.errors))[:5]:
            print(f"  ERROR {error}")


if __name__ == "__main__":
    main()
