"""What `play`, `arena` and `duel` are asked to play: game, seats, options, opponents."""

import json
import os
import secrets
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from bots_sdk import house
from bots_sdk.cli.bots import entrant, entrants, games_of, is_own_bot, read_bot_file
from bots_sdk.cli.output import NO, answer_no, refuse, suggest, warn
from bots_sdk.local.matches import Entrant, MatchSetup, WorkerLost
from bots_sdk.local.stuck import end_stuck_command
from engine.game import BadSetup, Game, Json
from engine.registry import GAMES, find
from runners.box.policy import NoWall
from runners.box.select import select_mode_quickly
from runners.failures import InfrastructureError
from runners.watchdog import end_process_on_defiance

BEST_OPPONENT, OTHER_OPPONENTS = "greedy", "random"
"""Who fills the table of a bot that is played by itself; every game has the latter."""
DEFAULT_SEATS = 4


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """The matches of `karat play`, checked."""

    game: Game
    bots: list[Entrant]
    """One for each seat."""
    seed: str
    games: int
    options: dict[str, Json]
    boxed: bool = False
    for_author: bool = False
    """Whether it is for one bot, whose author wants to see how it did."""

    def command(self, record: Path | None = None, boxed: bool = False) -> str:
        """Return the command that plays these matches again."""
        words = ["karat", "play"]
        if self.for_author:
            words += [self.bots[0].file, "--seats", str(len(self.bots))]
        else:
            names = [bot.file if bot.own_file else bot.name for bot in self.bots]
            words += [self.game.slug, "--bots", ",".join(names)]
        words += ["--seed", self.seed]
        if self.games > 1:
            words += ["--games", str(self.games)]
        for name, value in self.options.items():
            if value != self.game.resolve_options(len(self.bots), {})[name]:
                words += ["--option", f"{name}={json.dumps(value)}"]
        if boxed or self.boxed:
            words.append("--boxed")
        if record:
            words += ["--record", str(record)]
        return shlex.join(words)

    def setup(self, recorded: bool) -> MatchSetup:
        """Return what all these matches have in common."""
        return MatchSetup(self.game.slug, tuple(self.bots), self.options, self.boxed, recorded)


def read_request(
    game_or_file: str,
    names: str | None,
    seats: int | None,
    seed: str | None,
    games: int,
    option_texts: Sequence[str],
    boxed: bool,
) -> MatchRequest:
    """Make sense of the command line of `karat play`, or refuse."""
    for_author = is_own_bot(game_or_file)
    if for_author:
        if names:
            refuse("To choose the opponents, name the game first: karat play GAME --bots ….")
        game, bots = _with_opponents(Path(game_or_file), seats, boxed)
    else:
        game = find_game(game_or_file)
        if not names:
            refuse("Missing option '--bots'; or name the file of a bot in place of the game.")
        bots = entrants(names, game, boxed)
    count = len(bots) if seats is None or len(bots) > 1 else seats
    if seats not in (None, count):
        refuse(f"{count} bots are named for {seats} seats; name one for each, or just one.")
    options = resolve_options(game, count, option_texts)
    bots = bots if len(bots) == count else bots * count
    return MatchRequest(game, bots, seed or draw_seed(), games, options, boxed, for_author)


def _with_opponents(path: Path, seats: int | None, boxed: bool) -> tuple[Game, list[Entrant]]:
    """Return the first game of a bot, and the bot with somebody on every other seat."""
    bot = read_bot_file(path, boxed)
    game = find_game((*games_of(bot), *GAMES)[0])
    count = default_seats(game) if seats is None else seats
    resolve_options(game, count, [])
    return game, [bot, *default_opponents(game, count - 1, boxed)]


def default_seats(game: Game) -> int:
    """Return how many sit at a table if nobody says."""
    return DEFAULT_SEATS if DEFAULT_SEATS in game.seats else game.seats[-1]


def default_opponents(game: Game, count: int, boxed: bool) -> list[Entrant]:
    """Return opponents for an author's bot."""
    first = BEST_OPPONENT if BEST_OPPONENT in house.names(game.slug) else OTHER_OPPONENTS
    names = [first, *[OTHER_OPPONENTS] * (count - 1)]
    return [entrant(name, game, boxed) for name in names]


def find_game(slug: str) -> Game:
    """Return the game of this name, or refuse."""
    try:
        return find(slug)
    except BadSetup as error:
        refuse(f"{error}{suggest(slug, GAMES)}")


def resolve_options(game: Game, seats: int, option_texts: Sequence[str]) -> dict[str, Json]:
    """Return the complete options of a match, or refuse."""
    try:
        return game.resolve_options(seats, dict(_option(text) for text in option_texts))
    except BadSetup as error:
        refuse(str(error))


def _option(text: str) -> tuple[str, Json]:
    name, sign, value = text.partition("=")
    if not sign:
        refuse(f"{text!r} is not an option; write it as name=value.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def draw_seed() -> str:
    """Return a random seed that people can read out."""
    return str(secrets.randbelow(10**6))


def core_count() -> int:
    """Return how many processes this machine runs at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@contextmanager
def explain_failures(boxed: bool) -> Iterator[None]:
    """Say in a sentence what went wrong while matches are played in the block."""
    try:
        if boxed:
            warn(select_mode_quickly())
            yield
        else:
            with end_process_on_defiance(end_stuck_command):
                yield
    except (NoWall, InfrastructureError) as error:
        refuse(f"{error} See karat doctor.")
    except WorkerLost as lost:
        if lost.explained:
            raise typer.Exit(NO) from None
        answer_no("A bot ended the process that played it; see what it does with --boxed.")
