"""`karat play`: matches between bots."""

import json
import shlex
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import typer

from bots_sdk.cli.fault_list import (
    FaultList,
    describe_faults,
    describe_forfeits,
    describe_notices,
)
from bots_sdk.cli.fault_report import warnings_of
from bots_sdk.cli.logs import write_logs
from bots_sdk.cli.match_request import MatchRequest, explain_failures
from bots_sdk.cli.one_match import show_match
from bots_sdk.cli.output import (
    NO,
    defer_ctrl_c,
    ledger,
    plural,
    print_json,
    refuse,
    say,
    say_table,
    show_progress,
    stop_on_ctrl_c,
    warn,
)
from bots_sdk.local.matches import FinishedMatch, Seating, play_all
from engine.game import SEAT_LETTERS
from engine.narration import ordinal
from runners.match import Fault


@dataclass(slots=True)
class Tally:
    """The results so far."""

    places: list[list[int]]
    scores: list[int]
    faults: FaultList
    matches: int = 0
    decisions: int = 0
    cpu_seconds: float = 0.0
    fault_rows: list[dict[str, Any]] = field(default_factory=list)
    """Every fault, as `--json` has it."""
    last: FinishedMatch | None = None

    def add(self, finished: FinishedMatch) -> None:
        """Count a finished match."""
        self.last = finished
        self.matches += 1
        self.decisions += finished.result.decisions
        self.cpu_seconds += finished.cpu_seconds
        outcome = finished.result.outcome
        for seat, place in enumerate(outcome.placements):
            self.places[seat][place - 1] += 1
            self.scores[seat] += outcome.scores[seat]
        self.faults.add(self.matches, finished.result)
        self.fault_rows += [self._row(fault) for fault in finished.result.faults]

    def _row(self, fault: Fault) -> dict[str, Any]:
        """Return a fault as JSON; of those that are alike only the first has its traceback."""
        return {
            "match": self.matches,
            "seat": fault.seat,
            "step": fault.step,
            "code": fault.code,
            "detail": fault.detail,
            "decision": fault.asked.decision if fault.asked else None,
            "traceback": fault.traceback if self.faults.is_first(fault) else None,
        }


def run(
    request: MatchRequest, record: Path | None, logs: Path | None, jobs: int, as_json: bool
) -> None:
    """Play, record, and show the result; Ctrl-C ends with what was finished so far.

    Exit status 1 if a file of the user had a fault; whatever was played is recorded all the same.
    """
    single = request.games == 1 and not as_json
    if request.for_author and single and record is None:
        record = Path(f"{request.bots[0].name}-{request.seed}.json")
    for bot in dict.fromkeys(bot for bot in request.bots if bot.own_file):
        warn("\n".join(warnings_of(bot, request.boxed)))
    tally = _play(request, record, logs, jobs, recorded=single or record is not None)
    if as_json:
        print_json(_summary(request, tally))
    elif tally.last:
        _show(request, tally, record)
    if any(request.bots[row["seat"]].own_file for row in tally.fault_rows):
        raise typer.Exit(NO)


def _play(
    request: MatchRequest, record: Path | None, logs: Path | None, jobs: int, recorded: bool
) -> Tally:
    seats = len(request.bots)
    tally = Tally([[0] * seats for _ in range(seats)], [0] * seats, FaultList(request.bots))
    seatings = [
        Seating(tuple(range(seats)), f"{request.seed}-{number}")
        for number in range(1, request.games + 1)
    ]
    matches = play_all(request.setup(recorded), seatings, min(jobs, request.games))
    progress = show_progress(matches, request.games, "Playing")
    with (
        _open(record) as file,
        explain_failures(request.boxed),
        stop_on_ctrl_c(plural(request.games, "match")) as done,
        closing(matches),
        closing(progress),
    ):
        for finished in progress:
            with defer_ctrl_c():
                if file is not None:
                    _write(file, finished)
                if logs:
                    write_logs(logs, finished.seating.seed, request.bots, finished.result)
                tally.add(finished)
                done.count = tally.matches
    return tally


def _write(file: TextIO, finished: FinishedMatch) -> None:
    record = json.dumps(finished.result.record, ensure_ascii=False, separators=(",", ":"))
    file.write(f"{record}\n")
    # A bot may end this process at any time.
    file.flush()


@contextmanager
def _open(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}.")
    with file:
        yield file


def _summary(request: MatchRequest, tally: Tally) -> dict[str, object]:
    return {
        "game": request.game.slug,
        "seats": len(request.bots),
        "seed": request.seed,
        "matches": tally.matches,
        "decisions": tally.decisions,
        "cpu_seconds": round(tally.cpu_seconds, 3),
        "placements": tally.places,
        "faults": tally.fault_rows,
        "forfeits": [
            {"match": number, "seat": fault.seat, "step": fault.step, "code": fault.code}
            for number, fault in tally.faults.forfeits
        ],
        "notices": [
            {
                "match": group.match,
                "seat": group.fault.seat,
                "step": group.fault.step,
                "code": group.fault.code,
                "detail": group.fault.detail,
                "count": group.count,
            }
            for group in tally.faults.notices.values()
        ],
    }


def _show(request: MatchRequest, tally: Tally, record: Path | None) -> None:
    if request.games == 1 and tally.last:
        show_match(request, tally.last)
    else:
        _show_table(request, tally)
    faults = tally.faults
    lines = [
        *describe_forfeits(request, faults, tally.matches),
        *describe_notices(request, faults),
        _way_on(request, record),
        *describe_faults(request, faults, record),
    ]
    for line in lines:
        say(line)


def _show_table(request: MatchRequest, tally: Tally) -> None:
    seats = len(request.bots)
    say(f"{request.game.name}, {seats} seats, seed {request.seed}")
    table = ledger(
        *("seat", "bot"),
        *(f">{ordinal(place)}" for place in range(1, seats + 1)),
        ">mean score",
    )
    for seat, bot in enumerate(request.bots):
        counts = [str(count) for count in tally.places[seat]]
        mean = f"{tally.scores[seat] / tally.matches:.1f}"
        table.add_row(SEAT_LETTERS[seat], bot.name, *counts, mean)
    say_table(table)
    rate = tally.decisions / tally.cpu_seconds if tally.cpu_seconds else 0
    say(
        f"{plural(tally.matches, 'match')}, {tally.decisions:,} decisions "
        f"in {tally.cpu_seconds:.2f} s of CPU time ({rate:,.0f} per second)."
    )


def _way_on(request: MatchRequest, record: Path | None) -> str:
    """Return what to do with the matches next: watch them, or first record them."""
    if record is None:
        path = Path("match.json" if request.games == 1 else "matches.jsonl")
        return f"Record it to watch it:  {request.command(record=path)}"
    watch = shlex.join(["karat", "watch", str(record)])
    if request.games == 1:
        return f"Replay: {record}     Watch it:  {watch}"
    verify = shlex.join(["karat", "verify", str(record)])
    return f"Records: {record}     Check them:  {verify}"
