"""The messages between the referee and a box: four bytes of length, then JSON.

A box first says that it is ready and which version it speaks, is sent the bot, says that it is
loaded or why not, and then answers one question after the other. A question has three lines; see
docs/sandbox.md. Whatever comes from a box is untrusted: it is measured before it is read, and
anything but the one answer that was asked for is a `MalformedReply`.
"""

import json
import re
from typing import Any, NamedTuple, NoReturn

from engine.barter.gems import unpack
from engine.barter.offers import Offers
from engine.game import Json as Value, Options
from runners.json_text import encode

Json = dict[str, Any]

HEADER_BYTES = 4
MAX_NOTE_LENGTH = 200
MAX_TRACEBACK_LENGTH = 8192
VERSION = 2
"""Of these messages. A box that speaks another one is no use: both come from one installation."""
READY: Json = {"ready": True, "protocol": VERSION}
ERRORS = frozenset({"raised", "memory", "returned"})
_PLAIN_ANSWER = re.compile(rb'\{"i":([1-9][0-9]{0,8}),"move":"([ !#-\[\]-~]*)"\}')
"""The usual answer, letter by letter as a box writes it: nothing in it needs a second look."""
_TYPE_NAME = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)


class MalformedReply(Exception):
    """The bytes of a box are not the answer that was asked for; the text says what is wrong."""


class BotReply(NamedTuple):
    """An answer of a box, well formed. Either `move` or `error` is there."""

    move: str | None = None
    note: str | None = None
    error: str | None = None
    type_name: str | None = None
    """The kind of exception, or of what was returned in place of a move."""
    traceback: str | None = None

    @property
    def returned_class(self) -> str | None:
        """The class of what was returned in place of a text; None if that is not what happened."""
        return self.type_name if self.error == "returned" else None


def frame(value: Json) -> bytes:
    """Return a message of one line as bytes."""
    return _frame(encode(value))


def frame_question(
    number: int, view: Value, options: Value, news: bytes, time_left_ms: int
) -> bytes:
    """Return a question as bytes; `news` is JSON already.

    The view and the news have lines of their own, which the box reads only if the bot looks.
    """
    first = encode({"i": number, "options": options, "time_left_ms": time_left_ms})
    return _frame(b"%b\n%b\n%b" % (first, encode(view), news))


def frame_message(message: Json) -> bytes:
    """Return any message as bytes: a question if it has a view."""
    if "view" not in message:
        return frame(message)
    return frame_question(
        message["i"],
        message["view"],
        message["options"],
        encode(message["news"]),
        message["time_left_ms"],
    )


def _frame(body: bytes) -> bytes:
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def options_as_json(options: Options) -> Value:
    """Return the legal moves: a list, or what the lazy sequence of offers is rebuilt from."""
    if isinstance(options, Offers):
        above = unpack(options.above & 0xFFFFF) if options.above else None
        return {"first": list(options.first), "own": unpack(options.own), "above": above}
    return list(options)


class Inbox:
    """Collects the bytes of a box until they are one message, and refuses anything more."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._bytes = bytearray()

    def add(self, data: bytes) -> Json | None:
        """Return the message, once it is complete."""
        length = int.from_bytes(data[:HEADER_BYTES], "big")
        if not self._bytes and len(data) == HEADER_BYTES + length and length <= self._cap:
            return parse(data[HEADER_BYTES:])
        self._bytes += data
        if len(self._bytes) < HEADER_BYTES:
            return None
        length = int.from_bytes(self._bytes[:HEADER_BYTES], "big")
        if length > self._cap:
            raise MalformedReply(f"more than {self._cap >> 10} KiB")
        if len(self._bytes) > HEADER_BYTES + length:
            raise MalformedReply("more than one answer")
        if len(self._bytes) < HEADER_BYTES + length:
            return None
        body = bytes(self._bytes[HEADER_BYTES:])
        self._bytes.clear()
        return parse(body)


def parse(body: bytes) -> Json:
    """Read one JSON object strictly: UTF-8, no NaN, no field twice, no nonsense."""
    if plain := _PLAIN_ANSWER.fullmatch(body):
        return {"i": int(plain[1]), "move": plain[2].decode()}
    try:
        value = _decode(body.decode())
    except MalformedReply:
        raise
    except (ValueError, RecursionError):
        raise MalformedReply("not JSON") from None
    if type(value) is not dict:
        raise MalformedReply("not one answer")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise MalformedReply("a field twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise MalformedReply(f"{name} is not JSON")


def _small(digits: str) -> int:
    if len(digits) > 18:
        raise MalformedReply("a number nobody asked for")
    return int(digits)


_decode = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_small
).decode


def read_loaded(value: Json) -> BotReply:
    """Read the answer to a bot that was sent: it is loaded, or why not."""
    if value == {"loaded": True} and value["loaded"] is True:
        return BotReply()
    return _read_error(value)


def read_answer(value: Json, number: int) -> BotReply:
    """Read the answer to question `number`."""
    answer_number = value.pop("i", None)
    if type(answer_number) is not int or answer_number != number:
        raise MalformedReply("an answer to another question")
    if "error" in value:
        return _read_error(value)
    move = _text(value, "move")
    note = _text(value, "note") if "note" in value else None
    if note is not None and len(note) > MAX_NOTE_LENGTH:
        raise MalformedReply("a note that is too long")
    _nothing_left(value)
    return BotReply(move=move, note=note)


def _read_error(value: Json) -> BotReply:
    error = _text(value, "error")
    if error not in ERRORS:
        raise MalformedReply("an unknown error")
    type_name = _text(value, "type") if "type" in value else None
    traceback = _text(value, "traceback") if "traceback" in value else None
    _nothing_left(value)
    if type_name is not None and not _TYPE_NAME.fullmatch(type_name):
        type_name = None
    if traceback is not None:
        traceback = traceback[:MAX_TRACEBACK_LENGTH]
    return BotReply(error=error, type_name=type_name, traceback=traceback)


def _text(value: Json, field: str) -> str:
    text = value.pop(field, None)
    if type(text) is not str:
        raise MalformedReply(f"no text as {field}")
    if text.isascii() and "\0" not in text:
        return text
    # A lone surrogate is no character: it could never be written into a record. And a zero
    # character could not be stored by every database.
    return text.encode("utf-8", "replace").decode().replace("\0", "␀")


def _nothing_left(value: Json) -> None:
    if value:
        raise MalformedReply("a field nobody asked for")
