"""`karat check`: what the league checks before it lets a file play."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from bots_sdk.cli.local_check import steps_here
from bots_sdk.cli.match_request import explain_failures, find_game
from bots_sdk.cli.output import NO, print_json, refuse, say
from engine.registry import GAMES
from runners.limits import DEFAULT
from runners.upload.check import FIXED_SEED
from runners.upload.source import Finding, read_outline, read_text


def run(path: Path, slug: str | None, seed: str, as_json: bool) -> None:
    """Check a file step by step; exit status 1 if it may not play."""
    if not path.is_file():
        refuse(f"There is no file {path}.")
    try:
        data = path.read_bytes()
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    game = find_game(slug or _first_game(data))
    steps: list[dict[str, Any]] = []
    with explain_failures(boxed=False):
        for step in steps_here(data, game, seed):
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
    """Return the first game of the bot; if it names none or is no bot, the first there is."""
    try:
        games = read_outline(read_text(data, DEFAULT)).games
    except Finding:
        games = ()
    return next(iter(games or GAMES))


def show_step(number: int, step: Mapping[str, Any], path: Path) -> None:
    """Print a step of a check, made here or by a league: one line, or all that went wrong."""
    error = step.get("message")
    if step["ok"] or not error:
        say(f"{'ok' if step['ok'] else 'no'}  {number} {step['text']}")
        return
    say(f"no  {number} {error['code']} {error['title']}")
    line = step.get("line")
    place = "" if line is None else f"{path}:{line}"
    lines = [place, error["explanation"], *_excerpt(step), step.get("traceback"), error["fix"]]
    for text in filter(None, [*lines, _repeat(step, path)]):
        say(text.rstrip())


def _repeat(step: Mapping[str, Any], path: Path) -> str:
    """Return the command that repeats a failed step of a league here."""
    seed, game = step.get("seed"), step.get("game")
    if seed in {None, FIXED_SEED}:
        return ""
    return f"Repeat it:  karat check {path}{f' --game {game}' if game else ''} --seed {seed}"


def _excerpt(step: Mapping[str, Any]) -> list[str]:
    """Return the line of the file, and below it a mark under the column."""
    line, column, excerpt = (step.get(name) for name in ("line", "column", "excerpt"))
    if excerpt is None or line is None:
        return []
    margin = " " * len(str(line))
    lines = [f"{line} | {excerpt}"]
    if column and column <= len(excerpt) + 1:
        lines.append(f"{margin} | {' ' * (column - 1)}^")
    return lines
