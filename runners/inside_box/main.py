"""The program in the box: sets the last filter, loads the bot, answers questions.

It shares its process with the bot, so the referee trusts its messages no more than the bot's. To
start quickly it takes `_ctypes` instead of ctypes.
"""

import _ctypes
import posix
import resource
import sys

HOME = sys.argv[0].removesuffix("/inside_box/main.pyc")
if __name__ == "__main__":
    # It is started as a file, but belongs to a package, which lies beside what bots import.
    __package__ = "inside_box"
    sys.path += [HOME, f"{sys.prefix}/packages"]

from .answering import READY, WIRE, answer_questions, describe_error, receiver, send  # noqa: E402
from .enclose import enclose  # noqa: E402
from .games import RegistryHook  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Untrusted = Any
    """Whatever JSON or a bot brings."""

MODULE = "bot"
BYTES_HEADER = bytes.__basicsize__ - 1
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2


class Log:
    """Standard output and error: kept up to a cap, then dropped silently."""

    encoding = "utf-8"
    errors = "replace"
    closed = False

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def write(self, text: str) -> int:
        """Write through at once, so that nothing is lost when the process dies."""
        data = text.encode("utf-8", "replace")
        try:
            while data:
                data = data[posix.write(self._fd, data) :]
        except OSError:
            pass
        return len(text)

    def writelines(self, lines: "list[str]") -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Do nothing: every write went through."""

    def isatty(self) -> bool:
        """Return that this is no terminal."""
        return False

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._fd


def set_filter(program: bytes) -> None:
    """Set a filter of system calls. The second one also forbids programs and further filters."""
    if not program:
        return
    header = len(program) // 8
    address = id(program) + BYTES_HEADER
    fprog = header.to_bytes(8, sys.byteorder) + address.to_bytes(8, sys.byteorder)
    everything = _ctypes.dlopen(None, 2)  # type: ignore[arg-type]
    prctl = _ctypes.dlsym(everything, "prctl")
    if _ctypes.call_function(prctl, (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, fprog)) != 0:
        posix._exit(3)


def load(program: "Untrusted", sdk: "Untrusted") -> "Untrusted":
    """Return the bot of this source. Its first byte runs here."""
    module = type(sys)(MODULE)
    module.__file__ = program["file"]
    sys.modules[MODULE] = module
    sdk.Bot._seed = program["seed"]
    code = compile(program["source"], program["file"], "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102  this is what the box is for
    return sdk.find_bot(module.__dict__, MODULE)()


def enclose_self(words: str) -> None:
    """Put up the walls that nobody put up around this process."""
    parent, ruleset, flags, first = words.split(",")
    enclose(int(parent), int(ruleset), int(flags))
    set_filter(bytes.fromhex(first))


def take_wire(fd: int) -> None:
    """Move the connection to the referee to its usual descriptor."""
    posix.dup2(fd, WIRE, False)
    if fd != WIRE:
        posix.close(fd)


def main() -> None:
    """Get ready, load the bot, then answer until the referee hangs up."""
    wire, sdk_entry, second, enclosed, *limits = sys.argv[1:]
    if enclosed:
        enclose_self(enclosed)
    take_wire(int(wire))
    del sys.argv[1:]
    sys.stdout = sys.__stdout__ = Log(1)  # type: ignore[assignment, misc]
    sys.stderr = sys.__stderr__ = Log(2)  # type: ignore[assignment, misc]
    sys.meta_path.insert(0, RegistryHook(f"{HOME}/games.txt"))
    sdk = __import__(sdk_entry, fromlist=["Bot"])
    receive = receiver(sdk.View)
    for limit in limits:
        name, _, value = limit.partition("=")
        resource.setrlimit(getattr(resource, name), (int(value), int(value)))
    set_filter(bytes.fromhex(second))
    send(READY)
    program = receive()
    try:
        bot = load(program, sdk)
    except BaseException as error:
        send("{" + describe_error(error, program) + "}")
        return
    send('{"loaded":true}')
    answer_questions(receive, bot, program)


if __name__ == "__main__":
    main()
