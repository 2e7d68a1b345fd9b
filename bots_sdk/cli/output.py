"""How the command speaks: results on standard output, everything else on standard error."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

NO = 1
WRONG_USE = 2

out = Console(highlight=False, soft_wrap=True)
aside = Console(stderr=True, highlight=False, soft_wrap=True)


def refuse(sentence: str) -> NoReturn:
    """Say in one sentence what is wrong with the call, and end."""
    aside.print(sentence, markup=False)
    raise typer.Exit(WRONG_USE)


def print_json(value: Mapping[str, Any]) -> None:
    """One JSON object on a line of its own."""
    typer.echo(json.dumps(value, ensure_ascii=False))


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
