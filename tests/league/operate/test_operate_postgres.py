"""What only a server can show: a database that hangs, and room that is used again."""

import json
import os
import shutil
import signal
import subprocess
import time
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests import servers
from tests.league.home import ROOT, SERVER, Home, free_port

pytestmark = [
    pytest.mark.stack,
    pytest.mark.skipif(SERVER, reason="brings servers of its own"),
]

# As many whole records as were compacted come in afterwards.
COMPACT = """
from league.operate import maintenance, retention
retention.TIDY_EVERY = 100
first = factories.make_match([factories.make_player() for _ in range(3)])
record = Record.objects.get(match=first)

def copy(rows):
    fields = {f.attname: getattr(first, f.attname) for f in Match._meta.concrete_fields}
    fields.pop("id")
    made = Match.objects.bulk_create(Match(**fields) for _ in range(rows))
    Record.objects.bulk_create(
        Record(match=match, data=record.data, digest=record.digest) for match in made
    )

copy(600)
before = maintenance.records_bytes()
retention.compact_all(0)
small = maintenance.records_bytes()
copy(600)
tell([before, small, maintenance.records_bytes()])
"""


def readiness(port):
    begun = time.monotonic()
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=30) as answer:
            return answer.status, json.load(answer), time.monotonic() - begun
    except HTTPError as answer:
        return answer.code, json.load(answer), time.monotonic() - begun


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    """A league on servers of its own that may be stopped."""
    with servers.running(servers.Postgres) as postgres, servers.running(servers.Redis) as redis:
        addresses = {"DATABASE_URL": postgres.address, "REDIS_URL": redis.address}
        folder = tmp_path_factory.mktemp("stack")
        (folder / "static").mkdir()
        home = Home(folder, addresses).create()
        yield SimpleNamespace(home=home, postgres=postgres, redis=redis)
        home.end()


def test_room_of_compacted_records_is_taken_by_new_ones(stack):
    before, small, after = stack.home.python(COMPACT)
    assert small <= before * 1.1
    assert after <= before * 1.2, f"{before:,} bytes grew to {after:,}"


def test_a_backup_needs_no_python_and_tells_the_league(stack, tmp_path):
    script = shutil.copy(ROOT / "deploy" / "backup.sh", tmp_path)
    env = {"PATH": f"{stack.postgres.binaries}:/usr/bin:/bin"}
    env["DATABASE_URL"] = stack.home.env["DATABASE_URL"]
    done = subprocess.run(
        ["bash", script, tmp_path / "backups"], env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    noted = json.loads(stack.home.manage("status", "--json").stdout)["maintenance"]["backup"]
    assert noted["detail"].endswith(".pgdump")
    assert (tmp_path / "backups" / noted["detail"]).stat().st_size == noted["bytes"]


def test_readiness_is_answered_in_time_while_database_and_broker_hang(stack):
    home, port = stack.home, free_port()
    home.start_web(port)
    home.wait_for(f"http://127.0.0.1:{port}/healthz")
    status, parts, _ = readiness(port)
    assert (status, parts["database"], parts["broker"]) == (200, "ok", "ok")
    assert parts["control"] == "not seen yet"
    frozen = [stack.redis.process.pid, *family_of(stack.postgres.process.pid)]
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    try:
        for _ in range(4):
            status, parts, seconds = readiness(port)
            assert status == 503
            assert parts["database"] == parts["broker"] == "not reachable"
            assert seconds < 3
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    until = time.monotonic() + 60
    while readiness(port)[0] != 200 and time.monotonic() < until:
        time.sleep(0.2)
    assert readiness(port)[0] == 200


def family_of(pid):
    """A server and its children, as far as they are there now."""
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [pid, *map(int, children.stdout.split())]
