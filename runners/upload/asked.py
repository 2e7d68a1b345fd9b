"""What a bot was asked when it failed: decision, method, a few fields of the view, answer, options.

It holds for any game: nothing here knows what the fields of a view mean.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.game import Json, View
from engine.seats import seat_letter
from runners.failures import Failure
from runners.faults import Value
from runners.players import Question
from runners.protocol import BotReply
from runners.upload.source import Outline

MAX_OPTIONS = 4
"""Options that are written out."""
MAX_FIELD = 60
"""Letters of a field of the view; longer ones are left out."""
MAX_MOVE = 80
CLOCK_FIELDS = 2
"""The first numbers of a view say how far the match is, such as phase and round."""
NOT_SHOWN = frozenset({"decision", "variant"})
NONE_RETURNED = "NoneType"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """The question that a bot failed at, for its author."""

    decision: str
    method: str
    """The method of the bot that had to answer."""
    seat: str
    view: dict[str, Json]
    """The fields of the view that matter first, by the names an author would write."""
    move: str | None
    """What it answered, if it was a text."""
    options: list[str]
    """The first of them."""
    option_count: int

    def values(self) -> dict[str, Value]:
        """Return what the texts of a failure say about it."""
        return decision_values(
            self.decision, self.method, self.move, self.options, self.option_count
        )


def decision_values(
    decision: str, method: str, move: str | None, options: Sequence[str], option_count: int
) -> dict[str, Value]:
    """Return what the texts say about a decision; `options` are the first of all there were."""
    more = option_count - len(options)
    some = ", ".join(f"`{option}`" for option in options)
    return {
        "decision": f"`{decision}`",
        "method": method,
        "move": move,
        "count": option_count,
        "options": f"{some} and {more:,} more" if more else some,
    }


def describe(question: Question, reply: BotReply | None, outline: Outline) -> AskedQuestion:
    """Return a question as it is now: a position changes when the match goes on."""
    view, options = question.view, question.options
    move = reply.move if reply else None
    return AskedQuestion(
        decision=view["decision"],
        method=outline.method_for(view["decision"]),
        seat=seat_letter(question.seat),
        view=dict(_excerpt(view)),
        move=None if move is None else _shorten(move),
        options=[options[number] for number in range(min(MAX_OPTIONS, len(options)))],
        option_count=len(options),
    )


def view_as_text(view: Mapping[str, Json]) -> str:
    """Return the fields of a view in a line: `round=3, me.card="E12"`."""
    fields = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in view.items())
    return ", ".join(fields)


def judge(question: Question, reply: BotReply | None, failure: Failure | None) -> Failure | None:
    """Return what is wrong with a reply, as the referee of a match would say it."""
    if failure is None and reply is not None and reply.move is not None:
        reason = question.illegal_reason(reply.move)
        return Failure("E301", reason) if reason else None
    return failure


def returned_values(class_name: str | None) -> dict[str, Value]:
    """Return what came back in place of a move, in words; nothing if that was a move."""
    if class_name is None:
        return {}
    if class_name == NONE_RETURNED:
        return {"returned": "`None`"}
    return {
        "returned": f"an object of the class `{class_name}`",
        "hint": "A move is a text, such as one of the options",
    }


def _excerpt(view: View) -> Iterator[tuple[str, Json]]:
    """Yield how far the match is, what lies on the table by name, and what is the bot's own."""
    numbers = ((name, value) for name, value in view.items() if type(value) is int)
    yield from islice(numbers, CLOCK_FIELDS)
    for name, value in view.items():
        if name in NOT_SHOWN:
            continue
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict):
            yield from _fields(name, value)
    yield from _fields("me", view["seats"][view["seat"]])


def _fields(name: str, value: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield the short fields of an object that hold something."""
    for inner, content in value.items():
        if content not in (None, [], {}) and len(json.dumps(content)) <= MAX_FIELD:
            yield f"{name}.{inner}", content


def _shorten(move: str) -> str:
    return move if len(move) <= MAX_MOVE else f"{move[:MAX_MOVE]}…"
