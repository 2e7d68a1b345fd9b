"""`karat arena`: all bots against all."""

from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bots_sdk.cli.bots import entrants
from bots_sdk.cli.order import drawn_seed, game_named, playing, settled
from bots_sdk.cli.output import (
    ctrl_c_waits,
    ended_by_ctrl_c,
    followed,
    ledger,
    plural,
    print_json,
    refuse,
    say,
    say_table,
)
from bots_sdk.local.arena import HeadToHead, Row, Standings, schedule
from bots_sdk.local.matches import Hall, Seating, play_all
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Arena:
    """Who plays what, checked."""

    game: Game
    hall: Hall
    names: list[str]
    sizes: list[int]
    seed: str
    plan: list[Seating]
    deals: int


def arranged(
    slug: str,
    named: str,
    seats: str | None,
    seed: str | None,
    games: int,
    deals: int,
    given: list[str],
    boxed: bool,
) -> Arena:
    """Make sense of the command line, or refuse."""
    game = game_named(slug)
    bots = entrants(named, game, boxed)
    sizes = _sizes(game, seats, len(bots))
    options = settled(game, min(sizes), given)
    seed = seed or drawn_seed()
    plan = schedule(len(bots), sizes, seed, games=games, deals=deals)
    hall = Hall(game.slug, tuple(bots), options, boxed)
    return Arena(game, hall, _told_apart([bot.name for bot in bots]), sizes, seed, plan, deals)


def _sizes(game: Game, seats: str | None, bots: int) -> list[int]:
    """The table sizes that can be filled: nobody sits at a table twice."""
    fitting = [size for size in game.seats if size <= bots]
    if not fitting:
        refuse(f"{game.name} needs {game.seats[0]} bots or more, {bots} are named.")
    if seats is None:
        return fitting
    try:
        asked = [int(size) for size in seats.split(",")]
    except ValueError:
        refuse(f"{seats!r} is not a list of table sizes; write --seats 3,4.")
    for size in asked:
        settled(game, size, [])
        if size > bots:
            refuse(f"{bots} bots cannot fill a table of {size}.")
    return asked


def _told_apart(names: list[str]) -> list[str]:
    """Bots of the same name get a number."""
    return [
        name if names.count(name) == 1 else f"{name} #{names[: i + 1].count(name)}"
        for i, name in enumerate(names)
    ]


def run(arena: Arena, jobs: int, as_json: bool) -> None:
    """Play everything, and show the table; Ctrl-C ends with what was finished so far."""
    standings = Standings(len(arena.names))
    total = len(arena.plan)
    matches = play_all(arena.hall, arena.plan, min(jobs, total))
    shown = followed(matches, total, "Playing")
    with (
        playing(arena.hall.boxed),
        ended_by_ctrl_c(plural(total, "match")) as done,
        closing(matches),
        closing(shown),
    ):
        for finished in shown:
            with ctrl_c_waits():
                standings.add(finished)
                done.count = standings.matches
    if as_json:
        print_json(_summary(arena, standings))
    elif standings.matches:
        _show(arena, standings)


def _show(arena: Arena, standings: Standings) -> None:
    sizes = " or ".join(map(str, arena.sizes))
    dealt = f" of {plural(arena.deals, 'deal')}" if arena.deals else ""
    say(
        f"{arena.game.name}, {sizes} seats, seed {arena.seed}: "
        f"{plural(standings.matches, 'match')}{dealt}"
    )
    ranking = standings.ranking()
    table = ledger(
        *(">#", "bot", ">rating", ">matches", ">won", ">ahead"),
        *(">faults", ">thinks", ">slowest"),
    )
    for rank, row in enumerate(ranking, 1):
        table.add_row(str(rank), arena.names[row.bot], *_figures(row))
    say_table(table)
    say()
    say("Head to head: how often the bot on the left finishes before the one on top, in %")
    _show_matrix(arena, standings, ranking)
    say()
    for better, worse in pairwise(ranking):
        say(_neighbours(arena, standings, better, worse))


def _figures(row: Row) -> list[str]:
    faults = ", ".join(f"{code} × {count}" for code, count in sorted(row.faults.items()))
    return [
        str(row.rating),
        f"{row.matches:,}",
        f"{row.wins / row.matches:.1%}" if row.matches else "–",
        f"{row.ahead:.1%}",
        faults or "0",
        _ms(row.median_ms),
        _ms(row.slowest_ms),
    ]


def _ms(time: float | None) -> str:
    return "–" if time is None else f"{time:.2f} ms"


def _show_matrix(arena: Arena, standings: Standings, ranking: list[Row]) -> None:
    table = ledger("", *(f">{arena.names[row.bot]}" for row in ranking))
    for row in ranking:
        met = [standings.head_to_head(row.bot, other.bot) for other in ranking]
        table.add_row(arena.names[row.bot], *(_share(one) for one in met))
    say_table(table)


def _share(met: HeadToHead | None) -> str:
    """A share with its margin, marked where it is not clear."""
    if met is None:
        return "·"
    return f"{met.share:.0%} ({met.low:.0%}–{met.high:.0%}){' ' if met.clear else '?'}"


def _neighbours(arena: Arena, standings: Standings, better: Row, worse: Row) -> str:
    one, other = arena.names[better.bot], arena.names[worse.bot]
    met = standings.head_to_head(better.bot, worse.bot)
    if met is None:
        return f"{one} and {other} never met."
    verdict = "clear" if met.clear else "not clear yet"
    return (
        f"{one} finishes before {other} in {met.share:.1%} of {plural(met.deals, 'deal')} "
        f"(95 %: {100 * met.low:.1f} to {100 * met.high:.1f}): {verdict}."
    )


def _summary(arena: Arena, standings: Standings) -> dict[str, Any]:
    ranking = standings.ranking()
    return {
        "game": arena.game.slug,
        "seats": arena.sizes,
        "seed": arena.seed,
        "matches": standings.matches,
        "planned": len(arena.plan),
        "deals": arena.deals or None,
        "ranking": [_row(arena, row) for row in ranking],
        "head_to_head": [
            {
                "bot": arena.names[one.bot],
                "other": arena.names[other.bot],
                "deals": met.deals,
                "share": round(met.share, 4),
                "interval": [round(met.low, 4), round(met.high, 4)],
            }
            for one in ranking
            for other in ranking
            if (met := standings.head_to_head(one.bot, other.bot))
        ],
    }


def _row(arena: Arena, row: Row) -> dict[str, Any]:
    return {
        "bot": arena.names[row.bot],
        "rating": round(row.rating.shown, 1),
        "margin": round(row.rating.margin, 1),
        "mu": row.rating.mu,
        "sigma": row.rating.sigma,
        "matches": row.matches,
        "won": round(row.wins, 2),
        "ahead": round(row.ahead, 4),
        "faults": row.faults,
        "median_ms": row.median_ms,
        "slowest_ms": row.slowest_ms,
    }
