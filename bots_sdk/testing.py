"""A test kit for authors: build a position, ask a bot in it, assert its move.

    from bots_sdk.testing import Position
    from my_bot import MyBot

    def test_a_good_offer_is_accepted():
        position = Position.start("basari", seats=3).play("points", "points", "gems")
        assert position.play("offer 2.0.0.0").ask(MyBot) == "accept"

A bot is asked exactly as in a match: with the same view, news and options, by the same code. What a
match would call a fault is a `Misplay`, which tests show as a failed assertion.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bots_sdk.bot import Bot, View
from engine.game import Game, IllegalMove, Json, Options, Seat
from engine.record.patch import apply
from engine.record.reading import read
from engine.record.rerun import game_of
from engine.registry import find
from engine.rng import Rng
from runners.failures import Failure
from runners.faults import message
from runners.local import LocalPlayer, as_views
from runners.match import MatchResult, play
from runners.news import News
from runners.players import Question, RandomPlayer
from runners.seeds import seat_seed
from runners.upload.check import positions

BotSource = Bot | type[Bot] | Path | str
"""A bot, its class, its file, the text of its file, or a bundle: a folder, or a zip."""
MAX_OPTIONS_LISTED = 8


class Misplay(AssertionError):
    """The bot did what a match would call a fault; the text says what and where."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot answered."""

    move: str
    note: str | None
    ms: float


