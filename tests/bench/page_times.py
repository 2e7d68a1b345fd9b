"""How long pages take on the server, and how many queries, in the league of the environment.

Run by `tests.bench.pages` in a process of its own for each league; prints one JSON document.
"""

import gzip
import json
import os
import sys
from collections.abc import Sequence
from time import perf_counter, process_time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django.setup()

# Models can be named only after Django was set up.
from django.conf import settings  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from engine.registry import GAMES  # noqa: E402
from league.ladder.models import Entry  # noqa: E402
from league.matches.models import Match, Meeting  # noqa: E402
from league.web import start_up  # noqa: E402


def key_pages(times: int) -> dict[str, list[str]]:
    """The addresses to ask for: strong and well-known bots have the most behind their pages."""
    game = "edel-stein-reich"
    busiest = Entry.objects.filter(ladder=game).select_related("bot").order_by("-matches").first()
    assert busiest is not None, "this league is empty"
    bot = busiest.bot
    met = Meeting.objects.filter(one=bot).select_related("other").order_by("-met").first()
    pages = {
        "home": "/",
        "leaderboard": f"/g/{game}/leaderboard/",
        "leaderboard, 4 seats": f"/g/{game}/leaderboard/?seats=4",
        "feed of matches": "/matches/",
        "feed, most dramatic": "/matches/?sort=excitement",
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
    asked = {name: [path] * times for name, path in pages.items()}
    for played in GAMES:
        latest = Match.objects.finished().filter(game=played, record__isnull=False)[: times + 1]
        # Each only once, as what is shown of a match is remembered; the first is not timed.
        asked[f"match, {played}"] = [match.get_absolute_url() for match in latest]
        asked["match, again"] = [latest[0].get_absolute_url()] * times
    return asked


def measure(paths: Sequence[str]) -> dict[str, Any]:
    """Ask for each: times by the clock and by the processor in ms, queries, size."""
    client = Client()
    # What is remembered for some seconds is counted, too.
    cache.clear()
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
    return {
        "clock": clock,
        "busy": busy,
        "queries": queries,
        "size": len(gzip.compress(answer.content)),
    }


def main(times: int) -> None:
    """Measure in a process prepared as a server's, without what that adds to every request."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    settings.SECURE_SSL_REDIRECT = False
    # The names with hashes that are collected for a server cost and change nothing here.
    static = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": static}
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "static_files" not in name]
    start_up.prepare()
    print(json.dumps({name: measure(paths) for name, paths in key_pages(times).items()}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
