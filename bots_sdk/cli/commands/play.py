"""`karat play`: matches between named bots."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from bots_sdk.cli.logs import write_logs
from bots_sdk.cli.one_match import show_match
from bots_sdk.cli.order import Order, playing
from bots_sdk.cli.output import (
    ctrl_c_waits,
    ended_by_ctrl_c,
    followed,
    ledger,
    ordinal,
    plural,
    print_json,
    refuse,
    say,
    say_table,
)
from bots_sdk.local.matches import Finished, Seating, play_all
from engine.game import SEAT_LETTERS
from runners.faults import CODES

SHOWN_FAULTS = 10


@dataclass(slots=True)
class Tally:
    """What came out so far."""

    places: list[list[int]]
    scores: list[int]
    matches: int = 0
    decisions: int = 0
    cpu_seconds: float = 0.0
    faults: list[dict[str, Any]] = field(default_factory=list)
    last: Finished | None = None

    def add(self, finished: Finished) -> None:
        """Count a finished match."""
        self.last = finished
        self.matches += 1
        self.decisions += finished.played.decisions
        self.cpu_seconds += finished.cpu_seconds
        outcome = finished.played.outcome
        for seat, place in enumerate(outcome.placements):
            self.places[seat][place - 1] += 1
            self.scores[seat] += outcome.scores[seat]
        for fault in finished.played.faults:
            told = {"seat": fault.seat, "step": fault.step, "code": fault.code}
            self.faults.append({"match": self.matches, **told, "detail": fault.detail})


def run(order: Order, record: Path | None, logs: Path | None, jobs: int, as_json: bool) -> None:
    """Play, record, and show the result; Ctrl-C ends with what was finished so far."""
    single = order.games == 1 and not as_json
    if order.own and single and record is None:
        record = Path(f"{order.bots[0].name}-{order.seed}.json")
    tally = _played(order, record, logs, jobs, recorded=single or record is not None)
    if as_json:
        print_json(_summary(order, tally))
    elif tally.last and single:
        show_match(order, tally.last, record)
        _show_faults(order, tally)
    elif tally.matches:
        _show(order, tally, record)


def _played(
    order: Order, record: Path | None, logs: Path | None, jobs: int, recorded: bool
) -> Tally:
    seats = len(order.bots)
    tally = Tally([[0] * seats for _ in range(seats)], [0] * seats)
    seatings = [
        Seating(tuple(range(seats)), f"{order.seed}-{number}")
        for number in range(1, order.games + 1)
    ]
    matches = play_all(order.hall(recorded), seatings, min(jobs, order.games))
    shown = followed(matches, order.games, "Playing")
    with (
        _opened(record) as file,
        playing(order.boxed),
        ended_by_ctrl_c(plural(order.games, "match")) as done,
        closing(matches),
        closing(shown),
    ):
        for finished in shown:
            with ctrl_c_waits():
                if file is not None:
                    _write(file, finished)
                if logs:
                    write_logs(logs, finished.seating.seed, order.bots, finished.played)
                tally.add(finished)
                done.count = tally.matches
    return tally


def _write(file: TextIO, finished: Finished) -> None:
    record = json.dumps(finished.played.record, ensure_ascii=False, separators=(",", ":"))
    file.write(f"{record}\n")


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}.")
    with file:
        yield file


def _summary(order: Order, tally: Tally) -> dict[str, Any]:
    return {
        "game": order.game.slug,
        "seats": len(order.bots),
        "seed": order.seed,
        "matches": tally.matches,
        "decisions": tally.decisions,
        "cpu_seconds": round(tally.cpu_seconds, 3),
        "placements": tally.places,
        "faults": tally.faults,
    }


def _show(order: Order, tally: Tally, record: Path | None) -> None:
    seats = len(order.bots)
    say(f"{order.game.name}, {seats} seats, seed {order.seed}")
    table = ledger(
        *("seat", "bot"),
        *(f">{ordinal(place)}" for place in range(1, seats + 1)),
        ">mean score",
    )
    for seat, bot in enumerate(order.bots):
        counts = [str(count) for count in tally.places[seat]]
        mean = f"{tally.scores[seat] / tally.matches:.1f}"
        table.add_row(SEAT_LETTERS[seat], bot.name, *counts, mean)
    say_table(table)
    rate = tally.decisions / tally.cpu_seconds if tally.cpu_seconds else 0
    say(
        f"{plural(tally.matches, 'match')}, {tally.decisions:,} decisions "
        f"in {tally.cpu_seconds:.2f} s of computing ({rate:,.0f} a second)."
    )
    _show_faults(order, tally)
    if record:
        say(f"Records: {record}     Check them:  karat verify {record}")


def _show_faults(order: Order, tally: Tally) -> None:
    for fault in tally.faults[:SHOWN_FAULTS]:
        where = "loading" if fault["step"] is None else f"step {fault['step']}"
        who = f"{SEAT_LETTERS[fault['seat']]} {order.bots[fault['seat']].name}"
        say(
            f"{fault['code']} {CODES[fault['code']].title}: {who}, match {fault['match']}, "
            f"{where}. {fault['detail']}"
        )
    if len(tally.faults) > SHOWN_FAULTS:
        say(f"… and {len(tally.faults) - SHOWN_FAULTS:,} more faults.")
