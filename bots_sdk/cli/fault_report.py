"""What is wrong with a bot, in full: code, place, the author's lines, reason and fix."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from bots_sdk.local.matches import Entrant
from engine.game import SEAT_LETTERS, Seat
from runners.bundles.pack import read_folder
from runners.bundles.unpacked import UnpackedBundle
from runners.faults import Situation, message
from runners.limits import DEFAULT
from runners.match import Fault
from runners.upload.bundle_source import outline_own_bundle, read_texts
from runners.upload.fault_values import fault_values
from runners.upload.source import Finding, Outline, outline_own, read_outline, read_upload

_FRAME = re.compile(r'^  File "([^"]+)", line \d+')


def name_bot(seat: Seat, bot: Entrant) -> str:
    """Return a bot with the letter of its seat."""
    return f"{SEAT_LETTERS[seat]} {bot.name}"


@cache
def outline_of(bot: Entrant, boxed: bool) -> Outline:
    """Return what can be told of a bot. What is meant for a box is read in a limited child."""
    if not isinstance(bot.source, UnpackedBundle):
        return read_outline(bot.text) if boxed else outline_own(bot.text)
    bundle = read_folder(bot.source.folder)
    if boxed:
        return read_upload(bundle, DEFAULT).outline
    return outline_own_bundle(bundle, read_texts(bundle, DEFAULT))


def explain_fault(fault: Fault, bot: Entrant, at: str, boxed: bool) -> list[str]:
    """Return the lines about a fault: what happened, where in the file, and what to do."""
    outline = outline_of(bot, boxed)
    fault = replace(fault, traceback=name_files(fault.traceback, bot))
    values = fault_values(fault, outline, last_file(fault.traceback, bot))
    text = message(fault.code, Situation.LOCAL, at=at, **values)
    if fault.traceback:
        place = own_traceback(fault.traceback, bot)
    else:
        place = _method_lines(fault, bot, outline)
    return [f"{text.code} {text.title}", text.explanation, *place, text.fix]


def _method_lines(fault: Fault, bot: Entrant, outline: Outline) -> list[str]:
    """Return where the method is that was asked, in the form of a traceback."""
    if fault.asked is None:
        return []
    method = outline.method_for(fault.asked.decision)
    line = outline.lines.get(method)
    if line is None:
        return []
    file, text = bot.entry, bot.text
    if isinstance(bot.source, UnpackedBundle) and outline.file:
        file = f"{bot.file}/{outline.file}"
        text = (bot.source.folder / outline.file).read_text(encoding="utf-8-sig")
    return [
        f'  File "{file}", line {line}, in {method}',
        f"    {text.splitlines()[line - 1].strip()}",
    ]


def name_files(traceback: str | None, bot: Entrant) -> str | None:
    """Return a traceback with the files of a bundle as this process names them.

    In a box they have the paths they have in the bundle.
    """
    source = bot.source
    if traceback is None or not isinstance(source, UnpackedBundle):
        return traceback

    def with_folder(frame: re.Match[str]) -> str:
        own = not Path(frame[1]).is_absolute() and (source.folder / frame[1]).is_file()
        return frame[0].replace(frame[1], f"{bot.file}/{frame[1]}") if own else frame[0]

    return "\n".join(_FRAME.sub(with_folder, line) for line in traceback.split("\n"))


def last_file(traceback: str | None, bot: Entrant) -> str:
    """Return the file of the bot in which a traceback ends; the one with the bot if in none."""
    frames = map(_FRAME.match, (traceback or "").splitlines())
    own = [frame[1] for frame in frames if frame and _is_own(frame[1], bot)]
    return own[-1] if own else bot.entry


def _is_own(file: str, bot: Entrant) -> bool:
    return file == bot.entry or (
        isinstance(bot.source, UnpackedBundle) and file.startswith(f"{bot.file}/")
    )


def own_traceback(traceback: str, bot: Entrant) -> list[str]:
    """Return a traceback without the frames of other files; all of it if there are no others."""
    lines = traceback.rstrip().splitlines()
    kept = []
    own = True
    for line in lines:
        if frame := _FRAME.match(line):
            own = _is_own(frame[1], bot)
        elif not line.startswith("    "):
            own = True
        if own:
            kept.append(line)
    return kept if any(_FRAME.match(line) for line in kept) else lines


def explain_finding(finding: Finding, file: str) -> list[str]:
    """Return the lines about what is wrong with a file or bundle that was only read."""
    if finding.file:
        file = f"{file}/{finding.file}"
    text = message(finding.code, Situation.LOCAL, **{**finding.values, "file": file})
    place = [] if finding.line is None else [f"{file}:{finding.line}"]
    if finding.excerpt is not None and finding.line is not None:
        place.append(f"{finding.line} | {finding.excerpt}")
        if finding.column and finding.column <= len(finding.excerpt) + 1:
            margin = " " * len(str(finding.line))
            place.append(f"{margin} | {' ' * (finding.column - 1)}^")
    return [f"{text.code} {text.title}", *place, text.explanation, text.fix]


def warnings_of(bot: Entrant, boxed: bool) -> list[str]:
    """Return what a league would refuse or wonder about in a file that plays here."""
    outline = outline_of(bot, boxed)
    lines: list[str] = []
    for finding in outline.findings():
        lines += explain_finding(finding, bot.file)
        lines.append("A league refuses this file; here it plays.")
    for finding in outline.warnings:
        lines += explain_finding(finding, bot.file)
    return lines
