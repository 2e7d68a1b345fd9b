"""A match played as it was recorded, up to a decision that a bot is asked again."""

from dataclasses import dataclass

from engine.game import Seat
from engine.record.reading import RecordError
from engine.record.recorder import Record
from engine.record.rerun import game_of
from runners.failures import Failure
from runners.local import Program
from runners.match import play
from runners.news import Steps
from runners.players import Player, Question
from runners.prints import Prints
from runners.protocol import BotReply
from runners.seeds import seat_seed
from runners.untrusted import Misplayed, UntrustedPlayer


@dataclass(eq=False)
class StepReached(Exception):
    """The match reached the step, and the bot was asked; or it failed for good before."""

    step: int
    question: Question
    news: Steps
    reply: BotReply | None
    failure: Failure | None
    """What went wrong; an illegal move is one that is not among its options."""
    ms: float
    cpu_ms: float


class Script:
    """The moves of a recorded match, seat by seat."""

    def __init__(self, record: Record) -> None:
        self._moves: dict[Seat, list[str]] = {seat: [] for seat in range(len(record["seats"]))}
        for step in record["steps"]:
            if "moves" in step:
                for seat, move in enumerate(step["moves"]):
                    if not step["forced"][seat]:
                        self._moves[seat].append(move)
            elif "move" in step and not step["forced"]:
                self._moves[step["seat"]].append(step["move"])

    def next(self, seat: Seat) -> str:
        """Return the next move that the seat was asked for."""
        return self._moves[seat].pop(0)


class RecordedPlayer:
    """A player that makes the recorded moves."""

    def __init__(self, script: Script, seat: Seat) -> None:
        self._script = script
        self._seat = seat

    def decide(self, question: Question) -> str:
        """Return the move of the record."""
        return self._script.next(self._seat)


class QuestionedPlayer(UntrustedPlayer):
    """The bot in its seat: asked everything up to the step, so that it knows what it knew then.

    Whatever it answers before, the moves of the record are played.
    """

    def __init__(self, bot: UntrustedPlayer, script: Script, seat: Seat, step: int) -> None:
        super().__init__(bot.limits)
        self._bot = bot
        self._script = script
        self._seat = seat
        self._step = step
        self._question: Question | None = None
        self._news: Steps = []

    def ask(self, question: Question, news: Steps) -> None:
        """Put the question to the bot."""
        self._question, self._news = question, news
        self._bot.ask(question, news)

    def listen(self, step: int) -> tuple[BotReply | None, Failure | None, float]:
        """Take the bot's answer, and play on as recorded; at the step, stop.

        A bot that was cut off, say, cannot be asked again, so it does not come to the step.
        """
        reply, failure, ms = self._bot.listen(step)
        if step == self._step or self._bot.failure:
            question = self._question
            assert question is not None
            failure = failure or _illegal(question, reply)
            raise StepReached(step, question, self._news, reply, failure, ms, self._bot.cpu_ms[-1])
        return BotReply(move=self._script.next(self._seat)), None, ms


def _illegal(question: Question, reply: BotReply | None) -> Failure | None:
    move = reply.move if reply else None
    reason = None if move is None else question.illegal_reason(move)
    return Failure("E301", reason) if reason else None


def ask_again(
    record: Record, program: Program, seat: Seat, step: int, prints: Prints | None = None
) -> StepReached:
    """Ask the bot the question of this step; `RecordError` if the match does not come there.

    `Misplayed` if the bot does not even start.
    """
    script = Script(record)
    players: list[Player] = [RecordedPlayer(script, other) for other in range(len(record["seats"]))]
    bot = program(seat_seed(record["seed"], seat), prints)
    if bot.failure:
        raise Misplayed(bot.failure)
    players[seat] = QuestionedPlayer(bot, script, seat, step)
    try:
        play(game_of(record), players, record["seed"], options=record["options"])
    except StepReached as reached:
        return reached
    except (ValueError, IndexError):
        # A move that is not legal, or one too few: what was recorded is not what happens here.
        pass
    raise RecordError(f"steps[{step}]", "the re-run does not come to this step")
