"""A bot at a seat of an environment: an opponent to train against, or a teacher to learn from.

It is asked as in a match in this process, and what it answers is said in the actions of the
environment.
"""

from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

from bots_sdk.rl.environment import GemEnv
from bots_sdk.rl.legal import spell_out
from engine.game import Seat
from runners.local import LocalPlayer, Program, load
from runners.players import Question
from runners.seeds import seat_seed


@dataclass(slots=True)
class _Visit:
    """What a guest keeps of the match that an environment plays."""

    match_seed: str
    players: dict[Seat, LocalPlayer] = field(default_factory=dict)
    actions: list[int] = field(default_factory=list)
    """What is still to be said of the move that is being made, last action first."""


class Guest:
    """A bot that plays at environments: call `act` whenever it is the turn of one of its seats.

    It is a new bot for every seat of every match. If it fails, its move is the fallback.
    """

    def __init__(self, source: Program | Path | str) -> None:
        """Take a program, or the path of a file, folder or zip."""
        self._program = source if isinstance(source, Program) else load(source)
        self._visits: WeakKeyDictionary[GemEnv, _Visit] = WeakKeyDictionary()

    def act(self, match: GemEnv) -> int:
        """Return the next action of the agent whose turn it is."""
        visit = self._visits.get(match)
        if visit is None or visit.match_seed != match.match_seed:
            visit = self._visits[match] = _Visit(match.match_seed)
        if not visit.actions:
            seat = match.possible_agents.index(match.agent_selection)
            options = match.game.options(match.position, seat)
            move = self._decide(match, seat, visit.players)
            visit.actions = spell_out(match.encoding, move, options, seat, match.seats)[::-1]
        return visit.actions.pop()

    def _decide(self, match: GemEnv, seat: Seat, players: dict[Seat, LocalPlayer]) -> str:
        if seat not in players:
            players[seat] = LocalPlayer(self._program, seat_seed(match.match_seed, seat))
        player, question = players[seat], Question(match.game, match.position, seat)
        if player.failure:
            return question.fallback
        player.ask(question, match.news.read(seat) if match.news else [])
        reply, failure, _ = player.listen(0)
        move = reply.move if reply and not failure else None
        if move is None or question.illegal_reason(move):
            return question.fallback
        return move
