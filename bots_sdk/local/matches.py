"""Playing many matches between a few bots: here, or in several processes. Prints nothing.

The matches come out in the order they were asked for, however many processes play them.
"""

import gc
import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import process_time
from typing import Any

from bots_sdk.local.stuck import WORKER_STATUS, end_stuck_worker
from engine.registry import find
from runners import match
from runners.box.policy import NoWall
from runners.box.pool import Pool
from runners.boxed import boxed_players
from runners.bundles.unpacked import Code, UnpackedBundle
from runners.failures import InfrastructureError
from runners.limits import DEFAULT
from runners.local import Program, load, load_bundle
from runners.players import FallbackPlayer, Player, RandomPlayer
from runners.prints import Prints, Screen
from runners.seeds import seat_seed
from runners.upload.source import compile_source
from runners.watchdog import end_process_on_defiance

BUILT_IN: dict[str, Callable[[str], Player]] = {"random": RandomPlayer, "fallback": FallbackPlayer}
"""Players without a file. Each is created for one match, from a seed of its own."""

QUEUE_LENGTH = 2
"""Matches each process has: one that it plays and one for afterwards."""
MAX_UNORDERED = 16
"""Matches for each process that may be finished while an earlier one is still running."""


class WorkerLost(Exception):
    """A process that played matches ended unexpectedly: a bot ended it."""

    def __init__(self, exit_status: int | None) -> None:
        super().__init__(exit_status)
        self.explained = exit_status == WORKER_STATUS
        """Whether it said itself why."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part: a built-in player, the text of a file, or a bundle."""

    name: str
    source: Code | None = None
    file: str = "bot.py"
    """The name of the file in tracebacks, or of the folder or zip that is a bundle."""
    own_file: bool = False
    """Whether the user named the file; house bots have one, too."""

    @property
    def entry(self) -> str:
        """What tracebacks of this process call the file with the bot."""
        source = self.source
        return f"{self.file}/{source.entry}" if isinstance(source, UnpackedBundle) else self.file

    @property
    def text(self) -> str:
        """The text of the file with the bot; a built-in player has none."""
        return self.source.text if isinstance(self.source, UnpackedBundle) else self.source or ""


