"""Canaries: small bots that try every wall of a box. A machine on which one escapes plays nothing.

They are harmless even where a wall is missing: who tries to kill sends the signal that only asks.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType

from runners.box.launch import Box, gather
from runners.box.modes import Mode
from runners.box.policy import NoWall
from runners.failures import InfrastructureError
from runners.limits import Limits
from runners.protocol import MalformedReply, read_answer

LIMITS = Limits(decision_cpu_ms=200, decision_wall_ms=1000, memory_mib=128)
IN_A_BOX = "comes into a box"
"""The wall that stands for all others where no box comes up."""
DENIED = "denied"
"""What a canary answers when the wall before it held."""


@dataclass(frozen=True, slots=True)
class Canary:
    """What is tried, and how a box that holds ends it."""

    attempt: str
    expected: str = DENIED


CANARIES: Mapping[str, Canary] = MappingProxyType(
    {
        "starts no process": Canary("import os; os.fork()"),
        "runs no program": Canary("import os, sys; os.execv(sys.executable, ['python3', '-V'])"),
        "opens no socket": Canary("import socket; socket.socket()"),
        "reads no file of the host": Canary("open('/etc/passwd')"),
        "writes no file": Canary(
            "import os\nfor folder in ('/tmp', '/var/tmp', '/dev/shm', '/karat', '.'):\n"
            "    path = f'{folder}/karat-canary-{os.getpid()}'\n"
            "    try: os.close(os.open(path, os.O_CREAT | os.O_WRONLY))\n"
            "    except OSError: continue\n"
            "    os.unlink(path)\n"
            "    raise SystemError(path)\n"
            "raise OSError"
        ),
        "sees no process": Canary("open('/proc/1/status')"),
        "kills nobody": Canary("import os; os.kill(-1, 0)"),
        "raises no limit": Canary(
            "import resource as r; r.setrlimit(r.RLIMIT_CPU, (r.RLIM_INFINITY,) * 2)"
        ),
        "has no other descriptor": Canary(
            "import os\nfor fd in range(4, 1024):\n"
            "    try: os.fstat(fd)\n"
            "    except OSError: continue\n"
            "    raise SystemError(fd)\n"
            "raise OSError"
        ),
        "has no environment of the host": Canary(
            "import os\n"
            "if {'HOME', 'PATH', 'USER'} & set(os.environ): raise SystemError\n"
            "raise OSError"
        ),
        "is stopped when it computes too long": Canary("while True: pass", "E302"),
        "is stopped when it sleeps": Canary("import time; time.sleep(60)", "E302"),
        "is stopped when it takes memory": Canary("x = bytearray(1 << 30)", "memory"),
        "cannot flood the log": Canary(
            "import os\nfor _ in range(1000): os.write(1, bytes(1 << 16))"
        ),
        "is ended by a forbidden call": Canary(
            "import ctypes; ctypes.CDLL(None).unshare(0x10000000)", "E307"
        ),
    }
)

_BOT = """
from bots_sdk import Bot

class Canary(Bot):
    def decide(self, view, options):
        try:
            exec(ATTEMPT, {})
        except OSError:
            return "denied"
        except ValueError:
            return "denied"
        return "escaped"
"""


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall, and whether it held."""

    name: str
    held: bool
    seen: str


def check(mode: Mode) -> list[Wall]:
    """Try every wall of a mode at once; a box that does not come up holds nothing."""
    if mode is Mode.UNSAFE_LOCAL:
        return [Wall("is behind a wall", False, f"{mode} has none")]
    with ExitStack() as stack:
        boxes: dict[str, Box] = {}
        try:
            for name in CANARIES:
                boxes[name] = box = Box(LIMITS, mode)
                stack.callback(box.close)
            for name, canary in CANARIES.items():
                boxes[name].wait_ready()
                source = f"ATTEMPT = {canary.attempt!r}\n{_BOT}"
                message = {"source": source, "seed": "", "file": "bot.py"}
                boxes[name].send(message, LIMITS.load_cpu_ms, LIMITS.load_wall_ms)
            gather(list(boxes.values()))
            for box in boxes.values():
                question = {"i": 1, "view": {}, "options": [], "news": [], "time_left_ms": 0}
                box.send(question, LIMITS.decision_cpu_ms, LIMITS.decision_wall_ms)
            gather(list(boxes.values()))
        except (InfrastructureError, NoWall) as error:
            return [Wall(IN_A_BOX, False, str(error))]
        return [_judge(name, boxes[name]) for name in CANARIES]


def comes_up(mode: Mode) -> bool:
    """Return whether a box of this mode gets ready: the quick question, without a canary."""
    try:
        box = Box(LIMITS, mode)
    except (InfrastructureError, NoWall):
        return False
    try:
        box.wait_ready()
    except InfrastructureError:
        return False
    finally:
        box.close()
    return True


def _judge(name: str, box: Box) -> Wall:
    seen = _describe_end(box)
    return Wall(name, seen == CANARIES[name].expected, seen)


def _describe_end(box: Box) -> str:
    reply = box.reply
    assert reply is not None
    if reply.failure:
        return reply.failure.code
    assert reply.message is not None
    try:
        answer = read_answer(reply.message, 1)
    except MalformedReply as error:
        return str(error)
    return answer.move or answer.error or "nothing"
