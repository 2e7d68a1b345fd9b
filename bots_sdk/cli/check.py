"""`karat check`: what the league checks before it lets a file play."""

from dataclasses import asdict
from pathlib import Path

import typer

from bots_sdk.cli.output import NO, out, print_json, refuse
from engine.game import BadSetup
from engine.games import GAMES, find
from runners.box.launch import OurFailure
from runners.box.policy import NoWall
from runners.check import Step, check


def run(path: Path, slug: str | None, as_json: bool) -> None:
    """Check a file step by step; exit status 1 if it may not play."""
    if not path.is_file():
        refuse(f"There is no file {path}.")
    try:
        game = find(slug) if slug else next(iter(GAMES.values()))
        data = path.read_bytes()
    except BadSetup as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    steps: list[Step] = []
    try:
        for number, step in enumerate(check(data, game), 1):
            steps.append(step)
            if not as_json:
                _show(number, step, path)
    except (NoWall, OurFailure) as error:
        refuse(f"{error} See karat doctor.")
    ok = all(step.ok for step in steps)
    if as_json:
        print_json({"ok": ok, "game": game.slug, "steps": [asdict(step) for step in steps]})
    elif ok:
        out.print(f"{path} may play {game.name}.", markup=False)
    if not ok:
        raise typer.Exit(NO)


def _show(number: int, step: Step, path: Path) -> None:
    if step.ok or step.message is None:
        out.print(f"ok  {number} {step.text}", markup=False)
        return
    told = step.message
    place = "" if step.line is None else f"{path}:{step.line}"
    out.print(f"no  {number} {told.code} {told.title}", markup=False)
    lines = [place, told.explanation, *_pointed_at(step), step.traceback or "", told.fix]
    for line in filter(None, lines):
        out.print(line.rstrip(), markup=False)


def _pointed_at(step: Step) -> list[str]:
    """The line of the file, and below it a mark under the column."""
    if step.excerpt is None or step.line is None:
        return []
    margin = " " * len(str(step.line))
    marked = [f"{step.line} | {step.excerpt}"]
    if step.column and step.column <= len(step.excerpt) + 1:
        marked.append(f"{margin} | {' ' * (step.column - 1)}^")
    return marked
