"""The story of the league, with real processes: upload, checks, ladder, match, rating, record."""

import json
import time
import urllib.request

import pytest

from tests.league.home import empty_home, free_port, home

__all__ = ["empty_home", "home"]

pytestmark = pytest.mark.stack

BOT = """from bots_sdk import Bot


class Newcomer(Bot):
    games = ["basari"]

    def decide(self, view, options):
        self.note("anything goes")
        print("deciding", view.decision)
        return self.rng.choice(options)
"""


class Site:
    def __init__(self, port, key):
        self.address = f"http://127.0.0.1:{port}/api/v1/"
        self.key = key

    def ask(self, path, data=None):
        request = urllib.request.Request(
            self.address + path,
            data=json.dumps(data).encode() if data is not None else None,
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read())

    def until(self, path, good, seconds=120):
        until = time.monotonic() + seconds
        found = None
        while time.monotonic() < until:
            try:
                found = self.ask(path)
            except OSError:
                found = None
            if found is not None and good(found):
                return found
            time.sleep(0.3)
        raise AssertionError(f"{path} never came to it: {found}")


def test_an_upload_is_checked_plays_is_rated_and_its_record_is_true(home):
    key = home.python(
        "from league.accounts.services import create_token\n"
        "user = factories.make_user('mira')\n"
        "tell(create_token(user, 'story', ['read', 'upload'])[1])"
    )
    port = free_port()
    running = home.start("run", "--port", str(port), "--workers", "1")
    site = Site(port, key)
    site.until("status", lambda status: status["matches"]["finished"] > 0)

    assert site.ask("bots", {"name": "Newcomer"})["slug"] == "newcomer"
    site.ask("bots/newcomer/versions", {"source": BOT, "note": "first try"})
    checked = site.until(
        "bots/newcomer/versions/1", lambda v: v["status"] not in {"waiting", "checking"}
    )
    assert checked["status"] == "accepted", checked
    played = site.until("matches?bot=newcomer&status=finished", lambda page: len(page["items"]) > 0)
    match = played["items"][0]["id"]
    site.until(
        "leaderboards/basari?show=provisional",
        lambda page: any(row["matches"] for row in page["items"] if row["bot"] == "newcomer"),
    )
    record = site.ask(f"matches/{match}/record")
    assert "newcomer" in [seat["bot"] for seat in record["seats"]]

    running.terminate()
    assert running.wait(60) == 0, home.errors()
    assert home.manage("rebuild_ratings", "--check").returncode == 0
    assert home.manage("verify_records").returncode == 0
    left = home.python("tell(Match.objects.filter(status='running').count())")
    assert left == 0
