"""An author's file played in this process: quick, with the author's own debugger and prints.

It is asked exactly as in a box and judged by the same rules, so a match comes out the same. Only
the walls are missing, and whoever runs a file must trust it.

Time is the exception, as it differs from run to run. A call that reaches the wall-clock limit is
cut off: E302, or E201 while loading, and a forfeit. One that ends before, but took more computing
time than a league gives, is only reported: the match goes on, and its record stays the same.
"""

import linecache
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter, thread_time
from types import CodeType, FrameType, ModuleType
from typing import Any

from engine.barter.offers import Offers
from engine.game import Json, Options
from runners import watchdog
from runners.bundles.bundle import ENTRY_FILES
from runners.bundles.modules import BundleLoader, ModuleSpace, PythonFiles
from runners.bundles.own import compile_files, is_bundle, open_bundle
from runners.bundles.pack import read_folder
from runners.bundles.unpacked import UnpackedBundle
from runners.failures import Failure
from runners.faults import SOFT
from runners.limits import DEFAULT, Limits
from runners.local_reports import (
    slow_decision,
    slow_load,
    slow_match,
    traceback_lines,
    where_cut_off,
)
from runners.news import Steps
from runners.players import Question
from runners.plugins.discovery import sdk
from runners.prints import Prints
from runners.protocol import BotReply
from runners.untrusted import LATE, UntrustedPlayer, decision_failure, load_failure
from runners.upload.bundle_source import outline_own_bundle, read_texts
from runners.upload.source import compile_source, outline_own, read_text
from runners.upload.steps import StepName
from runners.watchdog import CutOff, Guard

MODULE = "karat_bot"
"""What a file is called while it runs: no name of a module that anybody has."""

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
    files: PythonFiles | None = None
    """All Python files, if it is a bundle."""

    def __call__(self, seed: str, prints: Prints | None = None) -> "LocalPlayer":
        """Return a player for one match. The file runs anew, as it does in a new box."""
        return LocalPlayer(self, seed, prints=prints)

    @property
    def folder(self) -> str | None:
        """Where the files of a bundle are; a single file has none."""
        return str(self.files.folder) if self.files else None

    def new_space(self) -> ModuleSpace | None:
        """Return a space for the modules of one player of a bundle."""
        return ModuleSpace(self.files) if self.files else None

    def run(self, space: ModuleSpace | None) -> UntrustedBot:
        """Run the file, or the entry file of a bundle in its space, and return its bot."""
        if space:
            module = space.run_entry()
        else:
            module = ModuleType(MODULE)
            module.__file__ = self.code.co_filename
            sys.modules[MODULE] = module
            exec(self.code, module.__dict__)  # noqa: S102  the author asked for it, on their own machine
        return _sdk().find_bot(module.__dict__, module.__name__)()

    def show_lines(self) -> None:
        """Let tracebacks show the lines that ran, whatever is in the files by now."""
        if self.files:
            self.files.show_lines()
            return
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.code.co_filename] = len(self.text), None, lines, self.code.co_filename


Source = Program | Path | str | UntrustedBot
"""A program, a file, the text of a file; or a bot's class, or a bot."""


def load(source: Path | str) -> Program:
    """Return the program of a file, or of its text; raise a `Finding` if it cannot be played.

    A `str` is a path unless it has more than one line. A folder or a zip is a bundle.
    """
    if isinstance(source, str) and "\n" in source:
        name, data = "bot.py", source.encode("utf-8", "replace")
    elif is_bundle(path := Path(source)):
        return load_bundle(open_bundle(path), str(path))
    else:
        name, data = str(source), path.read_bytes()
    text = read_text(data, DEFAULT)
    outline = outline_own(text)
    outline.check(StepName.SYNTAX, StepName.CLASS)
    return Program(text, compile_source(text, name), outline.name, outline.games)


def load_bundle(bundle: UnpackedBundle, name: str) -> Program:
    """Return the program of a bundle in a folder, whose files tracebacks find below this name."""
    content = read_folder(bundle.folder)
    texts = read_texts(content, DEFAULT)
    outline = outline_own_bundle(content, texts)
    outline.check(StepName.SYNTAX, StepName.CLASS)
    files = compile_files(bundle, content.files, texts, name)
    # Whoever ends a process that plays it asks for a line, and a zip's are in no file.
    files.show_lines()
    entry = files.files[bundle.entry]
    return Program(entry.text, entry.code, outline.name, outline.games, files)


