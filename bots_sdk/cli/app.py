"""The commands and their options. What they do is in the modules beside this one."""

from pathlib import Path
from typing import Annotated

import typer

from bots_sdk.cli import (
    check as checking,
    doctor as examining,
    play as playing,
    verify as verifying,
)

app = typer.Typer(
    help="Karat: play gem-trading games with bots, and check the records of matches.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def karat() -> None:
    """Keep `play` and `verify` as names of commands."""


@app.command(
    epilog="Example: karat play basari --bots random,random,fallback --games 100 --record out.jsonl"
)
def play(
    game: Annotated[str, typer.Argument(help="edel-stein-reich, basari or edelsteinsuche")],
    bots: Annotated[
        str, typer.Option(help="names or .py files, by commas; a single one fills all --seats")
    ],
    seats: Annotated[int | None, typer.Option(help="number of seats, if one bot is named")] = None,
    seed: Annotated[str | None, typer.Option(help="match k has the seed SEED-k")] = None,
    games: Annotated[int, typer.Option(help="how many matches", min=1)] = 1,
    option: Annotated[
        list[str] | None, typer.Option(help="an option of the game, such as max_offers=20")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="write the records to this file, one a line")
    ] = None,
    boxed: Annotated[bool, typer.Option("--boxed", help="play files, each in a box")] = False,
    logs: Annotated[
        Path | None, typer.Option(help="write what boxed bots print to this folder")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Play matches between bots and show who came where."""
    order = playing.Order.given(game, bots, seats, seed, games, option or [], boxed)
    playing.run(order, record, logs, as_json)


@app.command(epilog="Example: karat verify out.jsonl")
def verify(
    files: Annotated[list[Path], typer.Argument(help="records: .json, or .jsonl with one a line")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Play recorded matches again and name the first step that differs."""
    verifying.run(files, as_json)


@app.command(epilog="Example: karat check my_bot.py --game basari")
def check(
    file: Annotated[Path, typer.Argument(help="the file of a bot")],
    game: Annotated[str | None, typer.Option(help="the game it is checked with")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Check a bot as the league does: read it, start it in a box, ask it, let it play a match."""
    checking.run(file, game, as_json)


@app.command(epilog="Example: karat doctor")
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Try every wall of the boxes on this machine and say which of them hold."""
    examining.run(as_json)
