"""`karat duel`: find out whether one bot is better than another."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import perf_counter

import typer

from bots_sdk.cli.bots import entrant, entrants, games_of, is_own_bot, read_bot_file
from bots_sdk.cli.match_request import (
    default_opponents,
    default_seats,
    draw_seed,
    explain_failures,
    find_game,
    resolve_options,
)
from bots_sdk.cli.output import (
    NO,
    defer_ctrl_c,
    plural,
    print_json,
    refuse,
    say,
    show_progress,
    stop_on_ctrl_c,
    warn,
)
from bots_sdk.local.duel import Duel, Verdict, pairs
from bots_sdk.local.matches import FinishedMatch, MatchSetup, play_all
from engine.game import Game
from engine.registry import GAMES

FIRST_OPPONENT = 2
"""The opponents' numbers begin here, after those of the two."""


@dataclass(frozen=True, slots=True)
class DuelPlan:
    """Two bots, and the table at which they are compared."""

    game: Game
    setup: MatchSetup
    seats: int
    seed: str
    deals: int
    words: tuple[str, str]
    """How the two were named on the command line."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two, told apart."""
        first, second = self.setup.bots[0].name, self.setup.bots[1].name
        return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def plan_duel(
    new: str,
    old: str,
    slug: str | None,
    against: str | None,
    seats: int | None,
    seed: str | None,
    deals: int,
    option_texts: list[str],
    boxed: bool,
) -> DuelPlan:
    """Make sense of the command line, or refuse."""
    game = find_game(slug or _first_game(new))
    opponents = entrants(against, game, boxed) if against else None
    if seats is None:
        seats = _seats_for(game, len(opponents)) if opponents else default_seats(game)
    options = resolve_options(game, seats, option_texts)
    if opponents is None:
        opponents = default_opponents(game, seats - 1, boxed)
    two = [entrant(name, game, boxed) for name in (new, old)]
    setup = MatchSetup(game.slug, (*two, *opponents), options, boxed)
    if against:
        warn(_seat_notice(seats, len(opponents)))
    return DuelPlan(game, setup, seats, seed or draw_seed(), deals, (new, old))


def _seats_for(game: Game, opponents: int) -> int:
    """Return the size of a table for one of the two and these opponents, or refuse."""
    if opponents + 1 not in game.seats:
        fewest, most = game.seats[0] - 1, game.seats[-1] - 1
        refuse(
            f"{game.name} has {game.seats[0]} to {game.seats[-1]} seats, one of them for your "
            f"bot: name {fewest} to {most} opponents, or choose --seats, and they repeat."
        )
    return opponents + 1


def _seat_notice(seats: int, opponents: int) -> str:
    """Return how opponents share seats that are more or fewer than they are."""
    others = seats - 1
    if opponents == others:
        return ""
    how = "repeat" if opponents < others else "take turns"
    table = f"{seats} seats: your bot, and {plural(others, 'opponent')}"
    return f"{table}; --against names {opponents}, so they {how}."


def _first_game(bot: str) -> str:
    games = games_of(read_bot_file(Path(bot))) if is_own_bot(bot) else ()
    return next(iter(games or GAMES))


def run(plan: DuelPlan, jobs: int, as_json: bool) -> None:
    """Play deal after deal until the verdict is clear; exit status 1 if the first is not fit."""
    started_at = perf_counter()
    duel = Duel(plan.deals)
    deals = pairs(plan.seed, plan.deals, plan.seats, len(plan.setup.bots) - FIRST_OPPONENT)
    matches = play_all(plan.setup, chain.from_iterable(deals), min(jobs, plan.deals))
    progress = show_progress(_in_pairs(matches), plan.deals, "Playing")
    with (
        explain_failures(plan.setup.boxed),
        stop_on_ctrl_c(plural(plan.deals, "deal")) as done,
        closing(matches),
        closing(progress),
    ):
        for first, second in progress:
            with defer_ctrl_c():
                duel = _after(duel, first, second)
                done.count = duel.deals
            if duel.decided:
                break
    seconds = perf_counter() - started_at
    if as_json:
        print_json(_summary(plan, duel, seconds))
    elif duel.deals:
        _show(plan, duel, seconds)
    if duel.verdict() in {Verdict.WEAKER, Verdict.INVALID}:
        raise typer.Exit(NO)


