# tries: read what belongs to the host; verdict: ok
import os
from pathlib import Path

from bots_sdk import Bot

PROBES = {
    "users": lambda: Path("/etc/passwd").read_bytes(),
    "shadow": lambda: Path("/etc/shadow").read_bytes(),
    "resolver": lambda: Path("/etc/resolv.conf").read_bytes(),
    "host name": lambda: Path("/etc/hostname").read_bytes(),
    "kernel": lambda: Path("/proc/version").read_bytes(),
    "itself": lambda: Path("/proc/self/environ").read_bytes(),
    "init": lambda: Path("/proc/1/maps").read_bytes(),
    "memory": lambda: Path("/dev/mem").read_bytes(),
    "tty": lambda: Path("/dev/tty").read_bytes(),
    "random device": lambda: Path("/dev/urandom").read_bytes(),
    "devices": lambda: Path("/sys/devices/system/cpu/online").read_bytes(),
    "cgroup": lambda: Path("/sys/fs/cgroup/cgroup.procs").read_bytes(),
    "runtime": lambda: Path("/run/utmp").read_bytes(),
    "logs": lambda: Path("/var/log/wtmp").read_bytes(),
    "/root": lambda: os.listdir("/root"),
    "/home": lambda: os.listdir("/home"),
    "/mnt": lambda: os.listdir("/mnt"),
    "/tmp": lambda: os.listdir("/tmp"),
    "/var": lambda: os.listdir("/var"),
    "/proc": lambda: os.listdir("/proc"),
    "/dev": lambda: os.listdir("/dev"),
    "/etc": lambda: os.listdir("/etc"),
    "/srv": lambda: os.listdir("/srv"),
    "/boot": lambda: os.listdir("/boot"),
    "/opt": lambda: os.listdir("/opt"),
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
