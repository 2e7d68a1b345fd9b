"""What can be said of a file at once, while its author is still writing. Nothing of it is run."""

from dataclasses import dataclass

from league.errors import Refused
from runners.failures import InfrastructureError
from runners.faults import Message, message
from runners.limits import Limits
from runners.upload.outline import MAX_EXCERPT
from runners.upload.source import Finding, read_outline, read_text

RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding in words, with the place it is about ready to be printed."""

    message: Message
    line: int | None = None
    column: int | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a look at a file told."""

    text: str = ""
    problems: tuple[Problem, ...] = ()
    name: str = ""
    """Of the class that will play."""
    games: tuple[str, ...] = ()


def read(data: bytes, limits: Limits) -> Reading:
    """All problems that can be seen at once: after one of the first two nothing can be told."""
    try:
        text = read_text(data, limits)
    except Finding as found:
        return Reading(problems=(_problem(found, ""),))
    try:
        outline = read_outline(text)
    except InfrastructureError:
        raise Refused("L008", status=503, seconds=RETRY_SECONDS) from None
    if findings := outline.findings():
        return Reading(text, tuple(_problem(finding, text) for finding in findings))
    return Reading(text, (), outline.name, outline.plays())


def _problem(found: Finding, text: str) -> Problem:
    told = message(found.code, **found.values)
    return Problem(told, found.line, found.column, place(text, found.line, found.column))


def place(text: str, line: int | None, column: int | None) -> str:
    """The line with its number, and a caret below it if the column is known."""
    lines = text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return ""
    shown = lines[line - 1][:MAX_EXCERPT]
    margin = " " * len(str(line))
    printed = f"{line} | {shown}"
    if column is None or not 1 <= column <= len(shown) + 1:
        return printed
    # Tabs stay, so that the caret stands where the eye expects it.
    before = "".join(letter if letter == "\t" else " " for letter in shown[: column - 1])
    return f"{printed}\n{margin} | {before}^"
