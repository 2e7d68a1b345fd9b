"""Untrusted players: seats that play by an author's file, boxed or in this process.

They are asked first and listened to later, and every reply is judged. What goes wrong is a
`Failure` with a code, in the same words wherever the file runs.
"""

from abc import ABC, abstractmethod

from runners.failures import Failure
from runners.limits import Limits
from runners.news import News, Steps
from runners.players import Question
from runners.protocol import BotReply

LATE = "late"
"""The error of a reply that a bot in this process did not finish in time."""


class Misplayed(Exception):
    """An untrusted player that was asked outside of a match failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


class UntrustedPlayer(ABC):
    """One file at one seat of one match."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.failure: Failure | None = None
        """Why it is gone, if it is: from then on it cannot be asked."""
        self.marks: list[tuple[int, int]] = []
        """After each decision: its step, and how much was printed until then."""
        self.cpu_ms: list[float] = []
        """The computing time of each decision, which the limit of a decision is about."""

    @abstractmethod
    def ask(self, question: Question, news: Steps) -> None:
        """Put the question; others are asked before anybody waits for the answer."""

    def ask_next(self, question: Question, news: News) -> None:
        """Put the question with what happened since this seat was last asked."""
        self.ask(question, news.read(question.seat))

    @abstractmethod
    def listen(self, step: int) -> tuple[BotReply | None, Failure | None, float]:
        """Wait, and return the answer, or what went wrong instead, and the ms it took."""

    def retire(self, failure: Failure) -> None:
        """Give up on a bot that failed for good: nobody asks it again."""
        self.failure = failure

    def log(self) -> bytes:
        """Return what the bot printed, as far as it was kept."""
        return b""

    def log_cut(self) -> bool:
        """Return whether it printed more than is kept."""
        return False

    def notices(self) -> list[tuple[int | None, Failure]]:
        """Return what its owner should know and is no fault, with the step if there is one."""
        if not self.log_cut():
            return []
        return [(None, Failure("E305", f"The log was cut after {self.limits.log_kib} KiB."))]

    def decide(self, question: Question) -> str:
        """Return the move of this seat to a caller without a match; raise a failure."""
        if self.failure:
            raise Misplayed(self.failure)
        self.ask(question, [])
        answer, failure, _ = self.listen(0)
        if failure or answer is None or answer.move is None:
            raise Misplayed(failure or Failure("E306", "It returned no move."))
        return answer.move


def load_failure(reply: BotReply, limits: Limits) -> Failure:
    """Return the failure of a bot that could not be loaded."""
    if reply.error == LATE:
        limit = f"{limits.load_wall_ms / 1000:g} s"
        text = f"The bot does not start. It did not answer within {limit}."
        return Failure("E201", text, reply.traceback)
    if reply.error == "memory":
        return Failure("E201", "The bot does not start. It ran out of memory.")
    exception = reply.type_name or "an exception"
    return Failure("E201", f"The bot does not start. It raised {exception}.", reply.traceback)


def decision_failure(reply: BotReply, limits: Limits) -> Failure:
    """Return the failure of a bot that made no decision."""
    if reply.error == LATE:
        limit = f"{limits.decision_wall_ms / 1000:g} s"
        return Failure("E302", f"It did not answer within {limit}.", reply.traceback)
    if reply.error == "memory":
        return Failure("E304", f"The bot needed more than {limits.memory_mib} MiB.")
    if reply.error == "returned":
        return Failure("E306", f"It returned {reply.type_name or 'an object'} instead of a move.")
    exception = reply.type_name or "an exception"
    return Failure("E303", f"The bot raised {exception}.", reply.traceback)