def runs_bot(frame: FrameType) -> bool:
    """Tell whether a frame runs a line of an author's file."""
    names = frame.f_globals
    return names.get("__name__") == MODULE or isinstance(names.get("__loader__"), BundleLoader)


class LocalPlayer(UntrustedPlayer):
    """One bot at one seat of one match, in this process.

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
        self._program, make, folder, space = _resolve_source(source)
        self._prints = prints
        self._surroundings = _combine(prints, space)
        self._guard = Guard(limits.decision_wall_ms / 1000, limits.decision_cpu_ms / 1000)
        self._cpu_left: float = limits.bank_cpu_ms
        self._overtime: list[tuple[int | None, Failure]] = []
        self._question: tuple[Question, Steps] | None = None
        self._bot: UntrustedBot = None
        self._load(make, seed, folder)

    def _load(self, make: Callable[[], UntrustedBot], seed: str, folder: str | None) -> None:
        watchdog.start()
        guard = Guard(self.limits.load_wall_ms / 1000, self.limits.load_cpu_ms / 1000)
        cpu_started_at = thread_time()
        try:
            with self._surroundings or nullcontext(), guard:
                self._bot = _create_bot(make, seed, folder)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.retire(load_failure(self._describe_error(error, guard), self.limits))
            return
        cpu_ms = (thread_time() - cpu_started_at) * 1000
        if guard.cut_off:
            self.retire(load_failure(BotReply(error=LATE), self.limits))
        elif cpu_ms > self.limits.load_cpu_ms:
            self._overtime.append((None, slow_load(cpu_ms, self.limits)))

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
            self._overtime.append((step, slow_decision(cpu_ms, self.limits)))
        if self._cpu_left < 0 <= self._cpu_left + cpu_ms:
            self._overtime.append((step, slow_match(self.limits)))

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
            if self._surroundings is None:
                move, note = self._think(view, options)
            else:
                with self._surroundings:
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
            return BotReply(error=LATE, traceback=where_cut_off(error, __file__))
        tb = error.__traceback__
        while tb is not None and tb.tb_frame.f_code.co_filename == __file__:
            tb = tb.tb_next
        lines = traceback_lines(error, tb)
        return BotReply(error="raised", type_name=type(error).__name__, traceback="".join(lines))


@cache
def _sdk() -> ModuleType:
    """Return the module that an author's file is written against."""
    return import_module(sdk().entry)


def _combine(prints: Prints | None, space: ModuleSpace | None) -> "_Surroundings | None":
    """Return what is around every call of a bot; nothing costs nothing."""
    if prints and space:
        return _Both(prints, space)
    return prints or space


class _Both:
    """Two `with` blocks in one, entered at every decision."""

    def __init__(self, prints: Prints, space: ModuleSpace) -> None:
        self._prints = prints
        self._space = space

    def __enter__(self) -> None:
        self._prints.__enter__()
        self._space.__enter__()

    def __exit__(self, *error: Any) -> None:  # noqa: ANN401
        self._space.__exit__(*error)
        self._prints.__exit__(*error)


_Surroundings = Prints | ModuleSpace | _Both


def _resolve_source(
    source: Source,
) -> tuple[Program | None, Callable[[], UntrustedBot], str | None, ModuleSpace | None]:
    """Return the program, if it is one, how its bot is made, and where and among which modules."""
    if isinstance(source, type) and issubclass(source, _sdk().Bot):
        return None, source, _folder_of(source), None
    if isinstance(source, _sdk().Bot):
        return None, lambda: source, _folder_of(type(source)), None
    program = source if isinstance(source, Program) else load(source)
    space = program.new_space()
    return program, lambda: program.run(space), program.folder, space


def _folder_of(bot: type) -> str | None:
    """Return the folder of a class that an author's test imported from the entry of a bundle."""
    file = Path(getattr(sys.modules.get(bot.__module__), "__file__", None) or "")
    return str(file.parent.absolute()) if file.name in ENTRY_FILES else None


def _create_bot(make: Callable[[], UntrustedBot], seed: str, folder: str | None) -> UntrustedBot:
    """Return a bot that has its generator and its files from the first byte of its file on."""
    bot_class = _sdk().Bot
    bot_class._seed, bot_class._folder = seed, folder
    try:
        bot = make()
        bot._seed, bot._folder = seed, folder
    finally:
        bot_class._seed, bot_class._folder = "", None
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
