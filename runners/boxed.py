"""A seat played by an untrusted file in a box: ask it, read its replies, account for its time.

What goes wrong is a `Failure` with a code. What the box itself does wrong is `InfrastructureError`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from engine.game import Seat
from runners.box.launch import Box, BoxReply, gather
from runners.box.pool import Pool
from runners.bundles.unpacked import Code, imports_numpy
from runners.failures import Failure
from runners.faults import SOFT
from runners.json_text import encode
from runners.limits import DEFAULT, Limits
from runners.news import News, Steps
from runners.players import Player, Question
from runners.protocol import (
    BotReply,
    MalformedReply,
    frame_question,
    options_as_json,
    read_answer,
    read_loaded,
)
from runners.seeds import seat_seed
from runners.untrusted import Misplayed, UntrustedPlayer, decision_failure, load_failure

FILE = "bot.py"
"""What a file is called in tracebacks if nobody says."""

Witness = Callable[[Question, BotReply | None, Failure | None], None]


class BoxedPlayer(UntrustedPlayer):
    """One bot in one box for one match. It is asked first and listened to later."""

    def __init__(self, box: Box) -> None:
        super().__init__(box.limits)
        self.box = box
        self.load_ms = 0.0
        self._cpu_left: float = self.limits.bank_cpu_ms
        self._wall_left: float = self.limits.bank_wall_ms
        self._number = 0
        self._question: Question | None = None
        self.witness: Witness | None = None
        """Told of every answer, while the position is as the bot saw it."""

    def load(self, code: Code, seed: str, file: str = FILE) -> None:
        """Hand the bot over; then `finish_loading`. A file of a bundle has its name there."""
        source, file = (code, file) if isinstance(code, str) else (code.text, code.entry)
        size = len(source.encode("utf-8", "replace"))
        if size > self.limits.source_kib << 10:
            self.retire(Failure("E201", f"The file has more than {self.limits.source_kib} KiB."))
            return
        self.box.wait_ready()
        text = source.encode("utf-8", "replace").decode()
        message = {"source": text, "seed": seed, "file": file}
        if self.box.bundle_folder:
            message["folder"] = self.box.bundle_folder
        self.box.send(message, self.limits.load_cpu_ms, self.limits.load_wall_ms)

    def finish_loading(self) -> None:
        """Read how loading went."""
        reply = self.box.reply
        if self.failure or reply is None:
            return
        self.load_ms = reply.cpu_ms
        failure = _failure_at_load(reply, self.limits)
        if failure:
            self.retire(failure)

    def ask(self, question: Question, news: Steps) -> None:
        """Send the question; the bot thinks while others are asked."""
        self._ask(question, encode(news))

    def ask_next(self, question: Question, news: News) -> None:
        """Send the question with what happened since this seat was last asked."""
        self._ask(question, news.read_json(question.seat))

    def _ask(self, question: Question, news: bytes) -> None:
        self._number += 1
        self._question = question
        cpu_ms = min(self.limits.decision_cpu_ms, self._cpu_left)
        wall_ms = min(self.limits.decision_wall_ms, self._wall_left)
        data = frame_question(
            self._number,
            question.view,
            options_as_json(question.options),
            news,
            int(min(cpu_ms, wall_ms)),
        )
        self.box.send_frame(data, cpu_ms, wall_ms)

    def listen(self, step: int) -> tuple[BotReply | None, Failure | None, float]:
        """Return the answer, or what went wrong instead, and the ms it took."""
        if self.box.reply is None:
            gather([self.box])
        reply = self.box.reply
        assert reply is not None
        self._cpu_left -= reply.cpu_ms
        self._wall_left -= reply.wall_ms
        self.cpu_ms.append(reply.cpu_ms)
        self.marks.append((step, self.box.log_size()))
        answer, failure = _read_reply(reply, self._number, self.limits)
        late = failure is None or failure.code == "E302"
        if late and min(self._cpu_left, self._wall_left) <= 0:
            failure = Failure("E302", "It used up its time for the whole match.")
        if failure and failure.code not in SOFT:
            self.retire(failure)
        if self.witness and self._question:
            self.witness(self._question, answer, failure)
        return answer, failure, reply.wall_ms

    def retire(self, failure: Failure) -> None:
        """End the box of a bot that failed for good; nobody asks it again."""
        super().retire(failure)
        self.box.kill()

    def log(self) -> bytes:
        """Return what the bot printed, up to the cap."""
        return self.box.log()

    def log_cut(self) -> bool:
        """Return whether it printed more than is kept."""
        return self.box.log_size() > self.limits.log_kib << 10


def _failure_at_load(reply: BoxReply, limits: Limits) -> Failure | None:
    """Return why the bot does not start: whatever goes wrong before the first question."""
    if reply.failure:
        if reply.failure.code == "E307":
            return reply.failure
        return Failure("E201", f"The bot does not start. {reply.failure.detail}")
    assert reply.message is not None
    try:
        answer = read_loaded(reply.message)
    except MalformedReply as error:
        return Failure("E201", f"The bot does not start. What came back was {error}.")
    return load_failure(answer, limits) if answer.error else None


def _read_reply(
    reply: BoxReply, number: int, limits: Limits
) -> tuple[BotReply | None, Failure | None]:
    if reply.failure:
        return None, reply.failure
    assert reply.message is not None
    try:
        answer = read_answer(reply.message, number)
    except MalformedReply as error:
        return None, Failure("E309", f"What came back was not one answer: {error}.")
    if answer.error is None:
        return answer, None
    return answer, decision_failure(answer, limits)


@contextmanager
def boxed_players(
    sources: Sequence[Code],
    seed: str,
    limits: Limits = DEFAULT,
    *,
    pool: Pool | None = None,
    seats: Sequence[Seat] | None = None,
    files: Sequence[str] | None = None,
) -> Iterator[list[Player]]:
    """Yield a loaded bot in a box of its own for every bot; the boxes end with the block.

    `seats` says which seats they take, if there are others at the table; `files` what the sources
    are called in tracebacks; those of a bundle have the names that they have in it.
    """
    with ExitStack() as stack:
        players: list[BoxedPlayer] = []
        boxes = pool or stack.enter_context(Pool(len(sources), limits))
        for box in boxes.take_all(sources):
            stack.callback(box.close)
            players.append(BoxedPlayer(box))
        for player in players:
            # These run before the others: all end together, and then each is waited for.
            stack.callback(player.box.kill)
        own_seats = seats if seats is not None else range(len(sources))
        names = files if files is not None else [FILE] * len(sources)
        for seat, player, source, file in zip(own_seats, players, sources, names, strict=True):
            player.load(source, seat_seed(seed, seat), file)
        gather([player.box for player in players if player.failure is None])
        for player in players:
            player.finish_loading()
        yield list(players)


__all__ = ["FILE", "BoxedPlayer", "Misplayed", "boxed_players", "imports_numpy"]
