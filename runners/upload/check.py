"""Checking an upload: named steps, one after the other, until one fails.

The first steps read the file; the others run it, and they do that in a box and nowhere else.
All of them together have one budget of time, and chance of their own: a bot that recognised its
check could behave there and nowhere else.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from engine.game import Game, Seat, State
from engine.rng import Rng
from runners.boxed import BoxedPlayer, boxed_players
from runners.failures import Failure
from runners.faults import Message, Value, message
from runners.limits import DEFAULT, Limits
from runners.match import MatchResult, describe, play
from runners.players import Player, Question, RandomPlayer
from runners.seeds import seat_seed
from runners.stopwatch import Stopwatch, TimeIsUp
from runners.upload.source import STEPS, Finding, Outline, read_outline, read_text

FIXED_SEED = "upload check"
"""For who wants to see the same thing twice."""
QUESTIONS = 40
"""Positions that are asked for each number of seats."""
MIN_QUESTIONS = 8
"""Of a bot that thinks for long: it must not run out of time just because it is asked so often."""
ANSWERS_SHARE = 1 / 12
"""Of the time of a whole check; so long the positions of one game may take to think about."""

MAX_LISTED = 20
"""So many imports are named."""
STEPS_ONCE = ("text", *STEPS, "start")
"""Steps that say the same for every game, in their order."""
STEPS_PER_GAME = ("answers", "match")
"""Steps that each game of a bot has, in their order."""
_BOXED_STEPS = frozenset({"start", *STEPS_PER_GAME})

Opponent = Callable[[str], Player]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the check. A failed one has a message, and the place if there is one."""

    name: str
    ok: bool
    text: str
    ms: float = 0.0
    message: Message | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    traceback: str | None = None
    seed: str | None = None
    """Of a step that runs the bot: with the same one the same happens again."""


def fresh_seed() -> str:
    """Return a seed that nobody can foresee."""
    return secrets.token_hex(8)


def check_budget(limits: Limits) -> Stopwatch:
    """Return the time of one whole check, begun; hand it to the check of each game."""
    return Stopwatch(limits.check_wall_ms / 1000, limits.max_check_seconds())


def check(
    data: bytes,
    game: Game,
    opponents: Sequence[Opponent] = (RandomPlayer,),
    limits: Limits = DEFAULT,
    *,
    seat: Mapping[str, Any] | None = None,
    keep: Callable[[MatchResult], None] | None = None,
    seed: str | None = None,
    budget: Stopwatch | None = None,
) -> Iterator[Step]:
    """Yield the steps as they are done; after one that failed there are no more.

    The opponents of the smoke match are made like any player, and used in turn. Who wants to keep
    the match is given it before its step comes; `seat` is how the bot stands in the record. Without
    a `seed` and a `budget` the check has a fresh one and one of its own.
    """
    work = _Check(
        data,
        game,
        opponents,
        limits,
        seat or describe("the bot"),
        keep,
        seed or fresh_seed(),
        budget or check_budget(limits),
    )
    for name, step in work.steps():
        begun = perf_counter()
        done = _attempt(name, step)
        yield replace(
            done,
            ms=round((perf_counter() - begun) * 1000, 1),
            seed=work.seed if name in _BOXED_STEPS else None,
        )
        if not done.ok:
            return


def _attempt(name: str, step: Callable[[], str]) -> Step:
    try:
        return Step(name, True, step())
    except Finding as found:
        told = message(found.code, **found.values)
        return Step(
            *(name, False, told.title),
            message=told,
            line=found.line,
            column=found.column,
            excerpt=found.excerpt,
        )
    except _Failed as failed:
        told = message(failed.failure.code, **failed.values)
        return Step(
            name, False, failed.failure.detail, message=told, traceback=failed.failure.traceback
        )


class _Failed(Exception):
    """The bot failed in its box."""

    def __init__(self, failure: Failure, **values: Value) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.values = values


