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
from runners.bundles.bundle import Bundle
from runners.bundles.own import is_bundle, read_bundle
from runners.failures import InfrastructureError
from runners.limits import DEFAULT
from runners.upload import step_results
from runners.upload.bundle_source import empty_bundle_outline
from runners.upload.check import FIXED_SEED, check
from runners.upload.source import Finding, Upload, read_upload
from runners.upload.steps import READING_STEPS, StepName

READ_ONLY = "This machine has no boxes, so the bot was only read, not started; the league does all."


Content = bytes | Bundle
"""What is checked: the bytes of a file, or a bundle."""


def read_content(path: Path) -> Content:
    """Return what a file, folder or zip holds; raise a `Finding` if it is no bundle."""
    return read_bundle(path) if is_bundle(path) else path.read_bytes()


def failed_steps(content: Content, file: str) -> list[dict[str, Any]]:
    """Return the steps up to the one that failed; none if all is well as far as we can see."""
    game = find_game(first_game(content))
    steps: list[dict[str, Any]] = []
    with aside.status("Checking it here first (--no-check skips this)"):
        try:
            steps.extend(steps_here(content, game, FIXED_SEED, file))
        except NoWall:
            warn(READ_ONLY)
        except InfrastructureError as error:
            warn(f"The check could not be finished here: {error} The league checks it anyway.")
    return steps if steps and not steps[-1]["ok"] else []


def steps_here(content: Content, game: Game, seed: str, file: str) -> Iterator[dict[str, Any]]:
    """Yield all steps; `NoWall` comes after those that read, if nothing can be run here."""
    steps = (
        asdict(step) | {"game": game.slug} for step in check(content, game, seed=seed, file=file)
    )
    for step in islice(steps, len(READING_STEPS)):
        yield step
        if not step["ok"]:
            return
    warn(select_mode_quickly())
    yield from steps


def refused_step(finding: Finding) -> dict[str, Any]:
    """Return the step in which a folder or zip turns out to be no bundle."""
    upload = Upload("", empty_bundle_outline(finding))
    return asdict(step_results.refused_step(StepName.TEXT, finding, upload))


def first_game(content: Content) -> str:
    """Return the first game of the bot; if it names none or is no bot, the first there is."""
    games = read_upload(content, DEFAULT).outline.games
    return next(iter(games or GAMES))
