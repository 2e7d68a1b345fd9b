# tries: choose the cores it runs on and slow others down; verdict: ok
import os

from bots_sdk import Bot

PROBES = {
    "affinity": lambda: os.sched_setaffinity(0, {0}),
    "idle": lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
    "batch": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
    "session": os.setsid,
    "group": lambda: os.setpgid(0, 0),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, attempt in PROBES.items():
            try:
                attempt()
            except OSError:
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]
