"""The options that commands share, with their help."""

from pathlib import Path
from typing import Annotated

import typer

GAMES_HELP = "edel-stein-reich, basari or edelsteinsuche"

FirstGame = Annotated[
    str | None, typer.Option(help=f"{GAMES_HELP}; the first of the bot unless you say")
]

Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Boxed = Annotated[bool, typer.Option("--boxed", help="play files in boxes, as the league does")]
Seed = Annotated[str | None, typer.Option(help="match k has the seed SEED-k")]
Jobs = Annotated[int, typer.Option(help="how many processes play", min=1)]
JobsOrAll = Annotated[
    int | None,
    typer.Option(help="how many processes play; one a core unless you say", min=1),
]
GameOption = Annotated[
    list[str] | None, typer.Option(help="an option of the game, such as max_offers=20")
]
BotFile = Annotated[Path, typer.Argument(help="the file of a bot")]
Bots = Annotated[
    str | None, typer.Option(help="names or .py files, by commas; a single one fills all --seats")
]
