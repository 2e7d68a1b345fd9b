"""`karat play`: matches between named bots."""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TextIO

from rich.table import Table

from bots_sdk.cli.bots import BOTS
from bots_sdk.cli.output import aside, out, print_json, progress, refuse
from engine.game import SEAT_LETTERS, BadSetup, Game
from engine.games import find
from runners import match
from runners.seeds import seat_seed


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be played, checked."""

    game: Game
    bots: list[str]
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
    ) -> "Order":
        """Make sense of the command line, or refuse."""
        bots = named.split(",")
        for bot in bots:
            if bot not in BOTS:
                refuse(f"There is no bot {bot!r}; there are {', '.join(BOTS)}.")
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

    def add(self, played: match.Played) -> None:
        """Count a finished match."""
        self.matches += 1
        self.decisions += played.decisions
        for seat, place in enumerate(played.outcome.placements):
            self.places[seat][place - 1] += 1
            self.scores[seat] += played.outcome.scores[seat]


def run(order: Order, record: Path | None, as_json: bool) -> None:
    """Play, record, and show the result; Ctrl-C ends with what was finished so far."""
    seats = len(order.bots)
    tally = Tally([[0] * seats for _ in range(seats)], [0] * seats)
    with _opened(record) as file, progress() as bar:
        task = bar.add_task("Playing", total=order.games, rate="")
        begun = perf_counter()
        try:
            for number in range(1, order.games + 1):
                _play_one(order, number, tally, file)
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


def _play_one(order: Order, number: int, tally: Tally, file: TextIO | None) -> None:
    seed = f"{order.seed}-{number}"
    players = [BOTS[bot](seat_seed(seed, seat)) for seat, bot in enumerate(order.bots)]
    begun = process_time()
    played = match.play(
        order.game,
        players,
        seed,
        options=order.options,
        seats=[match.describe(bot) for bot in order.bots],
        recorded=file is not None,
    )
    tally.cpu_seconds += process_time() - begun
    if file is not None:
        file.write(json.dumps(played.record, ensure_ascii=False, separators=(",", ":")) + "\n")
    tally.add(played)


def _summary(order: Order, tally: Tally) -> dict[str, Any]:
    return {
        "game": order.game.slug,
        "seats": len(order.bots),
        "seed": order.seed,
        "matches": tally.matches,
        "decisions": tally.decisions,
        "cpu_seconds": round(tally.cpu_seconds, 3),
        "placements": tally.places,
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
        table.add_row(SEAT_LETTERS[seat], bot, *counts, mean)
    out.print(table)
    rate = tally.decisions / tally.cpu_seconds if tally.cpu_seconds else 0
    out.print(
        f"{tally.matches:,} matches, {tally.decisions:,} decisions "
        f"in {tally.cpu_seconds:.2f} s of computing ({rate:,.0f} a second)."
    )
    if record:
        out.print(f"Records: {record}     Check them:  karat verify {record}", markup=False)
