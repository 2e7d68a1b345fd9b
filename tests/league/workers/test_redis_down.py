"""Redis may be stopped, started again or hang: people and workers go on without it."""

import json
import os
import signal
import time
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from bots_sdk.client.api import Client
from tests import servers
from tests.league.home import SERVER, Home, free_port

pytestmark = [
    pytest.mark.stack,
    pytest.mark.skipif(not SERVER, reason="a league on one machine has no Redis"),
]

GUEST_REQUESTS = 40
SOURCE = """from bots_sdk import Bot


class Any(Bot):
    def decide(self, view, options):
        return options[0]
"""
PLAYERS = f"""
ladder.ensure()
for n in range(3):
    bot = factories.make_bot(name=f"Player {{n}}")
    factories.make_version(bot, {SOURCE!r} + f"# {{n}}\\n", games=["basari"])
Bot.objects.update(enters=False)
from league.accounts.services import create_token
tell(create_token(factories.make_user("mira"), "test", ["read", "upload"])[1])
"""
QUEUE = """
players = list(Bot.objects.filter(name__startswith="Player").select_related("active"))
tell(matches.make("basari", [bot.active for bot in players], "tournament", rated=True).pk)
"""


def hang(redis):
    os.kill(redis.process.pid, signal.SIGSTOP)


def wake(redis):
    os.kill(redis.process.pid, signal.SIGCONT)


@pytest.fixture(scope="module")
def redis():
    with servers.running(servers.Redis) as server:
        yield server
        wake(server)


@pytest.fixture
def league(redis, empty_home, tmp_path):
    """A league with a Redis of its own."""
    home = Home(tmp_path, {"DATABASE_URL": os.environ["DATABASE_URL"], "REDIS_URL": redis.address})
    home.env["LADDER_QUEUE"] = "0"
    home.env["API_REQUESTS_OF_GUEST"] = str(GUEST_REQUESTS)
    yield home.create(like=empty_home)
    if redis.process.poll() is None:
        wake(redis)
    home.end()


class Visitor:
    """A browser without a screen."""

    def __init__(self, port):
        self.address = f"http://127.0.0.1:{port}"
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))

    def get(self, path):
        try:
            with self.opener.open(self.address + path, timeout=30) as answer:
                return answer.status
        except HTTPError as refused:
            return refused.code

    def sign_in(self, name):
        assert self.get("/accounts/login/") == 200
        secret = next(cookie.value for cookie in self.jar if cookie.name == "karat_csrf")
        form = {"username": name, "password": "open sesame", "csrfmiddlewaretoken": secret}
        headers = {"Referer": self.address}
        request = Request(f"{self.address}/accounts/login/", urlencode(form).encode(), headers)
        with self.opener.open(request, timeout=30) as answer:
            return answer.url


@pytest.mark.parametrize("broken", ["stopped", "hanging"])
def test_pages_sign_in_uploads_and_limits_work_without_redis(league, redis, broken):
    key = league.python(PLAYERS)
    port = free_port()
    league.start_web(port)
    visitor = Visitor(port)
    league.wait_for(f"{visitor.address}/healthz")
    if broken == "stopped":
        redis.stop(patience=0)
    else:
        hang(redis)
    try:
        begun = time.monotonic()
        pages = ["/", "/matches/", "/tournaments/", "/g/basari/leaderboard/", "/status/"] * 4
        assert [visitor.get(page) for page in pages] == [200] * len(pages), league.errors()
        assert visitor.sign_in("mira").endswith("/me/")
        client = Client(visitor.address, key)
        upload = client.upload(client.create_bot("Newcomer"), SOURCE, note="without Redis")
        assert upload
        # Each of some two dozen requests asks the cache several times; waiting out every time-out
        # would take minutes.
        assert time.monotonic() - begun < 40
        answers = [visitor.get("/api/v1/games") for _ in range(GUEST_REQUESTS * 2 + 1)]
        assert answers[0] == 200
        assert answers[-1] == 429
    finally:
        if broken == "stopped":
            redis.start()
        else:
            wake(redis)


def test_workers_and_the_control_process_go_on_whatever_happens_to_redis(league, redis):
    league.python(PLAYERS)
    league.start("worker", "--processes", "1", "--name", "here")
    league.start("control")

    def play():
        begun = time.monotonic()
        pk = league.python(QUEUE)
        # The thread that sends hints waits for the broker, and nobody waits for the thread.
        assert time.monotonic() - begun < 10
        league.wait(f"tell(Match.objects.get(pk={pk}).ledger_position)", seconds=60)

    play()
    redis.stop(patience=0)
    play()
    redis.start()
    play()
    hang(redis)
    play()
    wake(redis)
    play()
    seen = json.loads(league.manage("status", "--json").stdout)["workers"][0]
    assert seen["looked_seconds_ago"] < 30
