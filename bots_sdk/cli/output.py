"""What commands print: results on standard output, everything else on standard error."""

import json
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from time import perf_counter
from typing import NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Table

MAX_WIDTH = 500
NO = 1
WRONG_USE = 2

T = TypeVar("T")

_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)], "\ufffd")

out = Console(highlight=False, soft_wrap=True)
aside = Console(stderr=True, highlight=False, soft_wrap=True)


def refuse(sentence: str) -> NoReturn:
    """Say in one sentence what is wrong with the call, and end."""
    aside.print(sentence, markup=False)
    raise typer.Exit(WRONG_USE)


def answer_no(sentence: str) -> NoReturn:
    """Say why the answer is no, and end."""
    aside.print(sentence, markup=False)
    raise typer.Exit(NO)


def warn(sentence: str) -> None:
    """Say what the user should know, if there is something."""
    if sentence:
        aside.print(sentence, markup=False)


def print_json(value: Mapping[str, object]) -> None:
    """Print one JSON object on a line of its own."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def say(text: str = "") -> None:
    """Print a line of the result, without any markup or control characters it may hold."""
    out.print(text.translate(_CONTROLS), markup=False)


def plural(count: int, noun: str) -> str:
    """Return 1 deal, 2 deals, 2 matches."""
    ending = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count:,} {noun}{ending}"


def alternatives(words: Sequence[str]) -> str:
    """Return `a, b or c`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def suggest(word: str, words: Iterable[str]) -> str:
    """Return ` Did you mean …?` if one of the words is close to this one, and nothing otherwise."""
    by_letters = {known.lower(): known for known in words}
    nearest = get_close_matches(word.lower(), by_letters, n=1)
    return f" Did you mean {by_letters[nearest[0]]}?" if nearest else ""


def ledger(*columns: str) -> Table:
    """Return a table without lines; a column whose name begins with `>` holds numbers."""
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name.removeprefix(">"), justify="right" if name[:1] == ">" else "left")
    return table


def say_table(table: Table) -> None:
    """Print a table as wide as it needs to be: numbers are not broken to fit a window."""
    out.print(table, width=MAX_WIDTH)


def progress() -> Progress:
    """Return a bar with rate and time left, visible only to people at a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=aside,
        transient=True,
        disable=not aside.is_terminal,
    )


def show_progress(items: Iterable[T], total: int | None, doing: str) -> Generator[T, None, None]:
    """Yield the items, and show how many have come."""
    with progress() as bar:
        task = bar.add_task(doing, total=total, rate="")
        started_at = perf_counter()
        for done, item in enumerate(items, 1):
            yield item
            rate = done / (perf_counter() - started_at)
            bar.update(task, completed=done, rate=f"{rate:.{0 if rate >= 10 else 1}f}/s")


@contextmanager
def show_transfer(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar while the block sends bytes; it reports how many of how many."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=aside,
        transient=True,
        disable=not aside.is_terminal,
    ) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda sent, total: bar.update(task, completed=sent, total=total)


@dataclass(slots=True)
class FinishedCount:
    """How many of the things to do are finished."""

    count: int = 0


@contextmanager
def stop_on_ctrl_c(what: str) -> Iterator[FinishedCount]:
    """Let Ctrl-C end the block early, and say how much was finished."""
    done = FinishedCount()
    try:
        yield done
    except KeyboardInterrupt:
        aside.print(f"Stopped after {done.count:,} of {what}.")


@contextmanager
def defer_ctrl_c() -> Iterator[None]:
    """Handle Ctrl-C after the block: what is counted there is counted wholly or not at all."""
    signals: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: signals.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if signals and callable(before):
        before(signals[0], None)
