"""Answer the questions of the referee, who trusts these messages no more than the bot's own.

To start quickly it takes `_json` instead of json.
"""

import _json
import posix

# Costs 3 ms: better now than in a match.
from engine.barter.offers import Offers, offer_key

from .unread import unread_maker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

    Untrusted = Any
    """Whatever JSON or a bot brings."""

WIRE = 3
CHUNK = 1 << 13
"""More than most questions have: a larger one would be made and cut for each of them."""
READY = '{"ready":true,"protocol":2}'
"""The first message names the version that both sides must speak; see runners/protocol.py."""
OUT_OF_MEMORY = '"error":"memory"'
quote = _json.encode_basestring_ascii


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
    data = posix.read(WIRE, CHUNK)
    while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
        more = posix.read(WIRE, CHUNK)
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


def decoder(view_class: type) -> "Callable[[bytes], Untrusted]":
    """Return a function that reads a message.

    A question has two lines more, its view and its news, which stay unread until the bot looks.
    """
    scan = _json.make_scanner(_ScannerSettings(None))  # type: ignore[arg-type]
    scan_view = _json.make_scanner(_ScannerSettings(view_class))  # type: ignore[arg-type]
    make_view = unread_maker(view_class, lambda text: scan_view(text, 0)[0])

    def decode(data: bytes) -> "Untrusted":
        text, *lines = data.decode().split("\n")
        message = scan(text, 0)[0]
        if lines:
            view, news = lines
            message["view"] = make_view(view, news, message["time_left_ms"])
        return message

    return decode


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
    lines = "".join(traceback.format_exception(type(error), error, tb, limit=-12))
    folder = program.get("folder")
    # An error may name a file of the bundle; where that lies is nobody's business.
    return lines.replace(f"{folder}/", "") if folder else lines


def without_frames_before(tb: "TracebackType | None", file: str) -> "TracebackType | None":
    """Return the part of a traceback that begins in the author's file: who called it is ours."""
    own = tb
    while own is not None and own.tb_frame.f_code.co_filename != file:
        own = own.tb_next
    if own is not None:
        return own
    ours = answer.__code__.co_filename.rsplit("/", 1)[0]
    while tb is not None and tb.tb_frame.f_code.co_filename.startswith(ours):
        tb = tb.tb_next
    return tb


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
        move = bot.decide(question["view"], read_options(question["options"]))
        note = bot.take_note()
        if not isinstance(move, str):
            return f'"error":"returned","type":{quote(type(move).__name__[:64])}'
        return f'"move":{quote(move)}' + (f',"note":{quote(note)}' if note else "")
    except BaseException as error:
        return describe_error(error, program)


def answer_questions(
    decode: "Callable[[bytes], Untrusted]", bot: "Untrusted", program: "Untrusted"
) -> None:
    """Answer one question after the other until the referee hangs up."""
    number = 0
    while True:
        number += 1
        try:
            reply = answer(bot, decode(read_message()), program)
        except MemoryError:
            reply = OUT_OF_MEMORY
        send(f'{{"i":{number},{reply}}}')
