"""The program in the box: closes the last doors, loads the bot, answers questions.

It shares its process with the bot, so nothing it says is believed: the referee reads its words like
a stranger's. It imports next to nothing, because the start of every box pays for every module:
`_json` instead of json, `_ctypes` instead of ctypes.
"""

import _ctypes
import _json
import posix
import resource
import sys

# The other modules are in the folders that only the box has: beside this file, and numpy.
sys.path += [sys.argv[0].rpartition("/")[0], f"{sys.prefix}/packages"]
# Costs 3 ms: better now than in a match.
from engine.barter.offers import Offers, offer_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Thing = Any
    """Whatever JSON or a bot brings: in here everything is a stranger's."""

WIRE = 3
FILE = "bot.py"
MODULE = "bot"
BYTES_HEADER = bytes.__basicsize__ - 1
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
OUT_OF_MEMORY = '"error":"memory"'
quote = _json.encode_basestring_ascii


class Log:
    """Standard output and error: kept up to a cap, then dropped without a word."""

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
        """Nothing waits here."""

    def isatty(self) -> bool:
        """Nobody watches."""
        return False

    def fileno(self) -> int:
        """The descriptor."""
        return self._fd


class _Reading:
    """What `_json` wants to know; json itself would import re."""

    strict = True
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}  # noqa: RUF012

    def __init__(self, object_hook: "Thing") -> None:
        self.object_hook = object_hook


def close_doors(program: bytes) -> None:
    """A filter of system calls. After the second nothing can be executed and no filter be set."""
    if not program:
        return
    header = len(program) // 8
    address = id(program) + BYTES_HEADER
    fprog = header.to_bytes(8, sys.byteorder) + address.to_bytes(8, sys.byteorder)
    everything = _ctypes.dlopen(None, 2)  # type: ignore[arg-type]
    prctl = _ctypes.dlsym(everything, "prctl")
    if _ctypes.call_function(prctl, (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, fprog)) != 0:
        posix._exit(3)


def read_message() -> bytes:
    """The next message of the referee, who waits for an answer before sending another."""
    data = posix.read(WIRE, 1 << 16)
    while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
        more = posix.read(WIRE, 1 << 16)
        if not more:
            posix._exit(0)
        data += more
    return data[4:]


def send(text: str) -> None:
    """One message to the referee."""
    body = text.encode()
    data = len(body).to_bytes(4, "big") + body
    while data:
        data = data[posix.write(WIRE, data) :]


def receiver(hook: "Thing") -> "Callable[[], Thing]":
    """A function that waits for the next message."""
    scan = _json.make_scanner(_Reading(hook))  # type: ignore[arg-type]

    def receive() -> "Thing":
        return scan(read_message().decode(), 0)[0]

    return receive


def complaint(error: BaseException, source: str) -> str:
    """What went wrong, as fields of a message: the kind and the author's own traceback."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    try:
        return (
            f'"error":"raised","type":{quote(type(error).__name__[:64])},'
            f'"traceback":{quote(traceback_of(error, source)[-8000:])}'
        )
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException:
        return '"error":"raised"'


def traceback_of(error: BaseException, source: str) -> str:
    """The traceback without our own frames, with the author's lines."""
    import linecache  # noqa: PLC0415  needed by bots that fail, not by all
    import traceback  # noqa: PLC0415

    lines = source.splitlines(keepends=True)
    linecache.cache[FILE] = (len(source), None, lines, FILE)
    ours = main.__code__.co_filename
    tb = error.__traceback__
    while tb is not None and tb.tb_frame.f_code.co_filename == ours:
        tb = tb.tb_next
    return "".join(traceback.format_exception(type(error), error, tb, limit=-12))


def load(given: "Thing", sdk: "Thing") -> "Thing":
    """The bot of this source. Its first byte runs here."""
    module = type(sys)(MODULE)
    module.__file__ = FILE
    sys.modules[MODULE] = module
    sdk.Bot._seed = given["seed"]
    code = compile(given["source"], FILE, "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102  this is what the box is for
    return sdk.find_bot(module.__dict__, MODULE)()


def options_of(given: "Thing") -> "Thing":
    """The legal moves: a list, or the lazy sequence of offers."""
    if type(given) is list:
        return given
    red, yellow, green, blue = given["own"]
    own = red << 15 | yellow << 10 | green << 5 | blue
    above = 0
    if given["above"] is not None:
        red, yellow, green, blue = given["above"]
        above = offer_key(red << 15 | yellow << 10 | green << 5 | blue)
    return Offers(tuple(given["first"]), own, above)


def answer(bot: "Thing", asked: "Thing", source: str) -> str:
    """The bot's move as fields of a message, or what went wrong instead."""
    try:
        view = asked["view"]
        view["news"] = asked["news"]
        view["time_left_ms"] = asked["time_left_ms"]
        move = bot.decide(view, options_of(asked["options"]))
        note = bot.take_note()
        if not isinstance(move, str):
            return f'"error":"returned","type":{quote(type(move).__name__[:64])}'
        return f'"move":{quote(move)}' + (f',"note":{quote(note)}' if note else "")
    except BaseException as error:
        return complaint(error, source)


def enclose(told: str) -> None:
    """Put up the walls that nobody put up around us."""
    parent, ruleset, flags, first = told.split(",")
    # By name: it lies beside this file only in the box.
    __import__("enclose").enclose(int(parent), int(ruleset), int(flags))
    close_doors(bytes.fromhex(first))


def main() -> None:
    """Get ready, load the bot, then answer until the referee hangs up."""
    wire, second, enclosed, *limits = sys.argv[1:]
    if enclosed:
        enclose(enclosed)
    posix.dup2(int(wire), WIRE, False)
    if int(wire) != WIRE:
        posix.close(int(wire))
    del sys.argv[1:]
    sys.stdout = sys.__stdout__ = Log(1)  # type: ignore[assignment, misc]
    sys.stderr = sys.__stderr__ = Log(2)  # type: ignore[assignment, misc]
    # By name: runners stand below bots_sdk, and only what runs in the box needs it.
    sdk = __import__("bots_sdk.bot", fromlist=["Bot"])
    receive = receiver(sdk.View)
    for limit in limits:
        name, _, value = limit.partition("=")
        resource.setrlimit(getattr(resource, name), (int(value), int(value)))
    close_doors(bytes.fromhex(second))
    send('{"ready":true}')
    given = receive()
    source = given["source"]
    try:
        bot = load(given, sdk)
    except BaseException as error:
        send("{" + complaint(error, source) + "}")
        return
    send('{"loaded":true}')
    number = 0
    while True:
        number += 1
        try:
            said = answer(bot, receive(), source)
        except MemoryError:
            said = OUT_OF_MEMORY
        send(f'{{"i":{number},{said}}}')


if __name__ == "__main__":
    main()
