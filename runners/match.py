"""The match: a loop that asks seats and applies their moves until the game is over.

Some players are trusted and may do anything; one that plays by an author's file is not. What it
does wrong costs it the move or the match, and the others finish a real game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from engine.game import Game, Outcome, Seat
from engine.record.ending import MAX_SOFT_FAULTS, final
from engine.record.recorder import Answer, Record, Recorder, write
from engine.rng import Rng
from runners.box.launch import gather
from runners.box.shared_core import QUICK_MS, SharedCore, shared_core
from runners.boxed import BoxedPlayer
from runners.failures import Failure, InfrastructureError
from runners.faults import SOFT
from runners.news import News
from runners.players import Player, Question
from runners.protocol import BotReply
from runners.stopwatch import Stopwatch
from runners.untrusted import UntrustedPlayer

MAX_OPTIONS_KEPT = 4


@dataclass(frozen=True, slots=True)
class FailedDecision:
    """What a seat was asked when it failed, and what it answered."""

    decision: str
    options: tuple[str, ...]
    """The first few of the legal moves."""
    option_count: int
    move: str | None
    """The answer, if it was a text."""
    returned: str | None
    """The class of the answer, if it was anything else."""
    fallback: str
    """The move that a match goes on with."""


def describe_decision(question: Question, reply: BotReply | None) -> FailedDecision:
    """Return a decision as it is now: a position changes when the match goes on."""
    options = question.options
    return FailedDecision(
        decision=question.view["decision"],
        options=tuple(options[i] for i in range(min(len(options), MAX_OPTIONS_KEPT))),
        option_count=len(options),
        move=reply.move if reply else None,
        returned=reply.returned_class if reply else None,
        fallback=question.fallback,
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat misbehaved. `detail` is public; the traceback is for the owner of the bot."""

    seat: Seat
    step: int | None
    """The step it happened at; None while loading."""
    code: str
    detail: str
    traceback: str | None = None
    asked: FailedDecision | None = None
    """None while loading, and of a notice."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match. `decisions` counts the moves that a seat was asked for."""

    outcome: Outcome
    """With those who forfeited behind all others."""
    decisions: int
    record: Record | None
    forfeits: list[Seat] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notices: list[Fault] = field(default_factory=list)
    """What is worth telling an owner and no fault, such as a log that was cut."""
    logs: list[bytes] = field(default_factory=list)
    """What each seat printed, capped."""
    marks: list[list[tuple[int, int]]] = field(default_factory=list)
    """For each seat, after each decision: the step, and how much was printed until then."""
    thought_ms: list[list[float]] = field(default_factory=list)
    """For each untrusted seat, how long each of its decisions took."""
    cpu_ms: list[list[float]] = field(default_factory=list)
    """For each untrusted seat, the computing time of each of its decisions."""


def play(
    game: Game,
    players: Sequence[Player],
    seed: str,
    *,
    options: Mapping[str, Any] | None = None,
    seats: Sequence[Mapping[str, Any]] | None = None,
    recorded: bool = False,
    budget: Stopwatch | None = None,
) -> MatchResult:
    """Play one match to its end. `seats` describes the players in the record.

    A `budget` is a limit besides those of the match: what it is for, its owner knows.
    """
    rng = Rng(seed)
    recorder = Recorder(game) if recorded else None
    referee = _Referee(game, players, recorder, budget)
    listener = referee.news if referee.untrusted else recorder
    state = game.start(len(players), options or {}, rng, listener)
    decisions = 0
    with shared_core([player.box.pid for player in referee.boxed.values()]) as referee.core:
        while asked := game.to_move(state):
            decisions += len(asked)
            game.play(state, referee.moves(state, asked), rng, listener)
    outcome = game.outcome(state)
    assert outcome is not None
    forfeits = sorted(referee.forfeit_codes)
    record = None
    if recorder:
        record = write(
            recorder,
            options=game.resolve_options(len(players), options),
            seed=seed,
            seats=seats or [describe(f"seat {seat}") for seat in range(len(players))],
            outcome=outcome,
            forfeits=forfeits,
            limits=referee.limits(),
        )
    return MatchResult(
        outcome=replace(outcome, placements=final(outcome, forfeits)["placements"]),
        decisions=decisions,
        record=record,
        forfeits=forfeits,
        faults=referee.faults,
        notices=referee.notices(),
        logs=[player.log() if isinstance(player, UntrustedPlayer) else b"" for player in players],
        marks=[player.marks if isinstance(player, UntrustedPlayer) else [] for player in players],
        thought_ms=referee.thought_ms,
        cpu_ms=[player.cpu_ms if isinstance(player, UntrustedPlayer) else [] for player in players],
    )


