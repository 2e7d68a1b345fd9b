"""An author's file played in this process: quick, with the author's own debugger and prints.

It is asked exactly as in a box and judged by the same rules, so a match comes out the same. Only
the walls are missing: nothing stops a file that takes too long, and whoever runs it must trust it.
"""

import linecache
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter, thread_time
from types import CodeType, ModuleType
from typing import Any

from engine.barter.offers import Offers
from runners.failures import Failure
from runners.faults import SOFT
from runners.limits import DEFAULT, Limits
from runners.news import Steps
from runners.players import Question
from runners.plugins.discovery import sdk
from runners.protocol import BotReply
from runners.untrusted import UntrustedPlayer, complaint, not_started
from runners.upload.source import compiled, outline_own, read_text
from runners.upload.steps import StepName

MODULE = "karat_bot"
"""What a file is called while it runs: no name of a module that anybody has."""
FRAMES = 12


@dataclass(frozen=True, slots=True)
class Program:
    """A file that was read and found to hold a bot. Called with a seed, it takes a seat."""

    text: str
    code: CodeType
    bot: str
    """The name of the class."""
    games: tuple[str, ...]
    """What it plays, as far as the file says so; empty means everything."""

    def __call__(self, seed: str) -> "LocalPlayer":
        """A player for one match. The file runs anew, as it does in a new box."""
        return LocalPlayer(self, seed)

    def run(self) -> Any:  # noqa: ANN401  a stranger's object
        """The bot of this file."""
        module = ModuleType(MODULE)
        module.__file__ = self.code.co_filename
        sys.modules[MODULE] = module
        exec(self.code, module.__dict__)  # noqa: S102  the author asked for it, on the own machine
        return _sdk().find_bot(module.__dict__, MODULE)()

    def show_lines(self) -> None:
        """Let tracebacks show the lines that ran, whatever is in the file by now."""
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.code.co_filename] = len(self.text), None, lines, self.code.co_filename


Source = Program | Path | str | Any
"""A program, a file, the text of a file; or a bot's class, or a bot."""


def load(source: Path | str) -> Program:
    """The program of a file, or of its text; `Finding` says why it cannot be played.

    A `str` is a path unless it has more than one line.
    """
    if isinstance(source, str) and "\n" in source:
        name, data = "bot.py", source.encode("utf-8", "replace")
    else:
        name, data = str(source), Path(source).read_bytes()
    text = read_text(data, DEFAULT)
    outline = outline_own(text)
    outline.check(StepName.SYNTAX, StepName.CLASS)
    return Program(text, compiled(text, name), outline.name, outline.games)


class LocalPlayer(UntrustedPlayer):
    """One file at one seat of one match, in this process."""

    def __init__(self, source: "Source", seed: str, limits: Limits = DEFAULT) -> None:
        super().__init__(limits)
        self._program, make = _understood(source)
        self._cpu_left: float = limits.bank_cpu_ms
        self._asked: tuple[Question, Steps] | None = None
        self._bot: Any = None
        try:
            self._bot = _made(make, seed)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.retire(not_started(self._told_by(error)))

    def ask(self, question: Question, news: Steps) -> None:
        """Keep the question: it is thought about when the answer is wanted."""
        self._asked = question, news

    def listen(self, step: int) -> tuple[BotReply | None, Failure | None, float]:
        """Think: the answer, or what went wrong instead, and the ms it took."""
        assert self._asked is not None
        view, options = self._shown(*self._asked)
        begun, cpu_begun = perf_counter(), thread_time()
        said = self._answer(view, options)
        self._cpu_left -= (thread_time() - cpu_begun) * 1000
        ms = (perf_counter() - begun) * 1000
        # What it prints goes where the author sees it; nothing is kept.
        self.marks.append((step, 0))
        failure = complaint(said, self.limits) if said.error else None
        if failure and failure.code not in SOFT:
            self.retire(failure)
        return said, failure, ms

    def _shown(self, question: Question, news: Steps) -> tuple[Any, Any]:
        """What a box would be sent: plain values of its own, nothing of the match itself."""
        view = as_views(question.view)
        view["news"] = as_views(news)
        view["time_left_ms"] = int(max(0, min(self.limits.decision_cpu_ms, self._cpu_left)))
        options = question.options
        return view, options if isinstance(options, Offers) else list(options)

    def _answer(self, view: Any, options: Any) -> BotReply:  # noqa: ANN401  theirs
        try:
            move = self._bot.decide(view, options)
            note = self._bot.take_note()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return self._told_by(error)
        if not isinstance(move, str):
            return BotReply(error="returned", type_name=type(move).__name__)
        return BotReply(move=str.__str__(move), note=note)

    def _told_by(self, error: BaseException) -> BotReply:
        """What went wrong, with the author's own part of the traceback."""
        if isinstance(error, MemoryError):
            return BotReply(error="memory")
        if self._program:
            self._program.show_lines()
        tb = error.__traceback__
        while tb is not None and tb.tb_frame.f_code.co_filename == __file__:
            tb = tb.tb_next
        shown = traceback.format_exception(type(error), error, tb, limit=-FRAMES)
        return BotReply(error="raised", type_name=type(error).__name__, traceback="".join(shown))


@cache
def _sdk() -> ModuleType:
    """Return the module that an author's file is written against."""
    return import_module(sdk().entry)


def _understood(source: Source) -> tuple[Program | None, Callable[[], Any]]:
    """The program, if it is one, and how its bot is made."""
    if isinstance(source, type) and issubclass(source, _sdk().Bot):
        return None, source
    if isinstance(source, _sdk().Bot):
        return None, lambda: source
    program = source if isinstance(source, Program) else load(source)
    return program, program.run


def _made(make: Callable[[], Any], seed: str) -> Any:  # noqa: ANN401  a stranger's object
    """A bot with chance of its own, from the first byte of its file on."""
    bot_class = _sdk().Bot
    bot_class._seed = seed
    try:
        bot = make()
        bot._seed = seed
    finally:
        bot_class._seed = ""
    return bot


def as_views(value: Any) -> Any:  # noqa: ANN401  JSON
    """A copy of a value as it would come out of JSON, every object of it a view."""
    return _copied(value, _sdk().View)


def _copied(value: Any, as_view: Callable[[dict[str, Any]], Any]) -> Any:  # noqa: ANN401  JSON
    """Goes down only where there is something inside: this is most of the work of a match here."""
    if type(value) is dict:
        copy = as_view(value)
        for name, one in value.items():
            if type(one) in _INSIDE:
                copy[name] = _copied(one, as_view)
        return copy
    if type(value) not in _INSIDE:
        return value
    return [_copied(one, as_view) if type(one) in _INSIDE else one for one in value]


_INSIDE = frozenset({dict, list, tuple})
