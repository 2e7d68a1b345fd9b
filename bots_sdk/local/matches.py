"""Playing many matches between a few bots: here, or in several processes. Prints nothing.

The matches come out in the order they were asked for, however many processes play them.
"""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from time import process_time
from typing import Any

from engine.registry import find
from runners import match
from runners.box.policy import NoWall
from runners.box.pool import Pool
from runners.boxed import boxed_players
from runners.failures import InfrastructureError
from runners.local import Program, load
from runners.players import FallbackPlayer, Player, RandomPlayer
from runners.seeds import seat_seed
from runners.upload.source import compile_source

OURS: dict[str, Callable[[str], Player]] = {"random": RandomPlayer, "fallback": FallbackPlayer}
"""Players without a file. Each is made for one match from the seed of its own chance."""

AHEAD = 2
"""Matches each process has: one that it plays and one for afterwards."""
MAX_UNORDERED = 16
"""Matches for each process that may be finished while an earlier one is still played."""


class WorkerLost(Exception):
    """A process that played matches ended by itself: a bot ended it."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part: one of ours, or the text of a file."""

    name: str
    source: str | None = None
    file: str = "bot.py"
    """What the file is called in tracebacks."""


@dataclass(frozen=True, slots=True)
class Seating:
    """One match to be played: who sits where, by number, and the deal."""

    bots: tuple[int, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class Hall:
    """What all matches have in common."""

    game: str
    bots: tuple[Entrant, ...]
    options: Mapping[str, Any]
    boxed: bool = False
    recorded: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that was played, and what it cost this side of the boxes."""

    seating: Seating
    played: match.MatchResult
    cpu_seconds: float


def play_all(
    hall: Hall, seatings: Iterable[Seating], jobs: int = 1
) -> Generator[Finished, None, None]:
    """The matches as they are finished, in their order. Closing the iterator ends all work."""
    return _spread(hall, seatings, jobs) if jobs > 1 else _here(hall, seatings)


def _here(hall: Hall, seatings: Iterable[Seating]) -> Generator[Finished, None, None]:
    with Pool(0) as pool:
        for seating in seatings:
            # Boxes for the next match start while this one is played.
            pool.size = len(_strangers(hall, seating)) if hall.boxed else 0
            yield _play(hall, seating, pool)


def _spread(hall: Hall, seatings: Iterable[Seating], jobs: int) -> Generator[Finished, None, None]:
    plan = enumerate(seatings)
    handed_out = wanted = 0
    finished: dict[int, Finished] = {}
    with _workers(hall, jobs) as pipes:
        load = dict.fromkeys(pipes, 0)
        while True:
            for pipe in pipes * AHEAD:
                if load[pipe] < AHEAD and handed_out - wanted < MAX_UNORDERED * jobs:
                    task = next(plan, None)
                    if task is not None:
                        pipe.send(task)
                        load[pipe] += 1
                        handed_out += 1
            if wanted == handed_out:
                return
            for pipe in _ready([pipe for pipe in pipes if load[pipe]]):
                number, result = _heard(pipe)
                finished[number] = result
                load[pipe] -= 1
            while wanted in finished:
                yield finished.pop(wanted)
                wanted += 1


def _ready(busy: list[Connection]) -> list[Connection]:
    """Wait until some of these have something to say."""
    said = wait(busy)
    return [pipe for pipe in busy if pipe in said]


def _heard(pipe: Connection) -> tuple[int, Finished]:
    """The next match that a process has finished; what went wrong there is raised here."""
    try:
        number, result = pipe.recv()
    except (EOFError, ConnectionResetError):
        raise WorkerLost from None
    if isinstance(result, Exception):
        raise result
    return number, result


@contextmanager
def _workers(hall: Hall, jobs: int) -> Iterator[list[Connection]]:
    """Processes that play, each at the end of a pipe of its own. All end with the block.

    No queue is shared, so that one which is ended in the middle of a word disturbs nobody: a bot
    may never answer, and nobody waits for matches that nobody wants any more.
    """
    context = multiprocessing.get_context("spawn")
    # Whichever process starts the tracker hears of Ctrl-C again afterwards, so it is started here.
    resource_tracker.ensure_running()
    with ExitStack() as stack:
        pipes = []
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, hall), daemon=True)
            with _ctrl_c_is_ours():
                process.start()
            theirs.close()
            # Called from the last to the first: a process that still speaks must find a listener.
            stack.callback(ours.close)
            stack.callback(process.join)
            stack.callback(process.terminate)
            pipes.append(ours)
        yield pipes


def _serve(pipe: Connection, hall: Hall) -> None:
    """Play what is asked for until nobody asks any more."""
    while True:
        try:
            number, seating = pipe.recv()
        except EOFError:
            return
        result: Finished | Exception
        try:
            result = _play(hall, seating, None)
        except (NoWall, InfrastructureError) as error:
            result = error
        pipe.send((number, result))


@contextmanager
def _ctrl_c_is_ours() -> Iterator[None]:
    """Processes started here never hear of Ctrl-C; this one hears of it afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _strangers(hall: Hall, seating: Seating) -> dict[int, str]:
    """The seats played by files, with their texts."""
    sources = {seat: hall.bots[bot].source for seat, bot in enumerate(seating.bots)}
    return {seat: source for seat, source in sources.items() if source is not None}


def _play(hall: Hall, seating: Seating, pool: Pool | None) -> Finished:
    begun = process_time()
    seated: dict[int, Player] = {}
    with ExitStack() as boxes:
        if hall.boxed:
            strangers = _strangers(hall, seating)
            opened = boxed_players(
                list(strangers.values()), seating.seed, pool=pool, seats=list(strangers)
            )
            seated.update(zip(strangers, boxes.enter_context(opened), strict=True))
            if pool:
                pool.fill()
        for seat, bot in enumerate(seating.bots):
            if seat not in seated:
                seated[seat] = player(hall.bots[bot], seat_seed(seating.seed, seat))
        played = match.play(
            find(hall.game),
            [seated[seat] for seat in range(len(seating.bots))],
            seating.seed,
            options=hall.options,
            seats=[match.describe(hall.bots[bot].name) for bot in seating.bots],
            recorded=hall.recorded,
        )
    return Finished(seating, played, process_time() - begun)


def player(entrant: Entrant, seed: str) -> Player:
    """A player in this process for one match."""
    return OURS[entrant.name](seed) if entrant.source is None else program(entrant)(seed)


@cache
def program(entrant: Entrant) -> Program:
    """The program of an entrant's file, read once; `Finding` says why it cannot play."""
    # A text of a single line would be taken for a path.
    read = load(f"{entrant.source}\n")
    return replace(read, code=compile_source(read.text, entrant.file))
