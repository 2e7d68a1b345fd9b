"""Strangers: seats that play by an author's file, boxed or in this process.

They are asked first and listened to later, and whatever they say is judged. What goes wrong is a
`Failure` with a code, the same words wherever the file runs.
"""

from abc import ABC, abstractmethod

from runners.failures import Failure
from runners.limits import Limits
from runners.news import Steps
from runners.players import Question
from runners.protocol import BotReply


class Misplayed(Exception):
    """A stranger that was asked outside of a match failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


class UntrustedPlayer(ABC):
    """One file at one seat of one match."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.failure: Failure | None = None
        """Why it is gone, if it is: from then on nobody can be asked."""
        self.marks: list[tuple[int, int]] = []
        """After each decision: its step, and how much was printed until then."""

    @abstractmethod
    def ask(self, question: Question, news: Steps) -> None:
        """Put the question; others are asked before the answer is wanted."""

    @abstractmethod
    def listen(self, step: int) -> tuple[BotReply | None, Failure | None, float]:
        """Wait for the answer: it, or what went wrong instead, and the ms it took."""

    def retire(self, failure: Failure) -> None:
        """It failed for good: nobody asks it again."""
        self.failure = failure

    def log(self) -> bytes:
        """What the bot printed, as far as it was kept."""
        return b""

    def log_cut(self) -> bool:
        """Whether it printed more than is kept."""
        return False

    def decide(self, question: Question) -> str:
        """The move of this seat, for a caller without a match: a failure is raised."""
        if self.failure:
            raise Misplayed(self.failure)
        self.ask(question, [])
        said, failure, _ = self.listen(0)
        if failure or said is None or said.move is None:
            raise Misplayed(failure or Failure("E306", "It returned no move."))
        return said.move


def not_started(said: BotReply) -> Failure:
    """Loading went wrong."""
    if said.error == "memory":
        return Failure("E201", "The bot does not start. It ran out of memory.")
    what = said.type_name or "an exception"
    return Failure("E201", f"The bot does not start. It raised {what}.", said.traceback)


def complaint(said: BotReply, limits: Limits) -> Failure:
    """A decision went wrong."""
    if said.error == "memory":
        return Failure("E304", f"The bot needed more than {limits.memory_mib} MiB.")
    if said.error == "returned":
        return Failure("E306", f"It returned {said.type_name or 'an object'} instead of a move.")
    what = said.type_name or "an exception"
    return Failure("E303", f"The bot raised {what}.", said.traceback)