@dataclass(frozen=True, slots=True)
class Seating:
    """One match to play: who sits where, by number, and the deal."""

    bots: tuple[int, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """What all matches have in common."""

    game: str
    bots: tuple[Entrant, ...]
    options: Mapping[str, Any]
    boxed: bool = False
    recorded: bool = False


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match with its result, and its CPU time on this side of the boxes."""

    seating: Seating
    result: match.MatchResult
    cpu_seconds: float


def play_all(
    setup: MatchSetup, seatings: Iterable[Seating], jobs: int = 1
) -> Generator[FinishedMatch, None, None]:
    """Yield the matches in their order as they finish. Closing the iterator ends all work."""
    return _play_in_processes(setup, seatings, jobs) if jobs > 1 else _play_here(setup, seatings)


def _play_here(
    setup: MatchSetup, seatings: Iterable[Seating]
) -> Generator[FinishedMatch, None, None]:
    with Pool(0) as pool:
        for seating in seatings:
            yield _play(setup, seating, pool)


def _play_in_processes(
    setup: MatchSetup, seatings: Iterable[Seating], jobs: int
) -> Generator[FinishedMatch, None, None]:
    plan = enumerate(seatings)
    sent_count = next_number = 0
    finished: dict[int, FinishedMatch] = {}
    with _workers(setup, jobs) as pipes:
        load = dict.fromkeys(pipes, 0)
        while True:
            for pipe in [*pipes] * QUEUE_LENGTH:
                if load[pipe] < QUEUE_LENGTH and sent_count - next_number < MAX_UNORDERED * jobs:
                    task = next(plan, None)
                    if task is not None:
                        pipe.send(task)
                        load[pipe] += 1
                        sent_count += 1
            if next_number == sent_count:
                return
            for pipe in _ready([pipe for pipe in pipes if load[pipe]]):
                number, result = _receive(pipe, pipes[pipe])
                finished[number] = result
                load[pipe] -= 1
            while next_number in finished:
                yield finished.pop(next_number)
                next_number += 1


def _ready(busy: list[Connection]) -> list[Connection]:
    """Wait until some of these have a result, and return them."""
    ready = wait(busy)
    return [pipe for pipe in busy if pipe in ready]


def _receive(pipe: Connection, process: BaseProcess) -> tuple[int, FinishedMatch]:
    """Return the next match that a process finished; raise what went wrong there."""
    try:
        number, result = pipe.recv()
    except (EOFError, ConnectionResetError):
        process.join()
        raise WorkerLost(process.exitcode) from None
    if isinstance(result, Exception):
        raise result
    return number, result


@contextmanager
def _workers(setup: MatchSetup, jobs: int) -> Iterator[dict[Connection, BaseProcess]]:
    """Start processes that play, each at the end of a pipe of its own. All end with the block.

    A fork has everything loaded already; where threads run, as behind a progress bar, it could take
    over a lock that nobody opens. No queue is shared, so a process can be ended in the middle of a
    message without harm: a bot may never answer, and nobody waits for matches that are no longer
    needed.
    """
    forked = sys.platform == "linux" and threading.active_count() == 1
    contexts = multiprocessing.get_context
    context = contexts("fork") if forked else contexts("spawn")
    with ExitStack() as stack:
        pipes: dict[Connection, BaseProcess] = {}
        for _ in range(jobs):
            near_end, far_end = context.Pipe()
            # A fork has all of these as well, and would never learn that nobody is left.
            foreign = [*pipes, near_end] if forked else []
            process = context.Process(target=_serve, args=(far_end, setup, foreign), daemon=True)
            with _block_ctrl_c(tracked=not forked):
                process.start()
            far_end.close()
            # Called from the last to the first: a process that still sends must find a receiver.
            stack.callback(near_end.close)
            stack.callback(process.join)
            stack.callback(process.terminate)
            pipes[near_end] = process
        yield pipes


def _serve(pipe: Connection, setup: MatchSetup, foreign: Sequence[Connection]) -> None:
    """Play the matches that arrive until the pipe is closed."""
    for other in foreign:
        other.close()
    # What is loaded stays; looking for garbage in it would take time from every match.
    gc.freeze()
    with end_process_on_defiance(end_stuck_worker), Pool(0) as pool:
        while True:
            try:
                number, seating = pipe.recv()
            except EOFError:
                return
            result: FinishedMatch | Exception
            try:
                result = _play(setup, seating, pool)
            except (NoWall, InfrastructureError) as error:
                result = error
            pipe.send((number, result))


@contextmanager
def _block_ctrl_c(*, tracked: bool) -> Iterator[None]:
    """Start processes in the block that never receive Ctrl-C; this one receives it afterwards.

    `tracked`: they are started anew, and with the first comes a tracker of resources.
    """
    if not hasattr(signal, "pthread_sigmask"):
        # Windows can neither block a signal nor has it a tracker of resources.
        yield
        return
    if tracked:
        # Whoever starts the tracker receives Ctrl-C again afterwards, so it is started here.
        resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _sources(setup: MatchSetup, seating: Seating) -> dict[int, Code]:
    """Return the seats that play by a file or a bundle, with it."""
    sources = {seat: setup.bots[bot].source for seat, bot in enumerate(seating.bots)}
    return {seat: source for seat, source in sources.items() if source is not None}


def _play(setup: MatchSetup, seating: Seating, pool: Pool) -> FinishedMatch:
    started_at = process_time()
    players_by_seat: dict[int, Player] = {}
    with ExitStack() as boxes:
        if setup.boxed:
            sources = _sources(setup, seating)
            files = [setup.bots[seating.bots[seat]].file for seat in sources]
            players = boxed_players(
                *(list(sources.values()), seating.seed),
                pool=pool,
                seats=list(sources),
                files=files,
            )
            players_by_seat.update(zip(sources, boxes.enter_context(players), strict=True))
            # Boxes for the next match start while this one is played.
            pool.size = len(sources)
            pool.fill()
        for seat, bot in enumerate(seating.bots):
            if seat not in players_by_seat:
                players_by_seat[seat] = player(setup.bots[bot], seat_seed(seating.seed, seat))
        result = match.play(
            find(setup.game),
            [players_by_seat[seat] for seat in range(len(seating.bots))],
            seating.seed,
            options=setup.options,
            seats=[match.describe(setup.bots[bot].name) for bot in seating.bots],
            recorded=setup.recorded,
        )
    return FinishedMatch(seating, result, process_time() - started_at)


def player(entrant: Entrant, seed: str) -> Player:
    """Return a player in this process for one match."""
    if entrant.source is None:
        return BUILT_IN[entrant.name](seed)
    return program(entrant)(seed, Prints(screen(), DEFAULT.log_kib << 10))


@cache
def screen() -> Screen:
    """Return where bots of this process print: standard error, as standard output is for results.

    What a league would keep of one bot in one match is shown here of all bots and matches.
    """
    return Screen(sys.stderr, DEFAULT.log_kib << 10)


@cache
def program(entrant: Entrant) -> Program:
    """Return the program of an entrant's file or bundle, read once.

    `Finding` says why it cannot play.
    """
    if isinstance(entrant.source, UnpackedBundle):
        return load_bundle(entrant.source, entrant.file)
    # A text of a single line would be taken for a path.
    loaded = load(f"{entrant.source}\n")
    return replace(loaded, code=compile_source(loaded.text, entrant.file))
