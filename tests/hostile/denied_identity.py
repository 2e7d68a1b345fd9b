# tries: become somebody else; verdict: ok
import os

from bots_sdk import Bot

PROBES = {
    "setuid": lambda: os.setuid(0),
    "setgid": lambda: os.setgid(0),
    "setreuid": lambda: os.setreuid(0, 0),
    "setresuid": lambda: os.setresuid(0, 0, 0),
    "setgroups": lambda: os.setgroups([0]),
    "initgroups": lambda: os.initgroups("root", 0),
    "nice": lambda: os.nice(-5),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
    "scheduler": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
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
