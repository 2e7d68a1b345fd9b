"""Throw-away servers of our own: PostgreSQL and Redis on private sockets, never the system's."""

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from tests import programs

READY_SECONDS = 60


class Server:
    """A server in a folder of its own that can be stopped, killed and started again."""

    def __init__(self, name, inside="/tmp"):
        self.account = {}
        self.folder = Path(tempfile.mkdtemp(prefix=f"karat-{name}-", dir=inside))
        self.process = None

    def start(self):
        """Start it and wait until it answers."""
        with (self.folder / "log").open("a") as log:
            self.process = programs.start(
                self.command(), stdout=log, stderr=log, cwd=self.folder, **self.account
            )
        until = time.monotonic() + READY_SECONDS
        while subprocess.run(self.probe(), capture_output=True, check=False).returncode:
            if self.process.poll() is not None:
                said = (self.folder / "log").read_text()[-2000:]
                raise RuntimeError(f"the server ended with {self.process.returncode}: {said}")
            if time.monotonic() > until:
                raise RuntimeError("the server did not come up")
            time.sleep(0.05)

    def stop(self, patience=30):
        """End it; with no patience, as a crash would."""
        if self.process is None:
            return
        if patience:
            self.process.send_signal(self.stop_signal)
        else:
            self.process.kill()
        try:
            self.process.wait(READY_SECONDS)
        finally:
            programs.end(self.process, patience=0)

    def remove(self):
        """End it and leave nothing behind."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Server):
    """A cluster with trust on its socket."""

    stop_signal = 2  # SIGINT: end the sessions and stop

    def __init__(self, inside="/tmp"):
        super().__init__("pg", inside)
        self.binaries = Path(max(glob.glob("/usr/lib/postgresql/*/bin")))
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            user = pwd.getpwnam("postgres")
            self.account = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.address = f"postgres://karat@/postgres?host={self.folder}"
        subprocess.run(
            [
                *(self.binaries / "initdb", "-D", self.folder / "data", "-U", "karat"),
                *("-A", "trust", "-E", "UTF8", "-N"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            **self.account,
        )

    def command(self):
        """No network, no waiting for the disk."""
        return [
            *(self.binaries / "postgres", "-D", self.folder / "data", "-k", self.folder),
            *("-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"),
        ]

    def probe(self):
        """Ends with 0 when it answers."""
        return [self.binaries / "pg_isready", "-q", "-h", self.folder, "-U", "karat"]


class Redis(Server):
    """A server without a file: what it knew is gone when it ends."""

    stop_signal = 15

    def __init__(self):
        super().__init__("redis")
        self.socket = self.folder / "redis.sock"
        self.address = f"unix://{self.socket}"

    def command(self):
        """No network, no file."""
        return [
            *("redis-server", "--port", "0", "--unixsocket", self.socket),
            *("--save", "", "--appendonly", "no", "--daemonize", "no"),
        ]

    def probe(self):
        """Ends with 0 when it answers."""
        return ["redis-cli", "-s", self.socket, "ping"]

    def flush(self):
        """Forget every message."""
        command = ["redis-cli", "-s", self.socket, "flushall"]
        subprocess.run(command, check=True, capture_output=True)


@contextmanager
def running(kind, **settings):
    """A server that goes with the block."""
    server = kind(**settings)
    try:
        server.start()
        yield server
    finally:
        server.remove()
