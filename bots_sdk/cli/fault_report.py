"""What is wrong with a bot, in full: code, place, the author's lines, reason and fix."""

import re

from bots_sdk.local.matches import Entrant
from engine.game import SEAT_LETTERS, Seat
from runners.faults import Situation, message
from runners.match import Fault
from runners.upload.fault_values import fault_values
from runners.upload.source import Finding, Outline, outline_own, read_outline

_FRAME = re.compile(r'^  File "([^"]+)", line \d+')


def name_bot(seat: Seat, bot: Entrant) -> str:
    """Return a bot with the letter of its seat."""
    return f"{SEAT_LETTERS[seat]} {bot.name}"


def outline_of(bot: Entrant, boxed: bool) -> Outline:
    """Return what can be told of a bot. What is meant for a box is read in a limited child."""
    return read_outline(bot.text) if boxed else outline_own(bot.text)


def explain_fault(fault: Fault, bot: Entrant, at: str, boxed: bool) -> list[str]:
    """Return the lines about a fault: what happened, where in the file, and what to do."""
    outline = outline_of(bot, boxed)
    values = fault_values(fault, outline, bot.file)
    text = message(fault.code, Situation.LOCAL, at=at, **values)
    if fault.traceback:
        place = own_traceback(fault.traceback, bot.file)
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
    text = bot.text.splitlines()[line - 1].strip()
    return [f'  File "{bot.entry}", line {line}, in {method}', f"    {text}"]


def own_traceback(traceback: str, file: str) -> list[str]:
    """Return a traceback without the frames of other files; all of it if there are no others."""
    lines = traceback.rstrip().splitlines()
    kept = []
    own = True
    for line in lines:
        if frame := _FRAME.match(line):
            own = frame[1] == file
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
