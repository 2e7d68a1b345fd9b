"""A bot at a seat of an environment: an opponent to train against, or a teacher to learn from.

It is asked as in a match in this process, and what it answers is said in the actions of the
environment.
"""

from pathlib import Path

from bots_sdk.rl.environment import GemEnv
from bots_sdk.rl.legal import spell_out
from engine.game import Seat
from runners.local import LocalPlayer, Program, load
from runners.players import Question
from runners.seeds import seat_seed


class Guest:
    """A bot that plays an environment's seats: call `act` whenever it is the turn of one.

    It is a new bot for every seat of every match. If it fails, its move is the fallback.
    """

    def __init__(self, source: Program | Path | str) -> None:
        """Take a program, or the path of a file, folder or zip."""
        self._program = source if isinstance(source, Program) else load(source)
        self._seed = ""
        self._players: dict[Seat, LocalPlayer] = {}
        self._actions: list[int] = []
        """What is still to be said of the move that is being made, last action first."""

    def act(self, match: GemEnv) -> int:
        """Return the next action of the agent whose turn it is."""
        if not self._actions:
            seat = match.possible_agents.index(match.agent_selection)
            options = match.game.options(match.position, seat)
            move = self._decide(match, seat)
            self._actions = spell_out(match.encoding, move, options, seat, match.seats)[::-1]
        return self._actions.pop()

    def _decide(self, match: GemEnv, seat: Seat) -> str:
        if match.match_seed != self._seed:
            self._seed = match.match_seed
            self._players.clear()
        player = self._players.get(seat)
        if player is None:
            player = LocalPlayer(self._program, seat_seed(self._seed, seat))
            self._players[seat] = player
        question = Question(match.game, match.position, seat)
        if player.failure:
            return question.fallback
        player.ask(question, match.news.read(seat) if match.news else [])
        reply, failure, _ = player.listen(0)
        move = reply.move if reply and not failure else None
        if move is None or question.illegal_reason(move):
            return question.fallback
        return move
