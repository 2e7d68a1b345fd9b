"""What a code is: its texts as templates, the situations they speak of, and how they are filled."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Kind = Literal["upload", "load", "soft", "hard", "notice", "ours", "wait", "limit"]
Value = str | int | float | None


class Situation(StrEnum):
    """Where something happened: what follows from it differs, what it is and how to fix it not."""

    CHECK = "check"
    """`karat check`, or the check of an upload: nothing is lost, and the file is not accepted."""
    LOCAL = "local"
    """A match on the author's own machine."""
    LEAGUE = "league"
    """A match of the league. The documents speak of it."""


@dataclass(frozen=True, slots=True)
class Code:
    """One code. Explanation, consequence and fix are templates.

    `[first {value}|second {other}|third]` shows the first alternative of which all values are
    known, or nothing. Whole numbers are grouped (`{match}`: 48,211) unless asked not to be
    (`{match:d}`: 48211). Values stand only inside brackets, so every text is readable without any.
    """

    code: str
    title: str
    kind: Kind
    explanation: str
    fix: str
    consequence: Mapping[Situation, str] = field(default_factory=dict)
    """What follows from it, by situation; nothing is said where none is given."""


@dataclass(frozen=True, slots=True)
class Message:
    """A code in words, ready to be shown."""

    code: str
    title: str
    kind: Kind
    explanation: str
    fix: str
    """What follows from it, and how to fix it."""

    @property
    def link(self) -> str:
        """The page about this code."""
        return f"/docs/errors/{self.code}/"


_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_VALUE = re.compile(r"\{(\w+)(:d)?\}(\.?)")


def fill(template: str, values: Mapping[str, Value]) -> str:
    """Decide every choice of a template. What a value contains is never read as a template."""
    text = _CHOICE.sub(lambda choice: _choose(choice[1], values), template).strip()
    return text[:1].upper() + text[1:]


def _choose(choice: str, values: Mapping[str, Value]) -> str:
    for alternative in choice.split("|"):
        if all(values.get(value[1]) is not None for value in _VALUE.finditer(alternative)):
            return _VALUE.sub(lambda value: _show(value, values), alternative)
    return ""


def _show(value: re.Match[str], values: Mapping[str, Value]) -> str:
    """Return a value as text. A sentence that has a full stop does not get a second one."""
    content = values[value[1]]
    text = f"{content:,}" if isinstance(content, int) and not value[2] else str(content)
    return f"{text.rstrip('.')}." if value[3] else text
