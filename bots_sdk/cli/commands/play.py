"""`karat play`: matches between bots."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from bots_sdk.cli.logs import write_logs
from bots_sdk.cli.match_request import MatchRequest, explain_failures
from bots_sdk.cli.one_match import show_match
from bots_sdk.cli.output import (
    defer_ctrl_c,
    ledger,
    plural,
    print_json,
    refuse,
    say,
    say_table,
    show_progress,
    stop_on_ctrl_c,
)
from bots_sdk.local.matches import FinishedMatch, Seating, play_all
from engine.game import SEAT_LETTERS
from engine.narration import ordinal
from runners.faults import CODES

SHOWN_FAULTS = 10


@dataclass(slots=True)
class Tally:
    """The results so far."""

    places: list[list[int]]
    scores: list[int]
    matches: int = 0
    decisions: int = 0
    cpu_seconds: float = 0.0
    faults: list[dict[str, Any]] = field(default_factory=list)
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
        for fault in finished.result.faults:
            where = {"match": self.matches, "seat": fault.seat, "step": fault.step}
            self.faults.append({**where, "code": fault.code, "detail": fault.detail})


def run(
    request: MatchRequest, record: Path | None, logs: Path | None, jobs: int, as_json: bool
) -> None:
    """Play, record, and show the result; Ctrl-C ends with what was finished so far."""
    single = request.games == 1 and not as_json
    if request.for_author and single and record is None:
        record = Path(f"{request.bots[0].name}-{request.seed}.json")
    tally = _play(request, record, logs, jobs, recorded=single or record is not None)
    if as_json:
        print_json(_summary(request, tally))
    elif tally.last and single:
        show_match(request, tally.last, record)
        _show_faults(request, tally)
    elif tally.matches:
        _show(request, tally, record)


def _play(
    request: MatchRequest, record: Path | None, logs: Path | None, jobs: int, recorded: bool
) -> Tally:
    seats = len(request.bots)
    tally = Tally([[0] * seats for _ in range(seats)], [0] * seats)
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
        "faults": tally.faults,
    }


def _show(request: MatchRequest, tally: Tally, record: Path | None) -> None:
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
    _show_faults(request, tally)
    if record:
        say(f"Records: {record}     Check them:  karat verify {record}")


def _show_faults(request: MatchRequest, tally: Tally) -> None:
    for fault in tally.faults[:SHOWN_FAULTS]:
        where = "loading" if fault["step"] is None else f"step {fault['step']}"
        who = f"{SEAT_LETTERS[fault['seat']]} {request.bots[fault['seat']].name}"
        say(
            f"{fault['code']} {CODES[fault['code']].title}: {who}, match {fault['match']}, "
            f"{where}. {fault['detail']}"
        )
    if len(tally.faults) > SHOWN_FAULTS:
        say(f"… and {len(tally.faults) - SHOWN_FAULTS:,} more faults.")
