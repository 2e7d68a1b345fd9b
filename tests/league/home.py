"""A league of its own for tests with real processes: another database, other folders, no mocks."""

import contextlib
import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
import uuid
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest

from tests import programs, servers

ROOT = Path(__file__).resolve().parents[2]
FILE = "karat.sqlite3"
SERVER = os.environ.get("STACK") == "server"
STACKS = {"SQLite and files": False, "PostgreSQL and Redis": True}
"""Both, for benches and chaos, each with whether it needs servers."""

_SETUP = """
import json, os, signal, sys
import django
django.setup()
from django.db.models import *
from league.jobs import leases
from league.accounts.models import *
from league.bots.models import *
from league.bots import checks, house_bots
from league.bots import services as bots
from league.matches.models import *
from league.workers import playing, storing, worker
from league.workers.models import *
from league.workers.sweep import sweep
from league.matches import services as matches
from league.ladder.models import *
from league.ladder.ratings import rebuild, writer
from league.ladder import services as ladder
from tests.league import factories
"""

# Answers code given line by line, so that asking often does not start Django often.
_SHELL = (
    _SETUP
    + """
import traceback
from django.db import connections
for line in sys.stdin:
    told = []
    try:
        exec(json.loads(line), {**globals(), "tell": told.append})
        answer = {"told": told[-1] if told else None}
    except Exception:
        answer = {"failed": traceback.format_exc()}
    # Nothing stays open: the database may be copied, stopped or taken away in between.
    for connection in connections.all(initialized_only=True):
        connection.close()
        getattr(connection, "close_pool", lambda: None)()
    print(json.dumps(answer, default=str), flush=True)
"""
)


class Home:
    """Where one league lives, and the processes that were started in it."""

    def __init__(self, folder, addresses=None):
        """`addresses`: DATABASE_URL and REDIS_URL; those of the run, if it has any."""
        if addresses is None:
            addresses = {k: os.environ[k] for k in ("DATABASE_URL", "REDIS_URL")} if SERVER else {}
        self.folder = folder
        self.addresses = addresses
        self.env = {
            **os.environ,
            **addresses,
            "KARAT_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "league.settings",
            "PYTHONPATH": str(ROOT),
            "SECRET_KEY": "only for tests " * 4,
            "UPLOADS_PER_DAY": "1000",
        }
        self.processes = []
        self._shell = None
        self._said = (folder / "said").open("w")
        self.name = f"home_{uuid.uuid4().hex[:12]}"
        if addresses:
            database = addresses["DATABASE_URL"].replace("/postgres?", f"/{self.name}?")
            # Redis has 16 numbered databases; runs in parallel take different ones.
            number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) + 1
            redis = f"{addresses['REDIS_URL']}?db={number}"
            self.env |= {"DATABASE_URL": database, "REDIS_URL": redis, "HTTPS": "0"}

    def create(self, like=None):
        """Make the database: a copy of another league's, or a fresh one."""
        if self.addresses:
            template = f"template {like.name}" if like else ""
            with psycopg.connect(self.addresses["DATABASE_URL"], autocommit=True) as connection:
                connection.execute(f"create database {self.name} {template}")
        elif like:
            shutil.copy(like.folder / FILE, self.folder)
        if not like:
            self._make(FILE, "migrate")
        return self

    def collect_static(self):
        """Bring the files of the site to where it looks for them."""
        self._make("static", "collectstatic", "--noinput")

    def _make(self, what, *command):
        """What a command writes to the folder; in a run of tests one copy of it is for all."""
        run = os.environ.get("KARAT_VAR")
        if not run or (self.addresses and what == FILE):
            self.manage(*command, "-v0")
            return
        once = Path(run) / f"{what}-once"
        once.mkdir(exist_ok=True)
        with (once / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (once / "done").exists():
                self.manage(*command, "-v0", KARAT_VAR=str(once))
                (once / "done").touch()
        if (once / what).is_dir():
            (self.folder / what).symlink_to(once / what)
        else:
            shutil.copy(once / what, self.folder)

    def manage(self, *arguments, check=True, **env):
        """Run a command of manage.py to its end."""
        return subprocess.run(
            [sys.executable, ROOT / "manage.py", *arguments],
            env={**self.env, **env},
            cwd=ROOT,
            check=check,
            capture_output=True,
            text=True,
        )

    def start(self, *arguments, **env):
        """Start a command of manage.py."""
        return self._started([ROOT / "manage.py", *arguments], env)

    def start_web(self, port):
        """Start the site alone."""
        if not (self.folder / "static").exists():
            self.collect_static()
        served = ["league.asgi:application", "--port", str(port), "--lifespan", "off"]
        return self._started(["-m", "uvicorn", *served, "--log-level", "warning"], {})

    def wait_for(self, address, seconds=60):
        """Until somebody answers there."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                return urlopen(address).close()
            except OSError:
                time.sleep(0.1)
        raise AssertionError(self.errors())

    def start_python(self, code, **env):
        """Start a process that runs this code in the league."""
        return self._started(["-c", _SETUP + textwrap.dedent(code)], env)

    def _started(self, arguments, env):
        process = programs.start(
            [sys.executable, *arguments],
            env={**self.env, **env},
            cwd=ROOT,
            stdout=self._said,
            stderr=subprocess.STDOUT,
        )
        self.processes.append(process)
        return process

    def python(self, code):
        """Run code in the league; what it gives to `tell(value)` comes back."""
        if self._shell is None:
            self._shell = self._asked()
        self._shell.stdin.write(json.dumps(textwrap.dedent(code)) + "\n")
        self._shell.stdin.flush()
        answer = json.loads(self._shell.stdout.readline() or '{"failed": "the shell is gone"}')
        assert "failed" not in answer, answer["failed"]
        return answer["told"]

    def _asked(self):
        return programs.start(
            [sys.executable, "-c", _SHELL],
            env=self.env,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )

    def wait(self, code, seconds=90, pause=0.1):
        """Run code again and again until it tells something true."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if told := self.python(code):
                return told
            time.sleep(pause)
        raise AssertionError(f"never came true: {code}\n{self.errors()}")

    def errors(self):
        """What the processes said last."""
        return (self.folder / "said").read_text()[-4000:]

    def stop(self):
        """End every process that was started here."""
        programs.end(*self.processes)

    def end(self):
        """Leave nothing running."""
        self.stop()
        if self._shell is not None:
            self._shell.communicate()
            self._shell = None
        self._said.close()


@contextlib.contextmanager
def new_league(*, server):
    """An empty league that goes with the block, with servers of its own if it needs any."""
    with contextlib.ExitStack() as stack:
        addresses = {}
        if server:
            postgres = stack.enter_context(servers.running(servers.Postgres))
            redis = stack.enter_context(servers.running(servers.Redis))
            addresses = {"DATABASE_URL": postgres.address, "REDIS_URL": redis.address}
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="karat-league-")))
        home = Home(folder, addresses)
        stack.callback(home.end)
        yield home.create()


def free_port():
    """A port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory):
    """A league in which nothing happened; never used itself."""
    league = Home(tmp_path_factory.mktemp("empty"))
    yield league.create()
    league.end()


@pytest.fixture
def home(empty_home, tmp_path):
    """A fresh league."""
    league = Home(tmp_path)
    yield league.create(like=empty_home)
    league.end()
