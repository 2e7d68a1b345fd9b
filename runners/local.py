"""An author's file played in this process: quick, with the author's own debugger and prints.

It is asked exactly as in a box and judged by the same rules, so a match comes out the same. Only
the walls are missing, and whoever runs a file must trust it.

Time is the exception, as it differs from run to run. A call that reaches the wall-clock limit is
cut off: E302, or E201 while loading, and a forfeit. One that ends before, but took more computing
time than a league gives, is only reported: the match goes on, and its record stays the same.
"""

import linecache
import sys
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter, thread_time
from types import CodeType, ModuleType
from typing import Any

from engine.barter.offers import Offers
from engine.game import Json, Options
from runners import watchdog
from runners.failures import Failure
from runners.faults import SOFT
from runners.limits import DEFAULT, Limits
from runners.news import Steps
from runners.players import Question
from runners.plugins.discovery import sdk
from runners.prints import Prints
from runners.protocol import BotReply
from runners.untrusted import LATE, UntrustedPlayer, decision_failure, load_failure
from runners.upload.source import compile_source, outline_own, read_text
from runners.upload.steps import StepName
from runners.watchdog import CutOff, Guard

MODULE = "karat_bot"
"""What a file is called while it runs: no name of a module that anybody has."""
FRAMES = 12

UntrustedBot = Any
"""An object of the author's class: nothing is known of it."""


@dataclass(frozen=True, slots=True)
class Program:
    """A file that was read and found to hold a bot. Called with a seed, it takes a seat."""

    text: str
    code: CodeType
    bot: str
    """The name of the class."""
    games: tuple[str, ...]
    """What it plays, as far as the file says so; empty means everything."""

    def __call__(self, seed: str, prints: Prints | None = None) -> "LocalPlayer":
        """Return a player for one match. The file runs anew, as it does in a new box."""
        return LocalPlayer(self, seed, prints=prints)

    def run(self) -> UntrustedBot:
        """Run the file, and return its bot."""
        module = ModuleType(MODULE)
        module.__file__ = self.code.co_filename
        sys.modules[MODULE] = module
        exec(self.code, module.__dict__)  # noqa: S102  the author asked for it, on their own machine
        return _sdk().find_bot(module.__dict__, MODULE)()

    def show_lines(self) -> None:
        """Let tracebacks show the lines that ran, whatever is in the file by now."""
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.code.co_filename] = len(self.text), None, lines, self.code.co_filename


Source = Program | Path | str | UntrustedBot
"""A program, a file, the text of a file; or a bot's class, or a bot."""


def load(source: Path | str) -> Program:
    """Return the program of a file, or of its text; raise a `Finding` if it cannot be played.

    A `str` is a path unless it has more than one line.
    """
    if isinstance(source, str) and "\n" in source:
        name, data = "bot.py", source.encode("utf-8", "replace")
    else:
        name, data = str(source), Path(source).read_bytes()
    text = read_text(data, DEFAULT)
    outline = outline_own(text)
    outline.check(StepName.SYNTAX, StepName.CLASS)
    return Program(text, compile_source(text, name), outline.name, outline.games)


