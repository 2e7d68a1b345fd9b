"""Checking a file on this machine: for `karat check`, and silently before an upload.

Where this machine has no boxes, only the steps that read the file are done.
"""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from bots_sdk.cli.match_request import find_game
from bots_sdk.cli.output import aside, warn
from engine.game import Game
from engine.registry import GAMES
from runners.box.policy import NoWall
from runners.box.select import select_mode_quickly
from runners.failures import InfrastructureError
from runners.limits import DEFAULT
from runners.upload.check import FIXED_SEED, check
from runners.upload.source import Finding, read_outline, read_text
from runners.upload.steps import READING_STEPS

READ_ONLY = "This machine has no boxes, so the bot was only read, not started; the league does all."


def failed_steps(path: Path) -> list[dict[str, Any]]:
    """Return the steps up to the one that failed; none if all is well as far as we can see."""
    data = path.read_bytes()
    game = find_game(first_game(data))
    steps: list[dict[str, Any]] = []
    with aside.status("Checking it here first (--no-check skips this)"):
        try:
            steps.extend(steps_here(data, game, FIXED_SEED, path.name))
        except NoWall:
            warn(READ_ONLY)
        except InfrastructureError as error:
            warn(f"The check could not be finished here: {error} The league checks it anyway.")
    return steps if steps and not steps[-1]["ok"] else []


def steps_here(data: bytes, game: Game, seed: str, file: str) -> Iterator[dict[str, Any]]:
    """Yield all steps; `NoWall` comes after those that read, if nothing can be run here."""
    steps = (asdict(step) | {"game": game.slug} for step in check(data, game, seed=seed, file=file))
    for step in islice(steps, len(READING_STEPS)):
        yield step
        if not step["ok"]:
            return
    warn(select_mode_quickly())
    yield from steps


def first_game(data: bytes) -> str:
    """Return the first game of the bot; if it names none or is no bot, the first there is."""
    try:
        games = read_outline(read_text(data, DEFAULT)).games
    except Finding:
        games = ()
    return next(iter(games or GAMES))
