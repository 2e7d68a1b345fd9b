"""`karat check`: what the league checks before it lets a file play."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from bots_sdk.cli.order import game_named, playing
from bots_sdk.cli.output import NO, print_json, refuse, say
from engine.registry import GAMES
from runners.limits import DEFAULT
from runners.upload.check import FIXED_SEED, check
from runners.upload.source import Finding, read_outline, read_text


def run(path: Path, slug: str | None, seed: str, as_json: bool) -> None:
    """Check a file step by step; exit status 1 if it may not play."""
    if not path.is_file():
        refuse(f"There is no file {path}.")
    try:
        data = path.read_bytes()
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    game = game_named(slug or _first_game(data))
    steps: list[dict[str, Any]] = []
    with playing(boxed=True):
        for step in check(data, game, seed=seed):
            steps.append(asdict(step))
            if not as_json:
                show_step(len(steps), steps[-1], path)
    ok = all(step["ok"] for step in steps)
    if as_json:
        print_json({"ok": ok, "game": game.slug, "seed": seed, "steps": steps})
    elif ok:
        say(f"Ready to upload:  karat push {path}")
    if not ok:
        raise typer.Exit(NO)


def _first_game(data: bytes) -> str:
    """The first game of the bot; if it names none or is no bot, the first there is."""
    try:
        games = read_outline(read_text(data, DEFAULT)).games
    except Finding:
        games = ()
    return next(iter(games or GAMES))


def show_step(number: int, step: Mapping[str, Any], path: Path) -> None:
    """A step of the check, made here or told by a league: one line, or all that went wrong."""
    told = step.get("message")
    if step["ok"] or not told:
        say(f"{'ok' if step['ok'] else 'no'}  {number} {step['text']}")
        return
    say(f"no  {number} {told['code']} {told['title']}")
    line = step.get("line")
    place = "" if line is None else f"{path}:{line}"
    lines = [place, told["explanation"], *_pointed_at(step), step.get("traceback"), told["fix"]]
    for text in filter(None, [*lines, _repeat(step, path)]):
        say(text.rstrip())


def _repeat(step: Mapping[str, Any], path: Path) -> str:
    """The command that makes a failed step of a league happen here."""
    seed, game = step.get("seed"), step.get("game")
    if seed in {None, FIXED_SEED}:
        return ""
    return f"Repeat it:  karat check {path}{f' --game {game}' if game else ''} --seed {seed}"


def _pointed_at(step: Mapping[str, Any]) -> list[str]:
    """The line of the file, and below it a mark under the column."""
    line, column, excerpt = (step.get(name) for name in ("line", "column", "excerpt"))
    if excerpt is None or line is None:
        return []
    margin = " " * len(str(line))
    marked = [f"{line} | {excerpt}"]
    if column and column <= len(excerpt) + 1:
        marked.append(f"{margin} | {' ' * (column - 1)}^")
    return marked
