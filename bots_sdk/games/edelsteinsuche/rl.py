"""Edelsteinsuche as an environment for reinforcement learning."""

from functools import lru_cache

from bots_sdk.rl.encoding import Actions, Encoding
from bots_sdk.rl.features import MAX_FEATURE, Features, clockwise, one_hot
from engine.game import Seat, View
from engine.games.edelsteinsuche.cards import CARDS, PROSPECTORS

_ROWS = 4
_SLOTS = "12345"
_TURNS = 100


class EdelsteinsucheEncoding(Encoding):
    """Every move is one action; rows are counted from the seat."""

    actions = (
        *("normal", "unique", "show", "stop", "continue"),
        *(f"hide {slot}" for slot in _SLOTS),
        *(f"draw {row}.{slot}" for row in range(1, _ROWS) for slot in _SLOTS),
    )
    decisions = ("TURN_START", "DRAW", "PLACE", "UNIQUE_MORE")

    def spell(self, move: str, seat: Seat, seats: int) -> Actions:
        """Return the action of a move."""
        word, _, rest = move.partition(" ")
        if word == "draw":
            row, slot = rest.split(".")
            return (f"draw {rows_from(seat, seats).index(int(row))}.{slot}",)
        return (move,)

    def describe(self, view: View) -> Features:
        """Return the features of the table, then those of the rows and of the seats."""
        own, seats = view["seat"], clockwise(view)
        rows = rows_from(own, len(seats))
        drawn_from = view["drawn_from"]
        places = [(row, slot) for row in rows for slot in range(len(_SLOTS))]
        features: Features = {
            "turn": [min(view["turn"] / len(seats) / _TURNS, MAX_FEATURE)],
            "active": one_hot(view["active"], seats),
            "unique move": [float(view["unique"]), view["draws"] / 3],
            "hand": one_hot(view["hand"], CARDS),
            "drawn from": one_hot(drawn_from and (drawn_from[0], drawn_from[1] - 1), places),
            "face up": [float(view["rows"][row][slot]["up"]) for row, slot in places],
        }
        for step, row in enumerate(rows):
            cards = [one_hot(card, CARDS) for card in view["known"][own][row]]
            features[f"row {step} cards"] = [number for card in cards for number in card]
        for step, seat in enumerate(seats):
            one, seen = view["seats"][seat], view["seen"][seat]
            features[f"seat {step} gem"] = one_hot(one["type"], PROSPECTORS)
            features[f"seat {step} missing"] = [one["missing"] / 5]
            features[f"seat {step} unique move used"] = [float(one["unique_used"])]
            features[f"seat {step} has seen"] = [float(seen[row][slot]) for row, slot in places]
        return features


@lru_cache
def rows_from(seat: Seat, seats: int) -> list[int]:
    """Return the rows as a seat counts them: its own, its opponents' clockwise, the avatars'."""
    return [*((seat + step) % seats for step in range(seats)), *range(seats, _ROWS)]


ENCODING = EdelsteinsucheEncoding()
