"""What goes wrong: one thing after the other, chosen by chance from a seed."""

import os
import signal
import time
from collections import Counter
from random import Random

PARTS = {
    "worker": ("worker", "--processes", "1", "--name", "first"),
    "second worker": ("worker", "--processes", "1", "--name", "second"),
    "control": ("control",),
}
PAUSE_SECONDS = (1.0, 3.0)


class Monkey:
    """Breaks things in a league and puts the pieces back."""

    def __init__(self, home, seed, postgres=None, redis=None):
        self.home = home
        self.rng = Random(seed)
        self.postgres, self.redis = postgres, redis
        self.parts = {}
        self.done = Counter()
        self.again = []

    def start_all(self):
        """Bring up everything that does not run."""
        for name, command in PARTS.items():
            process = self.parts.get(name)
            if process is None or process.poll() is not None:
                self.parts[name] = self.home.start(*command)

    def run(self, seconds):
        """Break something every now and then, and bring it up again."""
        actions = [self.kill_worker, self.kill_worker, self.kill_control, self.deliver_twice]
        if self.redis:
            actions += [self.flush_redis, self.restart_redis, self.restart_postgres]
        else:
            actions += [self.lose_messages, self.fill_the_disk]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(self.rng.uniform(*PAUSE_SECONDS))
            action = self.rng.choice(actions)
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

    def deliver_twice(self):
        """Every kind of message, twice, for no reason."""
        self.again.append(self.home.start_python(_TWICE))

    def flush_redis(self):
        """All messages are forgotten."""
        self.redis.flush()

    def restart_redis(self):
        """Gone for a second, and forgetful."""
        self.redis.stop(patience=0)
        time.sleep(1)
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
        """Where the league may use a small disk of its own, it is full for two seconds."""
        if not os.path.ismount(self.home.folder):
            self.done["disk not filled: no small disk could be mounted"] += 1
            return
        filler = self.home.folder / "filler"
        try:
            with filler.open("wb") as file:
                while True:
                    file.write(bytes(1 << 16))
                    file.flush()
        except OSError:
            time.sleep(2)
        finally:
            filler.unlink(missing_ok=True)

    def calm(self):
        """Nothing breaks any more; wait until all that was begun is over."""
        for process in self.again:
            process.wait(60)
        self.start_all()


_TWICE = """
from league.celery import app
for task, args in [
    ("league.matches.tasks.look", ()),
    ("league.ladder.tasks.tick", ()),
    ("league.ladder.tasks.rate", ("basari",)),
    ("league.tournaments.tasks.tick", ()),
]:
    for _ in range(2):
        app.send_task(task, args)
"""
