"""A league of its own for tests with real processes: another database, other folders, no mocks."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from pathlib import Path

import psycopg
import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVER = os.environ.get("STACK") == "server"

_SETUP = """
import json, os, signal, sys
import django
django.setup()
from django.db.models import *
from league import jobs
from league.accounts.models import *
from league.bots.models import *
from league.bots import checks, house
from league.bots import services as bots
from league.matches.models import *
from league.matches import playing, worker
from league.matches import services as matches
from league.ladder.models import *
from league.ladder import rating, rebuild
from league.ladder import services as ladder
from tests.league import factories
"""


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
            shutil.copy(like.folder / "karat.sqlite3", self.folder)
        if not like:
            self.manage("migrate", "-v0")
        return self

    def manage(self, *arguments, check=True):
        """Run a command of manage.py to its end."""
        return subprocess.run(
            [sys.executable, ROOT / "manage.py", *arguments],
            env=self.env,
            cwd=ROOT,
            check=check,
            capture_output=True,
            text=True,
        )

    def start(self, *arguments, **env):
        """Start a command of manage.py."""
        return self._started([ROOT / "manage.py", *arguments], env)

    def start_python(self, code, **env):
        """Start a process that runs this code in the league."""
        return self._started(["-c", _SETUP + textwrap.dedent(code)], env)

    def _started(self, arguments, env):
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env={**self.env, **env},
            cwd=ROOT,
            stdout=self._said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def python(self, code):
        """Run code in the league; what it gives to `tell(value)` comes back."""
        tell = "def tell(value): print('TOLD', json.dumps(value, default=str))\n"
        done = subprocess.run(
            [sys.executable, "-c", _SETUP + tell + textwrap.dedent(code)],
            env=self.env,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told = [line for line in done.stdout.splitlines() if line.startswith("TOLD ")]
        return json.loads(told[-1][5:]) if told else None

    def wait(self, code, seconds=90):
        """Run code again and again until it tells something true."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if told := self.python(code):
                return told
            time.sleep(0.3)
        raise AssertionError(f"never came true: {code}\n{self.errors()}")

    def errors(self):
        """What the processes said last."""
        return (self.folder / "said").read_text()[-4000:]

    def end(self):
        """End everything that was started here."""
        for process in self.processes:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self._said.close()


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
