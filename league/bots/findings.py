"""What can be said of a file at once, while its author is still writing. Nothing of it is run."""

import ast
from collections.abc import Callable
from dataclasses import dataclass

from engine.games import GAMES
from runners.faults import Message, Value, message
from runners.limits import Limits
from runners.source import (
    EXCERPT,
    Finding,
    check_imports,
    check_signature,
    find_class,
    find_games,
    parse,
    read_text,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding in words, with the place it is about ready to be printed."""

    message: Message
    line: int | None = None
    column: int | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a look at a file told."""

    text: str = ""
    problems: tuple[Problem, ...] = ()
    name: str = ""
    """Of the class that will play."""
    games: tuple[str, ...] = ()


def read(data: bytes, limits: Limits) -> Reading:
    """All problems that can be seen at once: after one of the first two nothing can be told."""
    try:
        text = read_text(data, limits)
    except Finding as found:
        return Reading(problems=(_problem(found, ""),))
    try:
        tree = parse(text)
    except Finding as found:
        return Reading(text, (_problem(found, text),))
    found_all = [_sought(look, tree) for look in (_find_bot, check_imports)]
    problems = tuple(_problem(found, text) for found in found_all if found)
    if problems:
        return Reading(text, problems)
    games = find_games(tree)
    return Reading(
        text, (), find_class(tree).name, tuple(g for g in GAMES if not games or g in games)
    )


def _sought(look: Callable[[ast.Module], object], tree: ast.Module) -> Finding | None:
    try:
        look(tree)
    except Finding as found:
        return found
    return None


def _find_bot(tree: ast.Module) -> None:
    bot = find_class(tree)
    check_signature(bot)
    games = find_games(tree)
    if games and not any(game in GAMES for game in games):
        values: dict[str, Value] = {"name": bot.name, "games": ", ".join(games)}
        raise Finding("E107", values | {"game": ", ".join(GAMES)}, bot.lineno)


def _problem(found: Finding, text: str) -> Problem:
    told = message(found.code, **found.values)
    return Problem(told, found.line, found.column, place(text, found.line, found.column))


def place(text: str, line: int | None, column: int | None) -> str:
    """The line with its number, and a caret below it if the column is known."""
    lines = text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return ""
    shown = lines[line - 1][:EXCERPT]
    margin = " " * len(str(line))
    printed = f"{line} | {shown}"
    if column is None or not 1 <= column <= len(shown) + 1:
        return printed
    # Tabs stay, so that the caret stands where the eye expects it.
    before = "".join(letter if letter == "\t" else " " for letter in shown[: column - 1])
    return f"{printed}\n{margin} | {before}^"
