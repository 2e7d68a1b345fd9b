"""How the command speaks: results on standard output, everything else on standard error."""

import json
import signal
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

WIDEST = 500
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


def print_json(value: Mapping[str, Any]) -> None:
    """One JSON object on a line of its own."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def say(text: str = "") -> None:
    """A line of the result; what a stranger wrote is neither markup nor orders to the terminal."""
    out.print(text.translate(_CONTROLS), markup=False)


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def plural(count: int, noun: str) -> str:
    """1 deal, 2 deals, 2 matches."""
    ending = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count:,} {noun}{ending}"


def ledger(*columns: str) -> Table:
    """A table without lines; a column whose name begins with `>` is of numbers."""
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name.removeprefix(">"), justify="right" if name[:1] == ">" else "left")
    return table


def say_table(table: Table) -> None:
    """A table as wide as it needs to be: numbers are not broken to fit a narrow window."""
    out.print(table, width=WIDEST)


def progress() -> Progress:
    """A bar with rate and time left, shown only to people at a terminal."""
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


def followed(items: Iterable[T], total: int | None, doing: str) -> Generator[T, None, None]:
    """Hand the items on, and show how far they have come."""
    with progress() as bar:
        task = bar.add_task(doing, total=total, rate="")
        begun = perf_counter()
        for done, item in enumerate(items, 1):
            yield item
            rate = done / (perf_counter() - begun)
            bar.update(task, completed=done, rate=f"{rate:.{0 if rate >= 10 else 1}f}/s")


@dataclass(slots=True)
class Done:
    """How many of the things to do were finished."""

    count: int = 0


@contextmanager
def ended_by_ctrl_c(what: str) -> Iterator[Done]:
    """Ctrl-C ends the block early; how much was done until then is said."""
    done = Done()
    try:
        yield done
    except KeyboardInterrupt:
        aside.print(f"Stopped after {done.count:,} of {what}.")


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C is heard after the block: what is counted there is counted wholly or not at all."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard and callable(before):
        before(heard[0], None)
