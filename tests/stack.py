"""What the tests of the league stand on: its settings, and a var folder that goes with the run."""

import atexit
import os
import secrets
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import django

from tests import servers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
if "PYTEST_XDIST_WORKER" not in os.environ:
    # Never the folder of a league that runs on this machine. Workers of the run inherit it.
    os.environ["KARAT_VAR"] = tempfile.mkdtemp(prefix="karat-tests-")
    # Where collected files would be; the middleware that serves them wants the folder.
    Path(os.environ["KARAT_VAR"], "static").mkdir()
    atexit.register(shutil.rmtree, os.environ["KARAT_VAR"], ignore_errors=True)
    if os.environ.get("STACK") == "server":
        # PostgreSQL and Redis for the whole run; without STACK it is SQLite and files.
        stack = ExitStack()
        atexit.register(stack.close)
        os.environ["DATABASE_URL"] = stack.enter_context(servers.running(servers.Postgres)).address
        os.environ["REDIS_URL"] = stack.enter_context(servers.running(servers.Redis)).address
        os.environ["SECRET_KEY"] = secrets.token_hex(32)
        os.environ["HTTPS"] = "0"


def pytest_configure():
    """Start Django, now that it finds its settings."""
    django.setup()
