"""A seat played by a stranger's file in a box: asks it, reads its words, keeps its account of time.

What goes wrong is a `Failure` with a code. What the box itself does wrong is `InfrastructureError`.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from engine.game import Seat
from runners.box.launch import Box, BoxReply, gather
from runners.box.pool import Pool
from runners.failures import Failure
from runners.faults import SOFT
from runners.limits import DEFAULT, Limits
from runners.news import Steps
from runners.players import Player, Question
from runners.protocol import BotReply, MalformedReply, options_as_json, read_answer, read_loaded
from runners.seeds import seat_seed
from runners.untrusted import Misplayed, UntrustedPlayer, complaint, not_started


class BoxedPlayer(UntrustedPlayer):
    """One bot in one box for one match. It is asked first and listened to later."""

    def __init__(self, box: Box) -> None:
        super().__init__(box.limits)
        self.box = box
        self.load_ms = 0.0
        self._cpu_left: float = self.limits.bank_cpu_ms
        self._wall_left: float = self.limits.bank_wall_ms
        self._number = 0

    def load(self, source: str, seed: str) -> None:
        """Hand the bot over; `loaded` says what became of it."""
        size = len(source.encode("utf-8", "replace"))
        if size > self.limits.source_kib << 10:
            self.retire(Failure("E201", f"The file has more than {self.limits.source_kib} KiB."))
            return
        self.box.wait_ready()
        message = {"source": source.encode("utf-8", "replace").decode(), "seed": seed}
        self.box.send(message, self.limits.load_cpu_ms, self.limits.load_wall_ms)

    def loaded(self) -> None:
        """Read how loading went."""
        heard = self.box.heard
        if self.failure or heard is None:
            return
        self.load_ms = heard.cpu_ms
        failure = _heard_at_load(heard)
        if failure:
            self.retire(failure)

    def ask(self, question: Question, news: Steps) -> None:
        """Send the question; the bot thinks while others are asked."""
        self._number += 1
        cpu_ms = min(self.limits.decision_cpu_ms, self._cpu_left)
        wall_ms = min(self.limits.decision_wall_ms, self._wall_left)
        message = {
            "i": self._number,
            "view": question.view,
            "options": options_as_json(question.options),
            "news": news,
            "time_left_ms": int(min(cpu_ms, wall_ms)),
        }
        self.box.send(message, cpu_ms, wall_ms)

    def listen(self, step: int) -> tuple[BotReply | None, Failure | None, float]:
        """The answer, or what went wrong instead, and the ms it took."""
        if self.box.heard is None:
            gather([self.box])
        heard = self.box.heard
        assert heard is not None
        self._cpu_left -= heard.cpu_ms
        self._wall_left -= heard.wall_ms
        self.marks.append((step, self.box.log_size()))
        said, failure = _understood(heard, self._number, self.limits)
        late = failure is None or failure.code == "E302"
        if late and min(self._cpu_left, self._wall_left) <= 0:
            failure = Failure("E302", "It used up its time for the whole match.")
        if failure and failure.code not in SOFT:
            self.retire(failure)
        return said, failure, heard.wall_ms

    def retire(self, failure: Failure) -> None:
        """It failed for good: the box ends, and nobody asks it again."""
        super().retire(failure)
        self.box.kill()

    def log(self) -> bytes:
        """What the bot printed, up to the cap."""
        return self.box.log()

    def log_cut(self) -> bool:
        """Whether it printed more than is kept."""
        return self.box.log_size() > self.limits.log_kib << 10


def _heard_at_load(heard: BoxReply) -> Failure | None:
    """Whatever happens before the first question is a bot that does not start."""
    if heard.failure:
        if heard.failure.code == "E307":
            return heard.failure
        return Failure("E201", f"The bot does not start. {heard.failure.detail}")
    assert heard.message is not None
    try:
        said = read_loaded(heard.message)
    except MalformedReply as garbled:
        return Failure("E201", f"The bot does not start. What came back was {garbled}.")
    return not_started(said) if said.error else None


def _understood(
    heard: BoxReply, number: int, limits: Limits
) -> tuple[BotReply | None, Failure | None]:
    if heard.failure:
        return None, heard.failure
    assert heard.message is not None
    try:
        said = read_answer(heard.message, number)
    except MalformedReply as garbled:
        return None, Failure("E309", f"What came back was not one answer: {garbled}.")
    if said.error is None:
        return said, None
    return said, complaint(said, limits)


@contextmanager
def boxed_players(
    sources: Sequence[str],
    seed: str,
    limits: Limits = DEFAULT,
    *,
    pool: Pool | None = None,
    seats: Sequence[Seat] | None = None,
) -> Iterator[list[Player]]:
    """A loaded bot in a box of its own for every source; the boxes end with the block.

    `seats` says which seats they take, if there are others at the table.
    """
    with ExitStack() as stack:
        players: list[BoxedPlayer] = []
        for _ in sources:
            box = pool.take() if pool else Box(limits)
            stack.callback(box.close)
            players.append(BoxedPlayer(box))
        for player in players:
            # These run before the others: all end together, and then each is waited for.
            stack.callback(player.box.kill)
        taken = seats if seats is not None else range(len(sources))
        for seat, player, source in zip(taken, players, sources, strict=True):
            player.load(source, seat_seed(seed, seat))
        gather([player.box for player in players if player.failure is None])
        for player in players:
            player.loaded()
        yield list(players)


__all__ = ["BoxedPlayer", "Misplayed", "boxed_players"]
