"""Edel, Stein & Reich as an environment for reinforcement learning."""

from collections.abc import Sequence

from bots_sdk.barter.rl import (
    COUNTS,
    DECISIONS,
    ROUNDS,
    WORTH,
    BarterEncoding,
    describe_barter,
    describe_trader,
)
from bots_sdk.rl.encoding import Actions
from bots_sdk.rl.features import Features, clockwise, one_hot, scaled
from engine.barter.gems import COLOURS, PER_COLOUR
from engine.game import Seat, View
from engine.games.edel_stein_reich import GAME
from engine.games.edel_stein_reich.cards import EVENT, GEM_DECK, IMMEDIATE

CHOICES = ("money", "event", "gems", "free")
_OPPONENTS = tuple(f"opponent {steps}" for steps in range(1, max(GAME.seats)))
"""Counted clockwise: opponent 1 is the left-hand neighbour."""
_KINDS = tuple(dict.fromkeys(EVENT.values()))
_LASTING_KINDS = tuple(kind for kind in _KINDS if kind not in IMMEDIATE)


class EdelSteinReichEncoding(BarterEncoding):
    """Choices, uses of event cards, colours, opponents and counts."""

    actions = (
        *(*CHOICES, "accept", "decline", "open", "hidden", "use"),
        *COLOURS,
        *_OPPONENTS,
        *COUNTS,
    )
    decisions = (*DECISIONS, "BARTER_SINGLE", "EVENT_SOURCE", "EVENT_USE")

    def spell(self, move: str, seat: Seat, seats: int) -> Actions:
        """Return the actions of a move; the uses of event cards are this game's own."""
        word, _, rest = move.partition(" ")
        if word in ("take", "score"):
            return (rest,)
        if word == "strip":
            return tuple(target[1] for target in rest.split())
        if word == "swap":
            give, opponent, take = rest.split()
            return give, f"opponent {(int(opponent) - seat) % seats}", take
        return super().spell(move, seat, seats)

    def describe(self, view: View) -> Features:
        """Return the features of the table, then those of the seats."""
        features: Features = {
            "phase": one_hot(view["phase"], (1, 2, 3)),
            "round": [view["round"] / ROUNDS],
            "supply": scaled(view["supply"], PER_COLOUR),
            "event": one_hot(EVENT.get(view["event"]), _KINDS),
            "using": one_hot(EVENT.get(view["using"]), _KINDS),
            "cards gone by": [float(card in view["used_cards"]) for card in GEM_DECK],
            "card set aside": one_hot(view["aside"], GEM_DECK),
            "events gone by": _count_kinds(view["event_discards"], _KINDS),
            **describe_barter(view, CHOICES),
        }
        for step, seat in enumerate(clockwise(view)):
            one = view["seats"][seat]
            features |= describe_trader(f"seat {step}", view, seat, GAME.catalogue, CHOICES)
            features[f"seat {step} money"] = [one["money"] / WORTH]
            features[f"seat {step} events"] = _count_kinds(one["held"], _LASTING_KINDS)
        return features


def _count_kinds(cards: Sequence[str], kinds: Sequence[str]) -> list[float]:
    kinds_there = [EVENT[card] for card in cards]
    return [float(kinds_there.count(kind)) for kind in kinds]


ENCODING = EdelSteinReichEncoding()
