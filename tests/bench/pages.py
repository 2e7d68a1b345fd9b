"""How long pages take on the server, and how many queries, on the league of the environment.

`KARAT_VAR` or `DATABASE_URL` say which league; `manage.py seed_demo` makes a large one. Run as
`python -m tests.bench.pages`.
"""

import gzip
import os
from statistics import quantiles
from time import perf_counter, process_time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django.setup()

# Models can be named only after Django was set up.
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from engine.games import GAMES  # noqa: E402
from league.ladder.models import Entry  # noqa: E402
from league.matches.models import Match, Meeting  # noqa: E402

TIMES = 40
LIMIT_MS = 150


def key_pages():
    """The addresses to ask for: strong and well-known bots have the most behind their pages."""
    game = "edel-stein-reich"
    busiest = Entry.objects.filter(ladder=game).select_related("bot").order_by("-matches").first()
    assert busiest is not None, "this league is empty; fill it with manage.py seed_demo"
    bot = busiest.bot
    met = Meeting.objects.filter(one=bot).select_related("other").order_by("-met").first()
    pages = {
        "home": "/",
        "leaderboard": f"/g/{game}/leaderboard/",
        "leaderboard, 4 seats": f"/g/{game}/leaderboard/?seats=4",
        "feed of matches": "/matches/",
        "feed, most dramatic": "/matches/?sort=drama",
        "feed, with a fault": "/matches/?fault=E302",
        "feed, a kind that is rare": "/matches/?kind=challenge",
        "bot": f"{bot.get_absolute_url()}?game={game}&period=all",
        "bot, matches": f"{bot.get_absolute_url()}matches/",
        "bot, opponents": f"{bot.get_absolute_url()}opponents/?game={game}",
        "bot, faults": f"{bot.get_absolute_url()}faults/",
        "status": "/status/",
    }
    if met:
        pages["pair"] = f"{bot.get_absolute_url()}vs/{met.other.slug}/"
    asked = {name: [path] * TIMES for name, path in pages.items()}
    for played in GAMES:
        latest = Match.objects.finished().filter(game=played, record__isnull=False)[: TIMES + 1]
        # Each only once, as what is shown of a match is remembered; the first is not timed.
        asked[f"match, {played}"] = [match.get_absolute_url() for match in latest]
        asked["match, again"] = [latest[0].get_absolute_url()] * TIMES
    return asked


def measure(paths):
    """Ask for each: times by the clock and by the processor in ms, queries, size."""
    client = Client()
    with CaptureQueriesContext(connection) as log:
        answer = client.get(paths[0])
    queries = len(log)
    assert answer.status_code == 200, f"{paths[0]}: {answer.status_code}"
    clock, busy = [], []
    for path in paths:
        begun, worked = perf_counter(), process_time()
        client.get(path)
        clock.append((perf_counter() - begun) * 1000)
        busy.append((process_time() - worked) * 1000)
    return clock, busy, queries, len(gzip.compress(answer.content))


def at(times, share):
    """The time within which this share of them lies."""
    return quantiles(times, n=100)[int(share * 100) - 1]


def report():
    """A line for each page."""
    count = Match.objects.count()
    print(f"pages of a league with {count:,} matches, {TIMES} times each, in ms")
    print(f"  {'':<28}{'p50':>8}{'p95':>8}{'CPU p95':>9}{'queries':>9}{'gzip KB':>9}")
    for name, paths in key_pages().items():
        clock, busy, queries, size = measure(paths)
        p95 = at(clock, 0.95)
        late = f"  above {LIMIT_MS}" if p95 > LIMIT_MS else ""
        print(
            f"  {name:<28}{at(clock, 0.5):>8.1f}{p95:>8.1f}{at(busy, 0.95):>9.1f}"
            f"{queries:>9}{size / 1024:>9.1f}{late}"
        )


def main():
    """Measure, without what a server adds before a page is asked for."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    settings.SECURE_SSL_REDIRECT = False
    # The names with hashes that are collected for a server cost and change nothing here.
    static = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": static}
    report()


if __name__ == "__main__":
    main()