class _Check:
    def __init__(
        self,
        data: bytes,
        game: Game,
        opponents: Sequence[Opponent],
        limits: Limits,
        seat: Mapping[str, Any],
        keep: Callable[[MatchResult], None] | None,
        seed: str,
        budget: Stopwatch,
    ) -> None:
        self.data = data
        self.game = game
        self.opponents = opponents
        self.limits = limits
        self.seat = seat
        self.keep = keep
        self.seed = seed
        self.budget = budget
        self.text = ""
        self.outline = Outline({}, "", None, (), ())

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """All steps in their order."""
        return [
            ("text", self._is_text),
            ("syntax", self._parses),
            ("class", self._has_a_bot),
            ("imports", self._imports),
            ("start", self._within_budget(self._starts)),
            ("answers", self._within_budget(self._answers)),
            ("match", self._within_budget(self._finishes_a_match)),
        ]

    def _within_budget(self, step: Callable[[], str]) -> Callable[[], str]:
        def attempt() -> str:
            try:
                self.budget.check()
                return step()
            except TimeIsUp:
                raise self._too_long() from None

        return attempt

    def _too_long(self) -> "_Failed":
        seconds = f"{self.limits.check_wall_ms / 1000:g} s"
        return _Failed(
            Failure("E302", f"The check of all its games took longer than {seconds}."),
            reason=f"within the {seconds} that a check may take, all games of the bot together",
            remedy="Let it answer sooner, or upload a bot for each game.",
        )

    @contextmanager
    def _player(self) -> Iterator[BoxedPlayer]:
        """The bot, loaded in a box of its own."""
        with boxed_players([self.text], self.seed, self.limits) as (player,):
            assert isinstance(player, BoxedPlayer)
            self._excuse(player)
            yield player

    def _excuse(self, player: BoxedPlayer) -> None:
        if player.box.heard:
            self.budget.excuse(player.box.heard.delay_ms)

    def _is_text(self) -> str:
        self.text = read_text(self.data, self.limits)
        return f"readable text, {len(self.data) / 1024:.1f} KB"

    def _parses(self) -> str:
        self.outline = read_outline(self.text)
        self.outline.check("syntax")
        return "parses as Python"

    def _has_a_bot(self) -> str:
        bot = self.outline
        bot.check("class")
        if bot.games and self.game.slug not in bot.games:
            values: dict[str, Value] = {"game": self.game.slug, "games": ", ".join(bot.games)}
            raise Finding("E107", values | {"name": bot.name}, bot.line)
        return f"Bot class {bot.name} (line {bot.line})"

    def _imports(self) -> str:
        self.outline.check("imports")
        names = self.outline.imports
        rest = f" and {len(names) - MAX_LISTED:,} more" if len(names) > MAX_LISTED else ""
        return f"imports allowed: {', '.join(names[:MAX_LISTED]) or 'none'}{rest}"

    def _starts(self) -> str:
        with self._player() as player:
            if player.failure:
                raise _Failed(player.failure)
            return f"starts in {player.load_ms:.0f} ms"

    def _answers(self) -> str:
        """Ask in many positions, all seats in turn, each table size in a box of its own."""
        max_ms = self.limits.check_wall_ms * ANSWERS_SHARE / len(self.game.seats)
        times: list[float] = []
        for seats in self.game.seats:
            first = len(times)
            with self._player() as player:
                for state, seat in positions(self.game, seats, self.seed):
                    times.append(self._asked(player, state, seat))
                    if len(times) - first >= MIN_QUESTIONS and sum(times[first:]) > max_ms:
                        break
        slowest = f"slowest {max(times):.1f} ms"
        return f"{len(times)} decisions from the test set, all legal, {slowest}"

    def _asked(self, player: BoxedPlayer, state: State, seat: Seat) -> float:
        self.budget.check()
        decision = self.game.view(state, seat)["decision"]
        player.ask(Question(self.game, state, seat), [])
        said, failure, ms = player.listen(0)
        self._excuse(player)
        if failure is None and said is not None and said.move is not None:
            reason = self.game.illegal_reason(state, seat, said.move)
            failure = Failure("E301", reason) if reason else None
        if failure:
            raise _Failed(failure, decision=decision.lower().replace("_", " "))
        return ms

    def _finishes_a_match(self) -> str:
        seats = self.game.seats[0]
        with self._player() as player:
            others = [
                self.opponents[seat % len(self.opponents)](seat_seed(self.seed, seat))
                for seat in range(1, seats)
            ]
            named = [self.seat, *(describe(f"opponent {number}") for number in range(1, seats))]
            played = play(
                self.game,
                [player, *others],
                self.seed,
                seats=named,
                recorded=self.keep is not None,
                budget=self.budget,
            )
        if self.keep:
            self.keep(played)
        if played.faults:
            fault = played.faults[0]
            failure = Failure(fault.code, fault.detail, fault.traceback)
            raise _Failed(failure, step=fault.step)
        place = played.outcome.placements[0]
        return f"finishes a match, place {place} of {seats}"


def positions(game: Game, seats: int, seed: str = FIXED_SEED) -> list[tuple[State, Seat]]:
    """Return positions that random players came to by this seed, each with the seat to ask."""
    rng, pick = Rng(f"{seed} {seats}"), Rng(f"{seed} {seats} moves")
    state = game.start(seats, {}, rng)
    found: list[tuple[State, Seat]] = []
    while (asked := game.to_move(state)) and len(found) < QUESTIONS:
        found.append((game.clone(state), asked[len(found) % len(asked)]))
        moves = [(o := game.options(state, seat))[pick.below(len(o))] for seat in asked]
        game.play(state, moves, rng)
    return found
