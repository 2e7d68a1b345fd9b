"""How a step of a check went: its words, and the place in the author's files if it failed."""

from dataclasses import dataclass

from runners.failures import Failure
from runners.faults import Message, Situation, Value, message
from runners.upload import traceback_lines
from runners.upload.asked import AskedQuestion
from runners.upload.outline import MAX_EXCERPT
from runners.upload.source import Finding, Upload
from runners.upload.steps import StepName


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the check. A failed one has a message, and the place if there is one."""

    name: StepName
    ok: bool
    text: str
    ms: float = 0.0
    message: Message | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    traceback: str | None = None
    seed: str | None = None
    """Of a step that runs the bot: with the same one the same happens again."""
    asked: AskedQuestion | None = None
    """What the bot was asked when it failed."""
    file: str | None = None
    """The file of a bundle that line and excerpt are of."""
    notices: tuple[Message, ...] = ()
    """What is worth telling the author and no reason to refuse the file."""


class BotFailed(Exception):
    """The bot failed in its box."""

    def __init__(
        self, failure: Failure, asked: AskedQuestion | None = None, **values: Value
    ) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.asked = asked
        self.values = values


def refused_step(name: StepName, finding: Finding, upload: Upload) -> Step:
    """Return a step that found something wrong by reading."""
    text = message(finding.code, Situation.CHECK, **finding.values)
    return Step(
        *(name, False, text.title),
        message=text,
        line=finding.line,
        column=finding.column,
        excerpt=finding.excerpt or _source_line(upload, finding.file, finding.line),
        file=finding.file,
    )


def failed_step(name: StepName, error: BotFailed, upload: Upload, entry: str) -> Step:
    """Return a step in which the bot failed; `entry` is the file with the bot in tracebacks."""
    failure, asked, outline = error.failure, error.asked, upload.outline
    values: dict[str, Value] = asked.values() if asked else {}
    own_line = traceback_lines.read(failure.traceback, entry, outline.modules)
    values |= own_line.values() | {"file": entry} | error.values
    file, line = own_line.file, own_line.line
    if asked and line is None:
        file, line = outline.file or entry, outline.lines.get(asked.method)
        values |= {"line": line, "module": None if file == entry else file}
    bundle_file = file if upload.bundle else None
    return Step(
        *(name, False, failure.detail),
        message=message(failure.code, Situation.CHECK, **values),
        line=line,
        excerpt=_source_line(upload, bundle_file, line),
        traceback=failure.traceback,
        asked=asked,
        file=bundle_file,
    )


def _source_line(upload: Upload, file: str | None, line: int | None) -> str | None:
    lines = upload.text_of(file).split("\n")
    if line is None or not 1 <= line <= len(lines):
        return None
    return lines[line - 1].rstrip("\r")[:MAX_EXCERPT]


def failure_reason(failure: Failure) -> dict[str, Value]:
    """Return the reason of a failure as its texts say it."""
    if failure.code == "E302":
        return {"reason": failure.detail.removeprefix("It did not answer ").rstrip(".")}
    if failure.code in {"E301", "E308", "E309"}:
        return {"reason": failure.detail.rstrip(".")}
    return {}
