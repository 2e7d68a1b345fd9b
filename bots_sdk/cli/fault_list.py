"""The faults and notices of matches on this machine: what is alike is told once and counted."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bots_sdk.cli.fault_report import explain_fault, last_file, name_bot, name_files
from bots_sdk.cli.match_request import MatchRequest
from bots_sdk.cli.output import plural
from bots_sdk.local.matches import Entrant
from engine.game import Seat
from runners.faults import CODES, Situation, message
from runners.limits import DEFAULT
from runners.match import Fault, MatchResult
from runners.upload import traceback_lines

MAX_IN_FULL = 3
MAX_LISTED = 10

Kind = tuple[object, ...]


@dataclass(slots=True)
class Group:
    """The first of several faults that are alike, and how many they are."""

    match: int
    fault: Fault
    count: int = 1


@dataclass(slots=True)
class FaultList:
    """What went wrong so far, in the order in which it happened first."""

    bots: Sequence[Entrant]
    """By seat."""
    faults: dict[Kind, Group] = field(default_factory=dict)
    notices: dict[Kind, Group] = field(default_factory=dict)
    forfeits: list[tuple[int, Fault]] = field(default_factory=list)
    """The number of the match, and the fault that forfeited it."""

    def add(self, number: int, result: MatchResult) -> None:
        """Count the faults and notices of a match."""
        for fault in result.faults:
            self._count(self.faults, self._kind(fault), number, fault)
        for notice in result.notices:
            self._count(self.notices, (notice.seat, notice.code), number, notice)
        for seat in result.forfeits:
            # Nobody is asked after a forfeit, so the last fault is the one.
            last = [fault for fault in result.faults if fault.seat == seat][-1]
            self.forfeits.append((number, last))

    def is_first(self, fault: Fault) -> bool:
        """Return whether it is the one that stands for all that are like it."""
        return self.faults[self._kind(fault)].fault is fault

    def _kind(self, fault: Fault) -> Kind:
        bot = self.bots[fault.seat]
        traceback = name_files(fault.traceback, bot)
        file = last_file(traceback, bot)
        line = traceback_lines.read(traceback, file).line
        decision = fault.asked.decision if fault.asked and line is None else None
        return bot.name, file, fault.code, decision, line

    def _count(self, groups: dict[Kind, Group], kind: Kind, number: int, fault: Fault) -> None:
        if kind in groups:
            groups[kind].count += 1
        else:
            groups[kind] = Group(number, fault)


def describe_forfeits(request: MatchRequest, faults: FaultList, matches: int) -> Iterator[str]:
    """Yield a sentence for each seat that forfeited: at which step, and who went on."""
    by_seat: dict[Seat, list[tuple[int, Fault]]] = {}
    for number, fault in faults.forfeits:
        by_seat.setdefault(fault.seat, []).append((number, fault))
    for seat, forfeits in sorted(by_seat.items()):
        who = name_bot(seat, request.bots[seat])
        number, fault = forfeits[0]
        when = "before its first move" if fault.step is None else f"at step {fault.step}"
        if matches == 1:
            yield f"{who} forfeited {when}; fallback moves finished its game."
        else:
            count = f"{len(forfeits):,} of {plural(matches, 'match')}"
            yield (
                f"{who} forfeited {count}, first match {number} {when}; "
                "fallback moves finished its games."
            )


def describe_faults(request: MatchRequest, faults: FaultList, record: Path | None) -> Iterator[str]:
    """Yield the lines about all faults: the first few kinds in full, each with a way on."""
    groups = list(faults.faults.values())
    for group in groups[:MAX_IN_FULL]:
        bot = request.bots[group.fault.seat]
        yield ""
        yield from explain_fault(group.fault, bot, _place(request, group), request.boxed)
        if group.count > 1:
            yield f"The same happened {plural(group.count - 1, 'more time')}."
        yield from _reproduce(request, group, record)
    if len(groups) > MAX_IN_FULL:
        yield ""
    for group in groups[MAX_IN_FULL:MAX_LISTED]:
        fault = group.fault
        times = f" ({group.count:,} times)" if group.count > 1 else ""
        yield (
            f"{fault.code} {CODES[fault.code].title}: {_place(request, group)}. "
            f"{fault.detail}{times}"
        )
    if rest := groups[MAX_LISTED:]:
        yield f"… and {plural(sum(group.count for group in rest), 'more fault')}."


def describe_notices(request: MatchRequest, faults: FaultList) -> Iterator[str]:
    """Yield the lines about what is no fault here, and may be one in a league."""
    for group in faults.notices.values():
        notice, bot = group.fault, request.bots[group.fault.seat]
        yield ""
        if notice.code == "E305":
            who = name_bot(notice.seat, bot)
            text = message("E305", Situation.LOCAL, at=who, file=bot.file, log_kib=DEFAULT.log_kib)
            yield f"{text.code} {text.title}"
            yield f"{text.explanation} {text.fix}"
            continue
        more = f" It is not the only one: {group.count:,} in all." if group.count > 1 else ""
        yield f"{notice.code} {CODES[notice.code].title}"
        yield f"{_place(request, group)}: {notice.detail}{more}"
        yield f"See what a league does:  {request.command(boxed=True)}"
    if faults.notices:
        yield ""


def _place(request: MatchRequest, group: Group) -> str:
    """Return who did it, in which match if there are several, and at which step."""
    fault = group.fault
    parts = [name_bot(fault.seat, request.bots[fault.seat])]
    if request.games > 1:
        parts.append(f"match {group.match}")
    parts.append("loading" if fault.step is None else f"step {fault.step}")
    return ", ".join(parts)


def _reproduce(request: MatchRequest, group: Group, record: Path | None) -> Iterable[str]:
    """Return the commands that ask the bot again."""
    file, step = request.bots[group.fault.seat].file, group.fault.step
    if step is None:
        return [f"Reproduce it:  {shlex.join(['karat', 'check', file])}"]
    path = record or Path("matches.jsonl" if request.games > 1 else "match.json")
    place = f"{path}:{group.match}" if request.games > 1 else str(path)
    rerun = shlex.join(["karat", "rerun", place, "--step", str(step), file])
    if record:
        return [f"Reproduce it:  {rerun}"]
    return [f"Reproduce it:  {request.command(record=path)}", f"               {rerun}"]
