# tries: run programs; verdict: ok
import os
import subprocess
import sys

from bots_sdk import Bot

PROBES = {
    "run": lambda: subprocess.run(["/bin/true"], check=False),
    "shell": lambda: subprocess.check_output(["sh", "-c", "id"]),
    "python": lambda: subprocess.Popen([sys.executable, "-c", "1"]),
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "popen": lambda: os.popen("id"),
    "exec": lambda: os.execv(sys.executable, ["python", "-c", "1"]),
    "pty": os.forkpty,
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
