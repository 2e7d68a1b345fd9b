"""What is wrong with a file, for its author who is still writing. Nothing of it is run."""

from dataclasses import dataclass

from league.errors import Refused
from runners.failures import InfrastructureError
from runners.faults import Message, Situation, message
from runners.limits import Limits
from runners.upload.outline import MAX_EXCERPT
from runners.upload.source import Finding, read_outline, read_text

RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding in words, with the line it is about."""

    message: Message
    line: int | None = None
    column: int | None = None
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a file."""

    text: str = ""
    problems: tuple[Problem, ...] = ()
    name: str = ""
    """Of the class that will play."""
    games: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    """What is worth a look and no reason to refuse the file."""


def read(data: bytes, limits: Limits) -> Reading:
    """Return all problems that can be seen without running the file."""
    try:
        text = read_text(data, limits)
    except Finding as finding:
        return Reading(problems=(_problem(finding, ""),))
    try:
        outline = read_outline(text)
    except InfrastructureError:
        raise Refused("L008", status=503, seconds=RETRY_SECONDS) from None
    warnings = tuple(_problem(finding, text) for finding in outline.warnings)
    if findings := outline.findings():
        problems = tuple(_problem(finding, text) for finding in findings)
        return Reading(text, problems, warnings=warnings)
    return Reading(text, (), outline.name, outline.plays(), warnings)


def _problem(finding: Finding, text: str) -> Problem:
    explained = message(finding.code, Situation.CHECK, **finding.values)
    line, column = finding.line, finding.column
    return Problem(explained, line, column, excerpt(text, line, column))


def excerpt(text: str, line: int | None, column: int | None) -> str:
    """Return the line with its number, and a caret below it if the column is known."""
    lines = text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return ""
    content = lines[line - 1][:MAX_EXCERPT]
    margin = " " * len(str(line))
    numbered = f"{line} | {content}"
    if column is None or not 1 <= column <= len(content) + 1:
        return numbered
    # Tabs stay, so that the caret stands where the eye expects it.
    before = "".join(letter if letter == "\t" else " " for letter in content[: column - 1])
    return f"{numbered}\n{margin} | {before}^"
