"""`karat play`: matches between named bots."""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TextIO

from rich.table import Table

from bots_sdk.cli.bots import Entrant, entrant
from bots_sdk.cli.logs import write_logs
from bots_sdk.cli.output import aside, out, print_json, progress, refuse
from engine.game import SEAT_LETTERS, BadSetup, Game
from engine.games import find
from runners import match
from runners.box.launch import OurFailure
from runners.box.policy import NoWall
from runners.box.pool import Pool
from runners.boxed import boxed_players
from runners.faults import CODES
from runners.seeds import seat_seed

SHOWN_FAULTS = 10


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be played, checked."""

    game: Game
    bots: list[Entrant]
    seed: str
    games: int
    options: dict[str, Any]

    @classmethod
    def given(
        cls,
        slug: str,
        named: str,
        seats: int | None,
        seed: str | None,
        games: int,
        given: list[str],
        boxed: bool,
    ) -> "Order":
        """Make sense of the command line, or refuse."""
        bots = [entrant(name, boxed) for name in named.split(",")]
        count = len(bots) if seats is None or len(bots) > 1 else seats
        if seats not in (None, count):
            refuse(f"{count} bots are named for {seats} seats; name one for each, or just one.")
        try:
            game = find(slug)
            options = game.settle(count, dict(_option(text) for text in given))
        except BadSetup as error:
            refuse(str(error))
        bots = bots if len(bots) == count else bots * count
        return cls(game, bots, seed or str(secrets.randbelow(10**6)), games, options)


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        refuse(f"{text!r} is not an option; write it as name=value.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@dataclass(slots=True)
class Tally:
    """What came out so far."""

    places: list[list[int]]
    scores: list[int]
    matches: int = 0
    decisions: int = 0
    cpu_seconds: float = 0.0
    faults: list[dict[str, Any]] = field(default_factory=list)

    def add(self, played: match.Played) -> None:
        """Count a finished match."""
        self.matches += 1
        self.decisions += played.decisions
        for seat, place in enumerate(played.outcome.placements):
            self.places[seat][place - 1] += 1
            self.scores[seat] += played.outcome.scores[seat]
        for fault in played.faults:
            told = {"seat": fault.seat, "step": fault.step, "code": fault.code}
            self.faults.append({"match": self.matches, **told, "detail": fault.detail})


def run(order: Order, record: Path | None, logs: Path | None, as_json: bool) -> None:
    """Play, record, and show the result; Ctrl-C ends with what was finished so far."""
    seats = len(order.bots)
    tally = Tally([[0] * seats for _ in range(seats)], [0] * seats)
    strangers = sum(bot.source is not None for bot in order.bots)
    with _opened(record) as file, _boxes(strangers) as pool, progress() as bar:
        task = bar.add_task("Playing", total=order.games, rate="")
        begun = perf_counter()
        try:
            for number in range(1, order.games + 1):
                played = _play_one(order, number, tally, file, pool)
                if logs:
                    write_logs(logs, f"{order.seed}-{number}", order.bots, played)
                rate = f"{tally.matches / (perf_counter() - begun):.0f}/s"
                bar.update(task, completed=tally.matches, rate=rate)
        except KeyboardInterrupt:
            bar.stop()
            aside.print(f"Stopped after {tally.matches} of {order.games} matches.")
    if as_json:
        print_json(_summary(order, tally))
    elif tally.matches:
        _show(order, tally, record)


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


@contextmanager
def _boxes(strangers: int) -> Iterator[Pool]:
    """Boxes for the next match start while this one is played."""
    try:
        with Pool(strangers) as pool:
            yield pool
    except (NoWall, OurFailure) as error:
        refuse(f"{error} See karat doctor.")


def _play_one(
    order: Order, number: int, tally: Tally, file: TextIO | None, pool: Pool
) -> match.Played:
    seed = f"{order.seed}-{number}"
    boxed = {seat: bot.source for seat, bot in enumerate(order.bots) if bot.source is not None}
    begun = process_time()
    with boxed_players(list(boxed.values()), seed, pool=pool, seats=list(boxed)) as strangers:
        pool.fill()
        seated = dict(zip(boxed, strangers, strict=True))
        for seat, bot in enumerate(order.bots):
            if bot.make is not None:
                seated[seat] = bot.make(seat_seed(seed, seat))
        played = match.play(
            order.game,
            [seated[seat] for seat in range(len(order.bots))],
            seed,
            options=order.options,
            seats=[match.describe(bot.name) for bot in order.bots],
            recorded=file is not None,
        )
    tally.cpu_seconds += process_time() - begun
    if file is not None:
        file.write(json.dumps(played.record, ensure_ascii=False, separators=(",", ":")) + "\n")
    tally.add(played)
    return played


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
    out.print(f"{order.game.name}, {seats} seats, seed {order.seed}", markup=False)
    table = Table(box=None, pad_edge=False)
    table.add_column("seat")
    table.add_column("bot")
    for place in ("1st", "2nd", "3rd", "4th", "5th")[:seats]:
        table.add_column(place, justify="right")
    table.add_column("mean score", justify="right")
    for seat, bot in enumerate(order.bots):
        counts = [str(count) for count in tally.places[seat]]
        mean = f"{tally.scores[seat] / tally.matches:.1f}"
        table.add_row(SEAT_LETTERS[seat], bot.name, *counts, mean)
    out.print(table)
    rate = tally.decisions / tally.cpu_seconds if tally.cpu_seconds else 0
    out.print(
        f"{tally.matches:,} match{'es' * (tally.matches != 1)}, {tally.decisions:,} decisions "
        f"in {tally.cpu_seconds:.2f} s of computing ({rate:,.0f} a second)."
    )
    for fault in tally.faults[:SHOWN_FAULTS]:
        where = "loading" if fault["step"] is None else f"step {fault['step']}"
        who = f"{SEAT_LETTERS[fault['seat']]} {order.bots[fault['seat']].name}"
        out.print(
            f"{fault['code']} {CODES[fault['code']].title}: {who}, match {fault['match']}, "
            f"{where}. {fault['detail']}",
            markup=False,
        )
    if len(tally.faults) > SHOWN_FAULTS:
        out.print(f"… and {len(tally.faults) - SHOWN_FAULTS:,} more faults.")
    if record:
        out.print(f"Records: {record}     Check them:  karat verify {record}", markup=False)
