"""A game from outside in a whole league: upload, ladder, pages, replay, tournaments, exports."""

import io
import json
import os
import time
import urllib.request
import zipfile

import pytest

from tests.browser.conftest import chromium, window
from tests.league.home import ROOT, Home, free_port

__all__ = ["chromium", "window"]

BOT = """from tidepool_kit import TidepoolBot


class Diver(TidepoolBot):
    def bid(self, view, hand):
        return hand[-1] if view.shell > 3 else hand[0]
"""
FORMATS = {
    "round-robin": {"seats": 3, "rounds": 1},
    "swiss": {"seats": 4, "rounds": 2},
    "knockout": {"seats": 6, "advance": 2, "deals": 1},
    "series": {"seats": 7, "deals": 2},
}
TOURNAMENTS = """
from datetime import timedelta
from django.utils import timezone
from league.tournaments.services import entries, lifecycle
soon = timezone.now() + timedelta(seconds=1)
for form, config in FORMATS.items():
    cup = lifecycle.create(
        None, f"{form} of the tide", "tidepool", {"format": form, **config},
        locks_at=soon, starts_at=soon,
    )
    lifecycle.publish(cup, None)
    playing = Bot.objects.filter(active__plays__game="tidepool").distinct()
    for n, bot in enumerate(playing):
        entries.enter(cup, bot, bot.owner)
"""
EXTRA_BOTS = """
for n in range(6):
    bot = factories.make_bot(name=f"Crab {n}")
    factories.make_version(bot, SOURCE + f"# {n}\\n", games=["tidepool"])
ladder.ensure()
ladder.enrol()
"""
OPEN = (
    "from league.tournaments.models import *\n"
    "own = Tournament.objects.filter(name__endswith='of the tide')\n"
    "tell(not own.exclude(state='final').exists())"
)


@pytest.fixture(scope="module")
def league(environment, tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("league"))
    home.env["PYTHONPATH"] = os.pathsep.join([environment["PYTHONPATH"], str(ROOT)])
    try:
        home.create()
        home.manage("collectstatic", "--noinput", "-v0")
        key = home.python(
            "from league.accounts.services import create_token\n"
            "user = factories.make_user('mira')\n"
            "tell(create_token(user, 'story', ['read', 'upload'])[1])"
        )
        home.python(f"SOURCE = {BOT!r}\n" + EXTRA_BOTS)
        home.site = f"http://127.0.0.1:{(port := free_port())}"
        home.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        home.start("run", "--port", str(port), "--workers", "1")
        home.wait_for(f"{home.site}/healthz")
        yield home
    finally:
        home.end()


def ask(league, path, data=None):
    body = json.dumps(data).encode() if data is not None else None
    request = urllib.request.Request(f"{league.site}/api/v1/{path}", body, league.headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read())


def until(league, path, good, seconds=150):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = ask(league, path)
        if good(answer):
            return answer
        time.sleep(0.5)
    raise AssertionError(f"{path}: {answer}\n{league.errors()}")


def read(league, path):
    with urllib.request.urlopen(f"{league.site}{path}", timeout=20) as answer:
        return answer.read().decode()


def test_the_house_bots_of_the_game_are_listed_with_their_source(league):
    page = read(league, "/docs/house-bots/")
    assert 'href="/docs/house-bots/tidepool/greedy/"' in page
    source = read(league, "/docs/house-bots/tidepool/greedy/")
    assert '<span class="kn">from</span>' in source
    assert "TidepoolBot" in source


@pytest.fixture(scope="module")
def match(league):
    """A rated match of an uploaded bot."""
    ask(league, "bots", {"name": "Diver"})
    ask(league, "bots/diver/versions", {"source": BOT})
    checked = until(
        league, "bots/diver/versions/1", lambda v: v["status"] not in {"waiting", "checking"}
    )
    assert checked["status"] == "accepted", checked
    assert checked["games"] == ["tidepool"]
    until(
        league,
        "leaderboards/tidepool?show=provisional",
        lambda page: any(row["matches"] for row in page["items"] if row["bot"] == "diver"),
    )
    return ask(league, "matches?bot=diver&status=finished")["items"][0]["id"]


def test_an_upload_gets_a_ladder_a_rated_match_and_pages(league, match):
    record = ask(league, f"matches/{match}/record")
    assert record["game"] == "tidepool"
    assert "pearls" in read(league, f"/matches/{match}/")
    for path in (
        *("/", "/bots/diver/", "/bots/diver/matches/", "/bots/diver/opponents/", "/bots/"),
        *("/g/tidepool/", "/g/tidepool/leaderboard/", "/g/tidepool/leaderboard.csv"),
        *("/g/tidepool/cards/", "/g/tidepool/cards.json", "/g/tidepool/feed.atom"),
        *(
            "/docs/rules/tidepool/",
            f"/matches/{match}.json",
            f"/matches/{match}/embed/",
            "/status/",
        ),
        *("/tournaments/", "/sitemap.xml", "/search/?q=tidepool"),
    ):
        assert read(league, path), path
    assert "Mean bid" in read(league, "/bots/diver/")
    assert "The highest card takes the shell" in " ".join(
        read(league, "/docs/rules/tidepool/").split()
    )


def test_the_replay_plays_in_a_browser(league, match, window):
    window.goto(f"{league.site}/matches/{match}/")
    window.locator(".kv-ready").wait_for()
    seats = len(ask(league, f"matches/{match}/record")["seats"])
    assert window.locator(".kv-panel").count() == seats
    window.locator(".kv-table").focus()
    window.keyboard.press("End")
    assert "Final ranking" in window.locator(".kv-ranking").inner_text()
    window.keyboard.press("Home")
    for _ in range(6):
        window.keyboard.press("ArrowRight")
    assert window.locator(".kv-caption").inner_text()


def test_the_authors_wheel_brings_the_game(league):
    with urllib.request.urlopen(f"{league.site}/sdk/karat.whl", timeout=60) as answer:
        archive = zipfile.ZipFile(io.BytesIO(answer.read()))
    assert {"tidepool/rules.py", "tidepool_kit/viewer.js"} <= set(archive.namelist())
    (entries,) = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]
    assert "tidepool = tidepool:GAME" in archive.read(entries).decode()


def test_a_tournament_of_every_format_is_played_and_exported(league, match):
    league.python(f"FORMATS = {FORMATS!r}\n{TOURNAMENTS}")
    league.wait(OPEN, seconds=240, pause=1)
    for form in FORMATS:
        page = f"/tournaments/{form}-of-the-tide"
        assert "Pearls per game" in read(league, f"{page}/standings/")
        assert len(read(league, f"{page}/standings.csv").splitlines()) > 6
        assert json.loads(read(league, f"{page}/standings.json"))
        read(league, f"{page}/")
        read(league, f"{page}/rounds/")


def test_everything_can_be_exported_verified_and_rebuilt(league, match, tmp_path):
    exported = league.manage("export", "--game", "tidepool").stdout.splitlines()
    assert {json.loads(line)["record"]["game"] for line in exported} == {"tidepool"}
    assert league.manage("export", "--ratings", "--game", "tidepool").stdout
    league.manage("export_league", str(tmp_path / "league.gz"))
    league.stop()
    assert league.manage("rebuild_ratings", "--check").returncode == 0
    assert league.manage("rebuild_statistics", "--check").returncode == 0
    assert league.manage("verify_records").returncode == 0
