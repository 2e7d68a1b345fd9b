"""The options that commands share, with their help."""

from pathlib import Path
from typing import Annotated

import typer

from bots_sdk.cli.completion import complete_bot_file, complete_bots, complete_game
from bots_sdk.cli.output import alternatives
from engine.registry import GAMES

GAMES_HELP = alternatives(list(GAMES))
BOT_FILES = "a .py file, a folder or a .zip"
BOTS_HELP = "comma-separated names, .py files, folders or .zip files"

Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Boxed = Annotated[bool, typer.Option("--boxed", help="play files in boxes, as the league does")]
Seed = Annotated[str | None, typer.Option(help="match k has the seed SEED-k; default: random")]
Jobs = Annotated[int, typer.Option(help="how many processes play", min=1)]
JobsOrAll = Annotated[
    int | None,
    typer.Option(help="how many processes play; default: one per core", min=1),
]
GameOption = Annotated[
    list[str] | None, typer.Option(help="an option of the game, such as max_offers=20")
]
BotFile = Annotated[
    Path, typer.Argument(help=f"a bot: {BOT_FILES}", autocompletion=complete_bot_file)
]
Bots = Annotated[
    str | None,
    typer.Option(
        help=f"{BOTS_HELP}; a single one fills all --seats",
        autocompletion=complete_bots,
    ),
]
Game = Annotated[str, typer.Argument(help=GAMES_HELP, autocompletion=complete_game)]
FirstGame = Annotated[
    str | None,
    typer.Option(help=f"{GAMES_HELP}; default: the bot's first", autocompletion=complete_game),
]
