"""What `play`, `arena` and `duel` are asked for, made sense of."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots_sdk.cli.bots import author_s, entrant, entrants, games_of
from bots_sdk.cli.output import answer_no, refuse, warn
from bots_sdk.local.matches import Entrant, Hall, WorkerLost
from engine.game import BadSetup, Game
from engine.registry import GAMES, find
from runners.box.policy import NoWall
from runners.box.select import select_mode_quickly
from runners.failures import InfrastructureError

COMPANY = "greedy", "random"
"""Who fills the table of a bot that is played by itself: the first once, the second as often as
needed."""
USUAL_SEATS = 4


@dataclass(frozen=True, slots=True)
class Order:
    """The matches of `karat play`, checked."""

    game: Game
    bots: list[Entrant]
    """One for each seat."""
    seed: str
    games: int
    options: dict[str, Any]
    boxed: bool = False
    own: bool = False
    """Whether it is for one bot, whose author wants to see how it did."""

    def hall(self, recorded: bool) -> Hall:
        """Where these matches are played."""
        return Hall(self.game.slug, tuple(self.bots), self.options, self.boxed, recorded)


def ordered(
    what: str,
    named: str | None,
    seats: int | None,
    seed: str | None,
    games: int,
    given: list[str],
    boxed: bool,
) -> Order:
    """Make sense of the command line of `karat play`, or refuse."""
    own = what.endswith(".py")
    if own:
        if named:
            refuse("Name the game first if you choose the opponents: karat play GAME --bots ….")
        game, bots = _with_company(Path(what), seats, boxed)
    else:
        game = game_named(what)
        if not named:
            refuse("Missing option '--bots'; or name the file of a bot in place of the game.")
        bots = entrants(named, game, boxed)
    count = len(bots) if seats is None or len(bots) > 1 else seats
    if seats not in (None, count):
        refuse(f"{count} bots are named for {seats} seats; name one for each, or just one.")
    options = settled(game, count, given)
    bots = bots if len(bots) == count else bots * count
    return Order(game, bots, seed or drawn_seed(), games, options, boxed, own)


def _with_company(path: Path, seats: int | None, boxed: bool) -> tuple[Game, list[Entrant]]:
    """A bot, its first game, and somebody on every other seat."""
    bot = author_s(path)
    game = game_named((*games_of(bot), *GAMES)[0])
    count = usual_seats(game) if seats is None else seats
    settled(game, count, [])
    return game, [bot, *company(game, count - 1, boxed)]


def usual_seats(game: Game) -> int:
    """How many sit at a table if nobody says."""
    return USUAL_SEATS if USUAL_SEATS in game.seats else game.seats[-1]


def company(game: Game, count: int, boxed: bool) -> list[Entrant]:
    """Opponents for an author's bot."""
    names = [COMPANY[0], *[COMPANY[1]] * (count - 1)]
    return [entrant(name, game, boxed) for name in names]


def game_named(slug: str) -> Game:
    """The game of this name, or a refusal."""
    try:
        return find(slug)
    except BadSetup as error:
        refuse(str(error))


def settled(game: Game, seats: int, given: list[str]) -> dict[str, Any]:
    """The complete options of a match, or a refusal."""
    try:
        return game.resolve_options(seats, dict(_option(text) for text in given))
    except BadSetup as error:
        refuse(str(error))


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        refuse(f"{text!r} is not an option; write it as name=value.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def drawn_seed() -> str:
    """A seed that people can read out."""
    return str(secrets.randbelow(10**6))


def all_cores() -> int:
    """How many processes this machine runs at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@contextmanager
def playing(boxed: bool) -> Iterator[None]:
    """What can go wrong while matches are played, said in a sentence."""
    try:
        if boxed:
            warn(select_mode_quickly())
        yield
    except (NoWall, InfrastructureError) as error:
        refuse(f"{error} See karat doctor.")
    except WorkerLost:
        answer_no("A bot ended the process that played it; see what it does with --boxed.")