class LocalPlayer(UntrustedPlayer):
    """One file at one seat of one match, in this process.

    Without `prints`, what the bot prints goes where this process prints, and is not kept.
    """

    def __init__(
        self,
        source: "Source",
        seed: str,
        limits: Limits = DEFAULT,
        *,
        prints: Prints | None = None,
    ) -> None:
        super().__init__(limits)
        self._program, make = _resolve_source(source)
        self._prints = prints
        self._guard = Guard(limits.decision_wall_ms / 1000, limits.decision_cpu_ms / 1000)
        self._cpu_left: float = limits.bank_cpu_ms
        self._overtime: list[tuple[int | None, Failure]] = []
        self._question: tuple[Question, Steps] | None = None
        self._bot: UntrustedBot = None
        self._load(make, seed)

    def _load(self, make: Callable[[], UntrustedBot], seed: str) -> None:
        watchdog.start()
        guard = Guard(self.limits.load_wall_ms / 1000, self.limits.load_cpu_ms / 1000)
        cpu_started_at = thread_time()
        try:
            with self._prints or nullcontext(), guard:
                self._bot = _create_bot(make, seed)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.retire(load_failure(self._describe_error(error, guard), self.limits))
            return
        cpu_ms = (thread_time() - cpu_started_at) * 1000
        if guard.cut_off:
            self.retire(load_failure(BotReply(error=LATE), self.limits))
        elif cpu_ms > self.limits.load_cpu_ms:
            self._overtime.append((None, _slow_load(cpu_ms, self.limits)))

    def ask(self, question: Question, news: Steps) -> None:
        """Keep the question until somebody waits for the answer."""
        self._question = question, news

    def listen(self, step: int) -> tuple[BotReply | None, Failure | None, float]:
        """Think, and return the answer, or what went wrong instead, and the ms it took."""
        assert self._question is not None
        view, options = self._as_in_a_box(*self._question)
        started_at, cpu_started_at = perf_counter(), thread_time()
        reply = self._answer(view, options)
        cpu_ms = (thread_time() - cpu_started_at) * 1000
        ms = (perf_counter() - started_at) * 1000
        self.marks.append((step, self._prints.size if self._prints else 0))
        self.cpu_ms.append(cpu_ms)
        self._cpu_left -= cpu_ms
        if (cpu_ms > self.limits.decision_cpu_ms or self._cpu_left < 0) and reply.error != LATE:
            self._note_overtime(step, cpu_ms)
        failure = decision_failure(reply, self.limits) if reply.error else None
        if failure and failure.code not in SOFT:
            self.retire(failure)
        return reply, failure, ms

    def _note_overtime(self, step: int, cpu_ms: float) -> None:
        """Write down where a league would have stopped the bot for its computing time."""
        if cpu_ms > self.limits.decision_cpu_ms:
            self._overtime.append((step, _slow_decision(cpu_ms, self.limits)))
        if self._cpu_left < 0 <= self._cpu_left + cpu_ms:
            self._overtime.append((step, _slow_match(self.limits)))

    def log(self) -> bytes:
        """Return what the bot printed, as far as it was kept."""
        return self._prints.kept if self._prints else b""

    def log_cut(self) -> bool:
        """Return whether it printed more than a league keeps."""
        return self._prints is not None and self._prints.cut

    def notices(self) -> list[tuple[int | None, Failure]]:
        """Return what its owner should know and is no fault: also what a league would not allow."""
        return [*super().notices(), *self._overtime]

    def _as_in_a_box(self, question: Question, news: Steps) -> tuple[Json, Options]:
        """Return what a box would be sent: plain values of its own, nothing of the match itself."""
        view = as_views(question.view)
        view["news"] = as_views(news)
        limit, left = self.limits.decision_cpu_ms, self._cpu_left
        view["time_left_ms"] = limit if left > limit else int(max(0, left))
        options = question.options
        return view, options if isinstance(options, Offers) else list(options)

    def _answer(self, view: Json, options: Options) -> BotReply:
        guard = self._guard
        try:
            if self._prints is None:
                move, note = self._think(view, options)
            else:
                with self._prints:
                    move, note = self._think(view, options)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return self._describe_error(error, guard)
        if guard.cut_off:
            # It caught the exception that was to end it.
            return BotReply(error=LATE)
        if not isinstance(move, str):
            return BotReply(error="returned", type_name=type(move).__name__)
        return BotReply(move=str.__str__(move), note=note)

    def _think(self, view: Json, options: Options) -> tuple[Any, str | None]:
        """Return what the bot decides, and its note; what it prints goes where it went before."""
        with self._guard:
            return self._bot.decide(view, options), self._bot.take_note()

    def _describe_error(self, error: BaseException, guard: Guard) -> BotReply:
        """Return what went wrong, with the author's own part of the traceback."""
        if isinstance(error, MemoryError):
            return BotReply(error="memory")
        if self._program:
            self._program.show_lines()
        if guard.cut_off or isinstance(error, CutOff):
            return BotReply(error=LATE, traceback=_where_cut_off(error))
        tb = error.__traceback__
        while tb is not None and tb.tb_frame.f_code.co_filename == __file__:
            tb = tb.tb_next
        lines = traceback.format_exception(type(error), error, tb, limit=-FRAMES)
        return BotReply(error="raised", type_name=type(error).__name__, traceback="".join(lines))


def _where_cut_off(error: BaseException) -> str:
    """Return where a bot was when its time was up, without our own frames."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename not in {__file__, watchdog.__file__}
    ]
    lines = traceback.format_list(frames[-FRAMES:])
    return f"Where it was when its time was up (most recent call last):\n{''.join(lines)}"


def _slow_decision(cpu_ms: float, limits: Limits) -> Failure:
    return Failure(
        "E302",
        f"The decision took {cpu_ms:,.0f} ms of computing time; the league's limit is "
        f"{limits.decision_cpu_ms} ms: there it forfeits here.",
    )


def _slow_match(limits: Limits) -> Failure:
    return Failure(
        "E302",
        f"Its decisions so far took more than {limits.bank_cpu_ms / 1000:g} s of computing time, "
        "the league's limit for a match: there it forfeits here.",
    )


def _slow_load(cpu_ms: float, limits: Limits) -> Failure:
    return Failure(
        "E201",
        f"Loading took {cpu_ms:,.0f} ms of computing time; the league's limit is "
        f"{limits.load_cpu_ms:,} ms: there the bot does not start.",
    )


@cache
def _sdk() -> ModuleType:
    """Return the module that an author's file is written against."""
    return import_module(sdk().entry)


def _resolve_source(source: Source) -> tuple[Program | None, Callable[[], UntrustedBot]]:
    """Return the program, if it is one, and how its bot is made."""
    if isinstance(source, type) and issubclass(source, _sdk().Bot):
        return None, source
    if isinstance(source, _sdk().Bot):
        return None, lambda: source
    program = source if isinstance(source, Program) else load(source)
    return program, program.run


def _create_bot(make: Callable[[], UntrustedBot], seed: str) -> UntrustedBot:
    """Return a bot that has a generator of its own from the first byte of its file on."""
    bot_class = _sdk().Bot
    bot_class._seed = seed
    try:
        bot = make()
        bot._seed = seed
    finally:
        bot_class._seed = ""
    return bot


def as_views(value: Json) -> Json:
    """Return a copy of a value as it would come out of JSON, every object of it a view."""
    return _copy(value, _sdk().View)


def _copy(value: Json, as_view: Callable[[Json], Json]) -> Json:
    """Copy it; go down only where there is something inside, as most of a match is spent here."""
    if type(value) is dict:
        copy = as_view(value)
        for name, one in value.items():
            if type(one) in _INSIDE:
                copy[name] = _copy(one, as_view)
        return copy
    if type(value) not in _INSIDE:
        return value
    if _INSIDE.isdisjoint(map(type, value)):
        return [*value]
    return [_copy(one, as_view) if type(one) in _INSIDE else one for one in value]


_INSIDE = frozenset({dict, list, tuple})
