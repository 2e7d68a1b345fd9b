"""What goes wrong: one thing after the other, chosen by chance from a seed."""

import os
import signal
import time
from collections import Counter
from random import Random

from tests.chaos import disk

PARTS = {
    "worker": ("worker", "--processes", "1", "--name", "first"),
    "second worker": ("worker", "--processes", "1", "--name", "second"),
    "control": ("control",),
}
PAUSE_SECONDS = (1.0, 3.0)


class Monkey:
    """Breaks things in a league and puts the pieces back."""

    def __init__(self, home, port, seed, small_disk, postgres=None, redis=None):
        self.home, self.port = home, port
        self.rng = Random(seed)
        self.small_disk = small_disk
        self.postgres, self.redis = postgres, redis
        self.parts = {}
        self.done = Counter()
        self.again = []
        self.long_seconds = 0.0
        """How long something stays away that may be away for long; a minute in a run of five."""

    def start_all(self):
        """Bring up everything that does not run."""
        if self.postgres and self.postgres.process.poll() is not None:
            self.postgres.start()
        for name, command in PARTS.items():
            if self._is_down(name):
                self.parts[name] = self.home.start(*command)
        if self._is_down("web"):
            self.parts["web"] = self.home.start_web(self.port)

    def _is_down(self, name):
        return name not in self.parts or self.parts[name].poll() is not None

    def run(self, seconds):
        """Break something every now and then, and bring it up again."""
        actions = [
            *(self.kill_worker, self.kill_control, self.kill_web),
            *(self.deliver_twice, self.fill_the_disk, self.miss_control),
        ]
        if self.redis:
            actions += [self.flush_redis, self.restart_redis, self.restart_postgres]
            actions.append(self.stop_redis)
        else:
            actions.append(self.lose_messages)
        self.long_seconds = min(60.0, seconds / 5)
        until = time.monotonic() + seconds
        # Each once in an order of chance, again and again; a round that was begun is finished, so
        # that a short run does everything too.
        waiting = []
        while waiting or time.monotonic() < until:
            time.sleep(self.rng.uniform(*PAUSE_SECONDS))
            waiting = waiting or self.rng.sample(actions, len(actions))
            action = waiting.pop()
            action()
            self.done[action.__name__] += 1
            self.start_all()

    def _kill(self, name):
        process = self.parts[name]
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def kill_worker(self):
        """In the middle of whatever it does."""
        self._kill(self.rng.choice(["worker", "second worker"]))

    def kill_control(self):
        """The ladder and the ratings stop for a moment."""
        self._kill("control")

    def miss_control(self):
        """Gone for a minute: workers finish what waits, and nothing is forgotten meanwhile."""
        self._kill("control")
        time.sleep(self.long_seconds)

    def kill_web(self):
        """Whoever asked gets no answer."""
        self._kill("web")

    def deliver_twice(self):
        """Every message and every tick, twice, beside those of the control process."""
        self.again.append(self.home.start_python(_TWICE))

    def flush_redis(self):
        """All messages are forgotten."""
        self.redis.flush()

    def restart_redis(self):
        """Gone for a second, and forgetful."""
        self.redis.stop(patience=0)
        time.sleep(1)
        self.redis.start()

    def stop_redis(self):
        """Gone for a minute: people and workers go on without it, and matches are finished."""
        self.redis.stop(patience=0)
        time.sleep(self.long_seconds)
        self.redis.start()

    def restart_postgres(self):
        """Every connection breaks."""
        self.postgres.stop(patience=self.rng.choice([0, 30]))
        time.sleep(0.5)
        self.postgres.start()

    def lose_messages(self):
        """All messages are forgotten."""
        for message in (self.home.folder / "broker" / "messages").glob("*.msg"):
            message.unlink(missing_ok=True)

    def fill_the_disk(self):
        """The database finds no room for two seconds."""
        if not disk.fill(self.small_disk):
            self.done["disk not filled: no small disk could be mounted"] += 1

    def calm(self):
        """Nothing breaks any more; wait until all that was begun is over."""
        for process in self.again:
            process.wait(60)
        self.start_all()


_TWICE = """
from league.celery import app
from league.ladder import tasks as ladder_tasks
from league.tournaments import tasks as tournament_tasks
for _ in range(2):
    app.send_task("league.workers.tasks.wake")
    ladder_tasks.tick()
    tournament_tasks.tick()
"""
