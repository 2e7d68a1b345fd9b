"""The program in the box: sets the last filter, loads the bot, answers questions.

It shares its process with the bot, so the referee trusts its messages no more than the bot's. It
imports next to nothing, to start quickly.
"""

import posix
import resource
import sys
from resource import setrlimit

if __name__ == "__main__":
    # It is started as a file, but belongs to a package, which lies beside what bots import.
    __package__ = "inside_box"
    HOME = sys.argv[0].removesuffix("/inside_box/main.pyc")
    sys.path += [HOME, f"{sys.prefix}/packages"]

from .answering import (
    READY,
    WIRE,
    answer_questions,
    decoder,
    describe_error,
    read_message,
    send,
)
from .enclose import end_with, give_up_new_privileges, restrict, set_filter
from .games import RegistryHook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Untrusted = Any
    """Whatever JSON or a bot brings."""

MODULE = "bot"
LIMITS = vars(resource)


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
    end_with(int(parent))
    if first:
        give_up_new_privileges()
        restrict(int(ruleset), int(flags))
        posix.close(int(ruleset))
        set_filter(bytes.fromhex(first))


def move_descriptor(fd: int, place: int) -> None:
    """Have a descriptor at its usual place only."""
    if fd != place:
        posix.dup2(fd, place, False)
        posix.close(fd)


def add_games(home: str) -> None:
    """Have the registry of games know those of this box once it is imported."""
    sys.meta_path.insert(0, RegistryHook(f"{home}/games.txt"))


def set_limits(limits: "list[str]") -> None:
    """Set the kernel's limits, which nobody can raise again."""
    for limit in limits:
        name, _, value = limit.partition("=")
        setrlimit(LIMITS[name], (int(value), int(value)))


def use_log() -> None:
    """Have whatever is printed go to the log of the box."""
    sys.stdout = sys.__stdout__ = Log(1)  # type: ignore[assignment, misc]
    sys.stderr = sys.__stderr__ = Log(2)  # type: ignore[assignment, misc]


def serve(
    sdk: "Untrusted",
    decode: "Callable[[bytes], Untrusted]",
    load_bot: "Callable[[Untrusted, Untrusted], Untrusted]" = load,
) -> None:
    """Say that the walls stand, load the bot, then answer until the referee hangs up."""
    send(READY)
    program = decode(read_message())
    try:
        bot = load_bot(program, sdk)
    except BaseException as error:
        send("{" + describe_error(error, program) + "}")
        return
    send('{"loaded":true}')
    answer_questions(decode, bot, program)


def main() -> None:
    """Put up the walls, and serve."""
    wire, sdk_entry, second, enclosed, *limits = sys.argv[1:]
    if enclosed:
        enclose_self(enclosed)
    move_descriptor(int(wire), WIRE)
    del sys.argv[1:]
    add_games(HOME)
    sdk = __import__(sdk_entry, fromlist=["Bot"])
    use_log()
    decode = decoder(sdk.View)
    set_limits(limits)
    set_filter(bytes.fromhex(second))
    serve(sdk, decode)


if __name__ == "__main__":
    main()