class _Referee:
    """Ask the seats, judge the answers of untrusted ones, and tell them what happened meanwhile."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        recorder: Recorder | None,
        budget: Stopwatch | None,
    ) -> None:
        self.game = game
        self.players = players
        self.recorder = recorder
        self.untrusted = {s: p for s, p in enumerate(players) if isinstance(p, UntrustedPlayer)}
        self.boxed = {s: p for s, p in enumerate(players) if isinstance(p, BoxedPlayer)}
        self.faults: list[Fault] = []
        self.forfeit_codes: dict[Seat, str] = {}
        """The seats that forfeited, with the code of the fault that did it."""
        self.thought_ms: list[list[float]] = [[] for _ in players]
        self._soft = dict.fromkeys(self.untrusted, 0)
        self.news = News(recorder)
        self._stopwatch = self._start_stopwatch()
        self._budget = budget
        self.core: SharedCore | None = None
        """The core of all bots in boxes, as long as they answer at once."""
        for seat, player in self.untrusted.items():
            if player.failure:
                self._blame(seat, player.failure)

    def _start_stopwatch(self) -> Stopwatch | None:
        seats = len(self.players)
        for player in self.boxed.values():
            limits = player.limits
            return Stopwatch(limits.match_seconds(seats), limits.max_match_seconds(seats))
        return None

    def moves(self, state: object, asked: tuple[Seat, ...]) -> list[str]:
        """Return one legal move for every seat asked.

        Bots in boxes think at the same time, after trusted players and before bots in this process:
        the time of one never counts for another.
        """
        if not self.untrusted and self.recorder is None:
            players, game = self.players, self.game
            return [players[seat].decide(Question(game, state, seat)) for seat in asked]
        asked_bots = [
            seat for seat in asked if seat in self.untrusted and seat not in self.forfeit_codes
        ]
        if self._stopwatch and asked_bots and self._stopwatch.over():
            raise InfrastructureError("the match took longer than all its seats may think")
        if self._budget:
            self._budget.check()
        moves = {seat: self._own_move(state, seat) for seat in asked if seat not in asked_bots}
        for seat in asked_bots:
            self.untrusted[seat].ask_next(Question(self.game, state, seat), self.news)
        self._gather(asked_bots)
        for seat in asked_bots:
            moves[seat] = self._judge(state, seat)
        return [moves[seat] for seat in asked]

    def _gather(self, asked_bots: Sequence[Seat]) -> None:
        """Wait for those in boxes, with an eye on those that nobody asks now."""
        boxes, idle = [], []
        for seat, player in self.boxed.items():
            if seat in asked_bots:
                boxes.append(player.box)
            elif seat not in self.forfeit_codes:
                idle.append(player.box)
        if not boxes or self._stopwatch is None:
            return
        gather(boxes, idle)
        replies = [box.reply for box in boxes if box.reply]
        delay_ms = max([reply.delay_ms for reply in replies])
        if self.core and delay_ms + max([reply.wall_ms for reply in replies]) > QUICK_MS:
            self.core.release()
            self.core = None
        if delay_ms:
            self._stopwatch.excuse(delay_ms)
            if self._budget:
                self._budget.excuse(delay_ms)

    def _own_move(self, state: object, seat: Seat) -> str:
        """Return the move of a trusted player, or of the league for one that forfeited."""
        if seat in self.forfeit_codes:
            self._note_answer(seat, Answer(fault=self.forfeit_codes[seat]))
            return self.game.fallback(state, seat)
        question = Question(self.game, state, seat)
        if self.recorder is None:
            return self.players[seat].decide(question)
        started_at = perf_counter()
        move = self.players[seat].decide(question)
        self._note_answer(seat, Answer(ms=round((perf_counter() - started_at) * 1000, 1)))
        return move

    def _judge(self, state: object, seat: Seat) -> str:
        """Return the move a bot answered with, or the fallback if it did anything else."""
        reply, failure, ms = self.untrusted[seat].listen(self.news.steps)
        self.thought_ms[seat].append(ms)
        move = reply.move if reply else None
        if failure is None and move is not None:
            reason = self.game.illegal_reason(state, seat, move)
            if reason is None:
                note = reply.note if reply else None
                self._note_answer(seat, Answer(ms=round(ms, 1), note=note))
                return move
            failure = Failure("E301", reason)
        assert failure is not None
        asked = describe_decision(Question(self.game, state, seat), reply)
        self._blame(seat, failure, asked)
        self._note_answer(seat, Answer(ms=round(ms, 1), fault=failure.code))
        return asked.fallback

    def _note_answer(self, seat: Seat, answer: Answer) -> None:
        if self.recorder:
            self.recorder.answers[seat] = answer

    def _blame(self, seat: Seat, failure: Failure, asked: FailedDecision | None = None) -> None:
        """Write the fault down; a hard one or the third soft one forfeits."""
        step = self.news.steps if asked else None
        code, detail = failure.code, failure.detail
        self.faults.append(Fault(seat, step, code, detail, failure.traceback, asked))
        if self.recorder:
            self.recorder.note_fault(seat, code, detail, asked is None)
        if failure.code in SOFT:
            self._soft[seat] += 1
            if self._soft[seat] < MAX_SOFT_FAULTS:
                return
            self.untrusted[seat].retire(failure)
        self.forfeit_codes[seat] = failure.code

    def limits(self) -> dict[str, int] | None:
        """Return the limits in force, as the record has them."""
        for player in self.boxed.values():
            return player.limits.as_record()
        return None

    def notices(self) -> list[Fault]:
        """Return what the owners of the bots should know besides."""
        return [
            Fault(seat, step, notice.code, notice.detail)
            for seat, player in self.untrusted.items()
            for step, notice in player.notices()
        ]


def describe(name: str, bot: str | None = None, version: int | None = None) -> dict[str, Any]:
    """Return how a player stands in the record."""
    return {"name": name, "bot": bot, "version": version}