def _in_pairs(matches: Iterable[FinishedMatch]) -> Iterator[tuple[FinishedMatch, FinishedMatch]]:
    one_by_one = iter(matches)
    return zip(one_by_one, one_by_one, strict=False)


def _after(duel: Duel, first: FinishedMatch, second: FinishedMatch) -> Duel:
    """Return the duel after a deal that both have played."""
    seat = first.seating.bots.index(0)
    places = [one.result.outcome.placements[seat] for one in (first, second)]
    faulty = [any(f.seat == seat for f in one.result.faults) for one in (first, second)]
    return duel.add(places[0], places[1], (faulty[0], faulty[1]))


def _show(plan: DuelPlan, duel: Duel, seconds: float) -> None:
    first, second = plan.names
    against = ", ".join(dict.fromkeys(bot.name for bot in plan.setup.bots[FIRST_OPPONENT:]))
    low, high = duel.interval()
    say(
        f"{plan.game.name}, {plan.seats} seats, seed {plan.seed}   "
        f"{first} or {second} against {against}"
    )
    say(f"{plural(duel.deals, 'mirrored deal')} in {seconds:.0f} s")
    say(
        f"{first} finishes better in {100 * duel.share:.1f} % of the deals, equal places as halves "
        f"(95 %: {100 * low:.1f} to {100 * high:.1f} %)."
    )
    say(describe_verdict(duel, (first, second)))
    say(f"Deals won by {first} {duel.won:,} · same {duel.same:,} · won by {second} {duel.lost:,}")
    say(f"Next:  {_next_command(plan, duel.verdict())}")


def _next_command(plan: DuelPlan, verdict: Verdict) -> str:
    """Return what is sensible after a verdict on the first of the two."""
    new, old = plan.words
    if not is_own_bot(new):
        return f"karat new my_bot.py --game {plan.game.slug}"
    return {
        Verdict.STRONGER: f"karat push {new}",
        Verdict.WEAKER: f"karat play {new}",
        Verdict.ALIKE: f"karat duel {new} {old} --deals {plan.deals * 4}",
        Verdict.OPEN: f"karat duel {new} {old} --deals {plan.deals}",
        Verdict.INVALID: f"karat check {new}",
    }[verdict]


def describe_verdict(duel: Duel, names: tuple[str, str]) -> str:
    """Return the verdict as sentences."""
    verdict = duel.verdict()
    if verdict is Verdict.INVALID:
        faulty = [
            f"{name} faulted in {plural(count, 'deal')}"
            for name, count in zip(names, duel.faulty, strict=True)
            if count
        ]
        return f"Invalid: {' and '.join(faulty)}."
    widest = max(abs(limit - 0.5) for limit in duel.interval())
    new = names[0]
    sentence = {
        Verdict.STRONGER: f"Likely better: the true share of {new} is above 50 %.",
        Verdict.WEAKER: f"Likely worse: the true share of {new} is below 50 %.",
        Verdict.ALIKE: (
            f"No difference found: the true share of {new} is within {100 * widest:.1f} "
            "percentage points of 50 %."
        ),
        Verdict.OPEN: f"Still running: {duel.deals:,} of at most {plural(duel.most, 'deal')}.",
    }[verdict]
    return f"{sentence} No faults."


def _summary(plan: DuelPlan, duel: Duel, seconds: float) -> dict[str, object]:
    low, high = duel.interval()
    return {
        "game": plan.game.slug,
        "seats": plan.seats,
        "seed": plan.seed,
        "bots": list(plan.names),
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
