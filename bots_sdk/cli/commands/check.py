"""`karat check`: what the league checks before it lets a file play."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from bots_sdk.cli.local_check import first_game, read_content, refused_step, steps_here
from bots_sdk.cli.match_request import explain_failures, find_game
from bots_sdk.cli.output import NO, print_json, refuse, say
from engine.game import Game
from engine.registry import GAMES
from runners.boxed import FILE
from runners.upload.asked import view_as_text
from runners.upload.check import FIXED_SEED
from runners.upload.source import Finding


def run(path: Path, slug: str | None, seed: str, as_json: bool) -> None:
    """Check a bot step by step; exit status 1 if it may not play."""
    if not path.exists():
        refuse(f"There is no file or folder {path}.")
    steps: list[dict[str, Any]] = []
    game = find_game(slug) if slug else None
    with explain_failures(boxed=False):
        for step in _steps(path, game, seed):
            steps.append(step)
            if not as_json:
                show_step(len(steps), steps[-1], path)
    ok = all(step["ok"] for step in steps)
    if as_json:
        print_json({"ok": ok, "game": steps[0]["game"], "seed": seed, "steps": steps})
    elif ok:
        say(f"Ready to upload:  karat push {path}")
    if not ok:
        raise typer.Exit(NO)


def _steps(path: Path, game: Game | None, seed: str) -> Iterator[dict[str, Any]]:
    """Yield the steps of a check in this game, or in the bot's first."""
    try:
        content = read_content(path)
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    except Finding as finding:
        yield refused_step(finding) | {"game": (game or find_game(next(iter(GAMES)))).slug}
        return
    game = game or find_game(first_game(content))
    yield from steps_here(content, game, seed, path.name)


def show_step(number: int, step: Mapping[str, Any], path: Path) -> None:
    """Print a step of a check, made here or by a league: one line, or all that went wrong."""
    error = step.get("message")
    if step["ok"] or not error:
        say(f"{'ok' if step['ok'] else 'no'}  {number} {step['text']}")
    else:
        _show_failure(number, step, path)
    for notice in step.get("notices") or ():
        say(f"    Notice: {notice['code']} {notice['title']}")
        say(f"    {notice['explanation']} {notice['fix']}")


def _show_failure(number: int, step: Mapping[str, Any], path: Path) -> None:
    error, line = step["message"], step.get("line")
    say(f"no  {number} {error['code']} {error['title']}")
    place = f"{path}" if line is None else f"{name_file(path, step)}:{line}"
    lines = [place, *_excerpt(step), error["explanation"], _view(step), _traceback(step, path)]
    for text in filter(None, [*lines, error["fix"], _repeat(step, path)]):
        say(text.rstrip())


def name_file(path: Path, step: Mapping[str, Any]) -> str:
    """Return the file that a step is about: of a bundle, one of several."""
    return str(path / step["file"]) if step.get("file") else str(path)


def _traceback(step: Mapping[str, Any], path: Path) -> str:
    """Return the traceback with the name of the author's file, which a league does not know."""
    traceback: str = step.get("traceback") or ""
    return traceback.replace(f'File "{FILE}"', f'File "{path.name}"')


def _view(step: Mapping[str, Any]) -> str:
    """Return what the bot saw when it failed."""
    asked = step.get("asked")
    return f"Seat {asked['seat']} saw:  {view_as_text(asked['view'])}" if asked else ""


def _repeat(step: Mapping[str, Any], path: Path) -> str:
    """Return the command that repeats a failed step that ran the bot, of a league or of here."""
    seed, game = step.get("seed"), step.get("game")
    if seed is None:
        return ""
    words = ["karat", "check", str(path), *(["--game", game] if game else [])]
    if seed != FIXED_SEED:
        words += ["--seed", seed]
    return f"Reproduce it:  {shlex.join(words)}"


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
