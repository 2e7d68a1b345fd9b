"""The commands and their options. What they do is in the modules beside this one."""

from pathlib import Path
from typing import Annotated

import typer

from bots_sdk.cli import play as playing, verify as verifying

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
    bots: Annotated[str, typer.Option(help="names, by commas; one name fills all --seats")],
    seats: Annotated[int | None, typer.Option(help="number of seats, if one bot is named")] = None,
    seed: Annotated[str | None, typer.Option(help="match k has the seed SEED-k")] = None,
    games: Annotated[int, typer.Option(help="how many matches", min=1)] = 1,
    option: Annotated[
        list[str] | None, typer.Option(help="an option of the game, such as max_offers=20")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="write the records to this file, one a line")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Play matches between bots and show who came where."""
    playing.run(playing.Order.given(game, bots, seats, seed, games, option or []), record, as_json)


@app.command(epilog="Example: karat verify out.jsonl")
def verify(
    files: Annotated[list[Path], typer.Argument(help="records: .json, or .jsonl with one a line")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Play recorded matches again and name the first step that differs."""
    verifying.run(files, as_json)
