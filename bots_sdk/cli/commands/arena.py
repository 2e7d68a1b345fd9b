"""`karat arena`: all bots against all."""

from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

from bots_sdk.cli.bots import entrants, is_own_bot
from bots_sdk.cli.match_request import draw_seed, explain_failures, find_game, resolve_options
from bots_sdk.cli.output import (
    defer_ctrl_c,
    ledger,
    plural,
    print_json,
    refuse,
    say,
    say_table,
    show_progress,
    stop_on_ctrl_c,
)
from bots_sdk.local.arena import HeadToHead, Row, Standings, schedule
from bots_sdk.local.matches import MatchSetup, Seating, play_all
from engine.game import Game
from runners.limits import DEFAULT

_LEGEND = (
    "rating in points (95 %: ±) · won: first places · ahead: opponents left behind · "
    f"thinks: median of a decision, limit {DEFAULT.decision_cpu_ms} ms"
)


@dataclass(frozen=True, slots=True)
class Arena:
    """Who plays what, checked."""

    game: Game
    setup: MatchSetup
    names: list[str]
    sizes: list[int]
    seed: str
    plan: list[Seating]
    deals: int
    words: list[str]
    """How the bots were named on the command line."""


def plan_arena(
    slug: str,
    names: str,
    seats: str | None,
    seed: str | None,
    games: int,
    deals: int,
    option_texts: list[str],
    boxed: bool,
) -> Arena:
    """Make sense of the command line, or refuse."""
    game = find_game(slug)
    bots = entrants(names, game, boxed)
    sizes = _sizes(game, seats, len(bots))
    options = resolve_options(game, min(sizes), option_texts)
    seed = seed or draw_seed()
    plan = schedule(len(bots), sizes, seed, games=games, deals=deals)
    setup = MatchSetup(game.slug, tuple(bots), options, boxed)
    shown_names = _number_duplicates([bot.name for bot in bots])
    return Arena(game, setup, shown_names, sizes, seed, plan, deals, names.split(","))


def _sizes(game: Game, seats: str | None, bots: int) -> list[int]:
    """Return the table sizes to play: those that can be filled, for nobody sits there twice."""
    fitting = [size for size in game.seats if size <= bots]
    if not fitting:
        refuse(f"{game.name} needs at least {game.seats[0]} bots; {bots} are named.")
    if seats is None:
        return fitting
    try:
        sizes = [int(size) for size in seats.split(",")]
    except ValueError:
        refuse(f"{seats!r} is not a list of table sizes; write --seats 3,4.")
    for size in sizes:
        resolve_options(game, size, [])
        if size > bots:
            refuse(f"{bots} bots cannot fill a table of {size}.")
    return sizes


def _number_duplicates(names: list[str]) -> list[str]:
    """Add a number to the names that several bots have."""
    return [
        name if names.count(name) == 1 else f"{name} #{names[: i + 1].count(name)}"
        for i, name in enumerate(names)
    ]


def run(arena: Arena, jobs: int, as_json: bool) -> None:
    """Play everything, and show the table; Ctrl-C ends with what was finished so far."""
    standings = Standings(len(arena.names))
    total = len(arena.plan)
    matches = play_all(arena.setup, arena.plan, min(jobs, total))
    progress = show_progress(matches, total, "Playing")
    with (
        explain_failures(arena.setup.boxed),
        stop_on_ctrl_c(plural(total, "match")) as done,
        closing(matches),
        closing(progress),
    ):
        for finished in progress:
            with defer_ctrl_c():
                standings.add(finished)
                done.count = standings.matches
    if as_json:
        print_json(_summary(arena, standings))
    elif standings.matches:
        _show(arena, standings)


def _show(arena: Arena, standings: Standings) -> None:
    sizes = " or ".join(map(str, arena.sizes))
    deals = f" of {plural(arena.deals, 'deal')}" if arena.deals else ""
    say(
        f"{arena.game.name}, {sizes} seats, seed {arena.seed}: "
        f"{plural(standings.matches, 'match')}{deals}"
    )
    ranking = standings.ranking()
    table = ledger(
        *(">#", "bot", ">rating", ">matches", ">won", ">ahead"),
        *(">faults", ">thinks", ">slowest"),
    )
    for rank, row in enumerate(ranking, 1):
        table.add_row(str(rank), arena.names[row.bot], *_figures(row))
    say_table(table)
    say(_LEGEND)
    say()
    say("Head to head: how often the bot on the left finishes before the one on top, in %")
    _show_matrix(arena, standings, ranking)
    say()
    for better, worse in pairwise(ranking):
        say(_neighbours(arena, standings, better, worse))
    say(f"Next:  {_next_command(arena, ranking)}")


def _next_command(arena: Arena, ranking: list[Row]) -> str:
    """Return the duel of the best file, or of the winner, with the best of the others."""
    words = [arena.words[row.bot] for row in ranking]
    first = next((word for word in words if is_own_bot(word)), words[0])
    words.remove(first)
    return f"karat duel {first} {words[0]} --game {arena.game.slug}"


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
        pairs = [standings.head_to_head(row.bot, other.bot) for other in ranking]
        table.add_row(arena.names[row.bot], *(_share(pair) for pair in pairs))
    say_table(table)


def _share(pair: HeadToHead | None) -> str:
    """Return a share with its margin, marked where it is not clear."""
    if pair is None:
        return "·"
    return f"{pair.share:.0%} ({pair.low:.0%}–{pair.high:.0%}){' ' if pair.clear else '?'}"


def _neighbours(arena: Arena, standings: Standings, better: Row, worse: Row) -> str:
    one, other = arena.names[better.bot], arena.names[worse.bot]
    pair = standings.head_to_head(better.bot, worse.bot)
    if pair is None:
        return f"{one} and {other} never pair."
    verdict = "clear" if pair.clear else "not clear yet"
    return (
        f"{one} finishes before {other} in {pair.share:.1%} of {plural(pair.deals, 'deal')} "
        f"(95 %: {100 * pair.low:.1f} to {100 * pair.high:.1f} %): {verdict}."
    )


def _summary(arena: Arena, standings: Standings) -> dict[str, object]:
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
                "deals": pair.deals,
                "share": round(pair.share, 4),
                "interval": [round(pair.low, 4), round(pair.high, 4)],
            }
            for one in ranking
            for other in ranking
            if (pair := standings.head_to_head(one.bot, other.bot))
        ],
    }


def _row(arena: Arena, row: Row) -> dict[str, object]:
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
