"""`karat duel`: is one bot better than another?"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

from bots_sdk.cli.bots import author_s, entrant, entrants, games_of
from bots_sdk.cli.order import company, drawn_seed, game_named, playing, settled, usual_seats
from bots_sdk.cli.output import (
    NO,
    ctrl_c_waits,
    ended_by_ctrl_c,
    followed,
    plural,
    print_json,
    say,
)
from bots_sdk.local.duel import Duel, Verdict, pairs
from bots_sdk.local.matches import Finished, Hall, play_all
from engine.game import Game
from engine.registry import GAMES

AGAINST = 2
"""The opponents' numbers begin here, after those of the two."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Two bots, and the table at which they are compared."""

    game: Game
    hall: Hall
    seats: int
    seed: str
    deals: int

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called."""
        first, second = self.hall.bots[0].name, self.hall.bots[1].name
        return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def arranged(
    new: str,
    old: str,
    slug: str | None,
    against: str | None,
    seats: int | None,
    seed: str | None,
    deals: int,
    given: list[str],
    boxed: bool,
) -> Setting:
    """Make sense of the command line, or refuse."""
    game = game_named(slug or _first_game(new))
    opponents = entrants(against, game, boxed) if against else None
    if seats is None:
        seats = len(opponents) + 1 if opponents else usual_seats(game)
    options = settled(game, seats, given)
    if opponents is None:
        opponents = company(game, seats - 1, boxed)
    two = [entrant(name, game, boxed) for name in (new, old)]
    hall = Hall(game.slug, (*two, *opponents), options, boxed)
    return Setting(game, hall, seats, seed or drawn_seed(), deals)


def _first_game(named: str) -> str:
    games = games_of(author_s(Path(named))) if named.endswith(".py") else ()
    return next(iter(games or GAMES))


def run(setting: Setting, jobs: int, as_json: bool) -> None:
    """Play deal after deal until the verdict is clear; exit status 1 if the first is not fit."""
    begun = perf_counter()
    duel = Duel(setting.deals)
    plan = pairs(setting.seed, setting.deals, setting.seats, len(setting.hall.bots) - AGAINST)
    matches = play_all(setting.hall, chain.from_iterable(plan), min(jobs, setting.deals))
    shown = followed(_in_pairs(matches), setting.deals, "Playing")
    with (
        playing(setting.hall.boxed),
        ended_by_ctrl_c(plural(setting.deals, "deal")) as done,
        closing(matches),
        closing(shown),
    ):
        for first, second in shown:
            with ctrl_c_waits():
                duel = _after(duel, first, second)
                done.count = duel.deals
            if duel.decided:
                break
    seconds = perf_counter() - begun
    if as_json:
        print_json(_summary(setting, duel, seconds))
    elif duel.deals:
        _show(setting, duel, seconds)
    if duel.verdict() in {Verdict.WEAKER, Verdict.INVALID}:
        raise typer.Exit(NO)


def _in_pairs(matches: Iterable[Finished]) -> Iterator[tuple[Finished, Finished]]:
    ahead = iter(matches)
    return zip(ahead, ahead, strict=False)


def _after(duel: Duel, first: Finished, second: Finished) -> Duel:
    """The duel after a deal that both have played."""
    seat = first.seating.bots.index(0)
    places = [one.played.outcome.placements[seat] for one in (first, second)]
    faulty = [any(f.seat == seat for f in one.played.faults) for one in (first, second)]
    return duel.add(places[0], places[1], (faulty[0], faulty[1]))


def _show(setting: Setting, duel: Duel, seconds: float) -> None:
    first, second = setting.names
    against = ", ".join(dict.fromkeys(bot.name for bot in setting.hall.bots[AGAINST:]))
    low, high = duel.interval()
    say(
        f"{setting.game.name}, {setting.seats} seats, seed {setting.seed}   "
        f"{first} or {second} against {against}"
    )
    say(f"{plural(duel.deals, 'mirrored deal')} in {seconds:.0f} s")
    say(
        f"{first} finishes better in {100 * duel.share:.1f} % "
        f"(95 %: {100 * low:.1f} to {100 * high:.1f}).  {in_words(duel, (first, second))}"
    )
    say(f"Deals won by {first} {duel.won:,} · same {duel.same:,} · won by {second} {duel.lost:,}")


def in_words(duel: Duel, names: tuple[str, str]) -> str:
    """The verdict as sentences."""
    verdict = duel.verdict()
    if verdict is Verdict.INVALID:
        faulty = [
            f"{name} faulted in {plural(count, 'deal')}"
            for name, count in zip(names, duel.faulty, strict=True)
            if count
        ]
        return f"Invalid: {' and '.join(faulty)}."
    widest = max(abs(limit - 0.5) for limit in duel.interval())
    said = {
        Verdict.STRONGER: "Likely better.",
        Verdict.WEAKER: "Likely worse.",
        Verdict.ALIKE: f"No difference we could see (less than {100 * widest:.1f} points).",
        Verdict.OPEN: f"Still running: {duel.deals:,} of at most {plural(duel.most, 'deal')}.",
    }[verdict]
    return f"{said} No faults."


def _summary(setting: Setting, duel: Duel, seconds: float) -> dict[str, Any]:
    low, high = duel.interval()
    return {
        "game": setting.game.slug,
        "seats": setting.seats,
        "seed": setting.seed,
        "bots": list(setting.names),
        "deals": duel.deals,
        "most": duel.most,
        "won": duel.won,
        "same": duel.same,
        "lost": duel.lost,
        "share": round(duel.share, 4),
        "interval": [round(low, 4), round(high, 4)],
        "evidence": round(duel.evidence, 3),
        "verdict": str(duel.verdict()),
        "faulty_deals": list(duel.faulty),
        "seconds": round(seconds, 1),
    }
