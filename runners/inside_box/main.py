"""The program in the box: sets the last filter, loads the bot, answers questions.

It shares its process with the bot, so the referee trusts its messages no more than the bot's. To
start quickly it takes `_json` instead of json and `_ctypes` instead of ctypes.
"""

import _json
import posix
import resource
import sys

if __name__ == "__main__":
    # It is started as a file, but belongs to a package, which lies beside what bots import.
    __package__ = "inside_box"
    HOME = sys.argv[0].removesuffix("/inside_box/main.pyc")
    sys.path += [HOME, f"{sys.prefix}/packages"]

# Costs 3 ms: better now than in a match.
from engine.barter.offers import Offers, offer_key

from .enclose import end_with, give_up_new_privileges, restrict, set_filter
from .games import RegistryHook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

    Untrusted = Any
    """Whatever JSON or a bot brings."""

WIRE = 3
MODULE = "bot"
OUT_OF_MEMORY = '"error":"memory"'
quote = _json.encode_basestring_ascii


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


class _ScannerSettings:
    """What `_json` asks its caller for; json itself would import re."""

    strict = True
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}  # noqa: RUF012

    def __init__(self, object_hook: "Untrusted") -> None:
        self.object_hook = object_hook


def read_message() -> bytes:
    """Return the next message of the referee, who waits for an answer before sending another."""
    data = posix.read(WIRE, 1 << 16)
    while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
        more = posix.read(WIRE, 1 << 16)
        if not more:
            posix._exit(0)
        data += more
    return data[4:]


def send(text: str) -> None:
    """Send one message to the referee."""
    body = text.encode()
    data = len(body).to_bytes(4, "big") + body
    while data:
        data = data[posix.write(WIRE, data) :]


def receiver(hook: "Untrusted") -> "Callable[[], Untrusted]":
    """Return a function that waits for the next message."""
    scan = _json.make_scanner(_ScannerSettings(hook))  # type: ignore[arg-type]

    def receive() -> "Untrusted":
        return scan(read_message().decode(), 0)[0]

    return receive


def describe_error(error: BaseException, program: "Untrusted") -> str:
    """Return what went wrong as fields of a message: the kind and the author's own traceback."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    try:
        return (
            f'"error":"raised","type":{quote(type(error).__name__[:64])},'
            f'"traceback":{quote(format_traceback(error, program)[-8000:])}'
        )
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException:
        return '"error":"raised"'


def format_traceback(error: BaseException, program: "Untrusted") -> str:
    """Return the traceback from the author's file on, with the author's lines."""
    import linecache  # noqa: PLC0415  needed by bots that fail, not by all
    import traceback  # noqa: PLC0415

    text, file = program["source"], program["file"]
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    tb = without_frames_before(error.__traceback__, file)
    return "".join(traceback.format_exception(type(error), error, tb, limit=-12))


def without_frames_before(tb: "TracebackType | None", file: str) -> "TracebackType | None":
    """Return the part of a traceback that begins in the author's file: who called it is ours."""
    own = tb
    while own is not None and own.tb_frame.f_code.co_filename != file:
        own = own.tb_next
    if own is not None:
        return own
    ours = serve.__code__.co_filename
    while tb is not None and tb.tb_frame.f_code.co_filename == ours:
        tb = tb.tb_next
    return tb


def load(program: "Untrusted", sdk: "Untrusted") -> "Untrusted":
    """Return the bot of this source. Its first byte runs here."""
    module = type(sys)(MODULE)
    module.__file__ = program["file"]
    sys.modules[MODULE] = module
    sdk.Bot._seed = program["seed"]
    code = compile(program["source"], program["file"], "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102  this is what the box is for
    return sdk.find_bot(module.__dict__, MODULE)()


def read_options(value: "Untrusted") -> "Untrusted":
    """Return the legal moves: a list, or the lazy sequence of offers."""
    if type(value) is list:
        return value
    red, yellow, green, blue = value["own"]
    own = red << 15 | yellow << 10 | green << 5 | blue
    above = 0
    if value["above"] is not None:
        red, yellow, green, blue = value["above"]
        above = offer_key(red << 15 | yellow << 10 | green << 5 | blue)
    return Offers(tuple(value["first"]), own, above)


def answer(bot: "Untrusted", question: "Untrusted", program: "Untrusted") -> str:
    """Return the bot's move as fields of a message, or what went wrong instead."""
    try:
        view = question["view"]
        view["news"] = question["news"]
        view["time_left_ms"] = question["time_left_ms"]
        move = bot.decide(view, read_options(question["options"]))
        note = bot.take_note()
        if not isinstance(move, str):
            return f'"error":"returned","type":{quote(type(move).__name__[:64])}'
        return f'"move":{quote(move)}' + (f',"note":{quote(note)}' if note else "")
    except BaseException as error:
        return describe_error(error, program)


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
        resource.setrlimit(getattr(resource, name), (int(value), int(value)))


def serve(sdk: "Untrusted") -> None:
    """Say that the walls stand, load the bot, then answer until the referee hangs up."""
    sys.stdout = sys.__stdout__ = Log(1)  # type: ignore[assignment, misc]
    sys.stderr = sys.__stderr__ = Log(2)  # type: ignore[assignment, misc]
    receive = receiver(sdk.View)
    send('{"ready":true}')
    program = receive()
    try:
        bot = load(program, sdk)
    except BaseException as error:
        send("{" + describe_error(error, program) + "}")
        return
    send('{"loaded":true}')
    number = 0
    while True:
        number += 1
        try:
            reply = answer(bot, receive(), program)
        except MemoryError:
            reply = OUT_OF_MEMORY
        send(f'{{"i":{number},{reply}}}')


def main() -> None:
    """Put up the walls, and serve."""
    wire, sdk_entry, second, enclosed, *limits = sys.argv[1:]
    if enclosed:
        enclose_self(enclosed)
    move_descriptor(int(wire), WIRE)
    del sys.argv[1:]
    add_games(HOME)
    sdk = __import__(sdk_entry, fromlist=["Bot"])
    set_limits(limits)
    set_filter(bytes.fromhex(second))
    serve(sdk)


if __name__ == "__main__":
    main()
