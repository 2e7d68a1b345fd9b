"""What is wrong with code, for its author who is still writing. Nothing of it is run."""

import json
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings

from league.bots.bundles.sent_files import SentFiles
from league.bots.source import tree
from league.errors import Refused
from runners.bundles.bundle import Bundle, ListedFile
from runners.failures import InfrastructureError
from runners.faults import Message, Situation, message
from runners.limits import Limits
from runners.upload.finding import Finding
from runners.upload.outline import MAX_EXCERPT
from runners.upload.source import Upload, read_upload

RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding in words, with the place it is about."""

    message: Message
    line: int | None = None
    column: int | None = None
    excerpt: str = ""
    file: str | None = None
    """Of a bundle."""

    @property
    def place(self) -> str:
        """Return the file of a bundle, with the line, unless the message names it."""
        if self.file is None or self.file in self.message.explanation:
            return ""
        return f"{self.file}, line {self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a file or a bundle."""

    text: str = ""
    """Of a bundle, that of the file with the bot."""
    problems: tuple[Problem, ...] = ()
    name: str = ""
    """Of the class that will play; empty if nothing was read but names and sizes."""
    games: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    """What is worth a look and no reason to refuse it."""
    bundle: Bundle | None = None
    files: tuple[ListedFile, ...] = ()
    """Of a bundle, as far as they can be listed."""
    left_out: tuple[str, ...] = ()
    """Names of files that are none of the bot."""
    kept: tuple[int, ...] = ()
    """Positions of the other files in what was sent."""

    @property
    def kept_as_json(self) -> str:
        """Return these positions for the script that sends the files."""
        return json.dumps(self.kept)

    @property
    def tree(self) -> list[tree.Row]:
        """Return the files as a page shows them."""
        return tree.rows(self.files)

    @property
    def summary(self) -> str:
        """Return in words which files there are."""
        return tree.summary(self.files)

    @property
    def size(self) -> int:
        """Return the bytes of all files together."""
        return sum(file.size for file in self.files)


def read(data: bytes | Bundle, limits: Limits) -> Reading:
    """Return all problems that can be seen without running it."""
    try:
        upload = read_upload(data, limits, settings.BUNDLE_LIMITS)
    except InfrastructureError:
        raise Refused("L008", status=503, seconds=RETRY_SECONDS) from None
    outline, bundle = upload.outline, upload.bundle
    problems = tuple(_problem(finding, upload) for finding in outline.findings())
    warnings = tuple(_problem(finding, upload) for finding in outline.warnings)
    facts: dict[str, Any] = {} if problems else {"name": outline.name, "games": outline.plays()}
    files = bundle.listing.files if bundle else ()
    return Reading(upload.text, problems, warnings=warnings, bundle=bundle, files=files, **facts)


def read_sent(sent: SentFiles, limits: Limits) -> Reading:
    """Return all problems of the files of a form, as far as their contents were sent."""
    reading = Reading(files=sent.listed, left_out=sent.left_out, kept=tuple(sent.kept))
    try:
        if sent.archive:
            sent.check_archive()
            data: bytes | Bundle = sent.contents.get(sent.archive, b"")
        else:
            data = sent.bundle()
    except Finding as finding:
        return replace(reading, problems=(_problem(finding),))
    if not sent.complete:
        return reading
    contents = read(data, limits)
    files = contents.files if sent.archive else sent.listed
    return replace(
        contents, files=files or sent.listed, left_out=sent.left_out, kept=tuple(sent.kept)
    )


def _problem(finding: Finding, upload: Upload | None = None) -> Problem:
    explained = message(finding.code, Situation.CHECK, **finding.values)
    line, column, file = finding.line, finding.column, finding.file
    text = upload.text_of(file) if upload else ""
    return Problem(explained, line, column, excerpt(text, line, column), file)


def excerpt(text: str, line: int | None, column: int | None) -> str:
    """Return the line with its number, and a caret below it if the column is known."""
    lines = text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return ""
    return numbered(lines[line - 1][:MAX_EXCERPT], line, column)


def numbered(content: str, line: int, column: int | None) -> str:
    """Return a line with its number, and a caret below it if the column is known."""
    margin = " " * len(str(line))
    row = f"{line} | {content}"
    if column is None or not 1 <= column <= len(content) + 1:
        return row
    # Tabs stay, so that the caret stands where the eye expects it.
    before = "".join(letter if letter == "\t" else " " for letter in content[: column - 1])
    return f"{row}\n{margin} | {before}^"