class Position:
    """A place in a match where somebody decides."""

    def __init__(self, game: Game, state: object, rng: Rng, news: News) -> None:
        """Take `start`, `of_record` or `changed` instead."""
        self.game = game
        self._state = state
        self._rng = rng
        self._news = news

    @classmethod
    def start(
        cls,
        game: str,
        seats: int | None = None,
        seed: str = "1",
        options: Mapping[str, Json] | None = None,
    ) -> Self:
        """Begin a match; by default with as few seats as the game allows."""
        rules = find(game)
        rng, news = Rng(seed), News()
        state = rules.start(seats or rules.seats[0], options or {}, rng, news)
        return cls(rules, state, rng, news)

    @classmethod
    def of_record(cls, record: Path | str | Mapping[str, Json], step: int) -> Self:
        """Return the decision that led to this step of a record, as `karat play` writes it."""
        document = record if isinstance(record, Mapping) else read(Path(record).read_bytes())
        game = game_of(dict(document))
        steps = document["steps"]
        here = cls.start(game.slug, len(document["seats"]), document["seed"], document["options"])
        while here.asked and here._news.steps < step:
            recorded = steps[here._news.steps]
            here._advance(recorded["moves"] if "moves" in recorded else [recorded["move"]])
        if not here.asked or here._news.steps != step:
            decisions = [i for i, one in enumerate(steps) if _was_decided(one)]
            near = sorted(sorted(decisions, key=lambda i: abs(i - step))[:3])
            numbers = ", ".join(map(str, near))
            raise ValueError(f"Nobody decides in step {step}. Decisions close by: steps {numbers}.")
        return here

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that decide now; several where all choose at the same time."""
        return self.game.to_move(self._state)

    @property
    def decision(self) -> str | None:
        """What is decided, such as `BARTER_REPLY`; None when the match is over."""
        return self.game.view(self._state, 0)["decision"]  # type: ignore[no-any-return]

    def view(self, seat: Seat | None = None) -> View:
        """Return what a seat sees; by default the first that is asked."""
        view: View = as_views(self.game.view(self._state, self._one(seat)))
        return view

    def options(self, seat: Seat | None = None) -> Options:
        """Return the legal moves of a seat."""
        return self.game.options(self._state, self._one(seat))

    def play(self, *moves: object) -> "Position":
        """Return the position after the moves of all seats asked, in the order of `asked`."""
        after = self._copy()
        after._advance([str(move) for move in moves])
        return after

    def play_randomly(self, until: str, seed: str = "1") -> "Position":
        """Return the next position in which this decision is due, after random moves."""
        after, rng = self._copy(), Rng(seed)
        while after.asked:
            options = [after.options(seat) for seat in after.asked]
            after._advance([some[rng.below(len(some))] for some in options])
            if after.decision == until:
                return after
        raise ValueError(f"The match ended before a {until}; another seed may bring one.")

    def _copy(self) -> "Position":
        state = self.game.clone(self._state)
        return Position(self.game, state, self._rng.clone(), self._news.copy())

    def _advance(self, moves: list[str]) -> None:
        """Make these moves here."""
        asked = self.asked
        if len(moves) != len(asked):
            seats = ", ".join(map(str, asked)) or "nobody: the match is over"
            raise ValueError(f"{self.decision} is decided by {seats}; got {len(moves)} moves.")
        for seat in asked:
            self._news.read(seat)
        try:
            self.game.play(self._state, moves, self._rng, self._news)
        except IllegalMove as illegal:
            raise ValueError(
                f"Seat {illegal.seat} may not play {illegal.move!r} in {self.decision}. "
                f"{illegal.reason}\nLegal: {_list_options(self.options(illegal.seat))}"
            ) from None

    def changed(self, changes: Mapping[str, Json], seat: Seat | None = None) -> "Position":
        """Return a position like this one, with some fields of a seat's view replaced.

        `position.changed({"/seats/0/gems": [5, 1, 0, 0]})`: the keys are written as in a record.
        What the seat cannot see is dealt anew, and there is no news.
        """
        view = self.game.view(self._state, self._one(seat))
        for pointer in changes:
            _check_pointer(view, pointer)
        apply(view, dict(changes))
        rng = Rng("imagined")
        return Position(self.game, self.game.imagine(view, rng), rng, News())

    def answer(self, bot: BotSource, seat: Seat | None = None, seed: str = "1") -> Answer:
        """Ask a bot and return its move, its note and the time it took; a fault is a `Misplay`."""
        own = self._one(seat)
        player = LocalPlayer(bot, seat_seed(seed, own))
        if player.failure:
            raise self._misplay(own, player.failure)
        player.ask(Question(self.game, self._state, own), self._news.unread(own))
        reply, failure, ms = player.listen(0)
        move = reply.move if reply else None
        if failure is None and move is not None and reply is not None:
            reason = self.game.illegal_reason(self._state, own, move)
            if reason is None:
                return Answer(move, reply.note, ms)
            failure = Failure("E301", reason)
        assert failure is not None
        raise self._misplay(own, failure, move)

    def ask(self, bot: BotSource, seat: Seat | None = None, seed: str = "1") -> str:
        """Return the move of a bot at a seat, by default the first asked; or raise `Misplay`."""
        return self.answer(bot, seat, seed).move

    def _one(self, seat: Seat | None) -> Seat:
        if seat is not None:
            return seat
        if not self.asked:
            raise ValueError("The match is over; nobody is asked.")
        return self.asked[0]

    def _misplay(self, seat: Seat, failure: Failure, move: str | None = None) -> Misplay:
        title = message(failure.code).title
        answer = f" It answered {move!r}." if move is not None else ""
        lines = [f"{failure.code} {title} ({self.decision}, seat {seat}).{answer} {failure.detail}"]
        if failure.traceback:
            lines.append(failure.traceback.rstrip())
        lines.append(f"Legal: {_list_options(self.options(seat))}")
        return Misplay(failure.code, "\n".join(lines))

    def __repr__(self) -> str:
        seats = ", ".join(map(str, self.asked)) or "nobody"
        return f"<{self.game.slug}: {self.decision} by {seats}>"


def every_position(game: str, seats: int | None = None) -> list[Position]:
    """Return the positions that `karat check` asks in, of one number of seats or of all.

    A league deals others for every check.
    """
    rules = find(game)
    counts = rules.seats if seats is None else (seats,)
    return [
        Position(rules, state, Rng("after"), News())
        for count in counts
        for state, _ in positions(rules, count)
    ]


def play_match(bot: BotSource, game: str, seats: int | None = None, seed: str = "1") -> MatchResult:
    """Play a match of the bot at seat 0 against random players; a fault is a `Misplay`."""
    rules = find(game)
    count = seats or rules.seats[0]
    others = [RandomPlayer(seat_seed(seed, seat)) for seat in range(1, count)]
    result = play(rules, [LocalPlayer(bot, seat_seed(seed, 0)), *others], seed, recorded=True)
    for fault in result.faults:
        text = f"{fault.code} {message(fault.code).title} (step {fault.step}). {fault.detail}"
        raise Misplay(fault.code, "\n".join(filter(None, [text, fault.traceback])))
    return result


def _was_decided(step: Mapping[str, Json]) -> bool:
    return "moves" in step or ("move" in step and not step["forced"])


def _list_options(options: Options) -> str:
    first = ", ".join(options[index] for index in range(min(MAX_OPTIONS_LISTED, len(options))))
    return f"{first}, … ({len(options)} in all)" if len(options) > MAX_OPTIONS_LISTED else first


def _check_pointer(view: Json, pointer: str) -> None:
    """Say how far a pointer leads, and what it could go on with, if it leads nowhere."""
    if not pointer.startswith("/"):
        raise ValueError(f"Write {pointer!r} as a path from the top, such as '/seats/0/gems'.")
    place, value = "", view
    for part in pointer.split("/")[1:]:
        inner: dict[str, Json] = {}
        if isinstance(value, dict):
            inner = value
        elif isinstance(value, list):
            inner = {str(index): one for index, one in enumerate(value)}
        if part not in inner:
            goes_on = f"has {', '.join(inner)}" if inner else f"is {value!r}"
            raise ValueError(f"The view has no {pointer!r}: {place or 'its top'} {goes_on}.")
        place, value = f"{place}/{part}", inner[part]


__all__ = ["Answer", "Misplay", "Position", "every_position", "play_match"]
