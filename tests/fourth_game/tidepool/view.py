"""What can be seen of a position of Tidepool, and positions imagined from it."""

from engine.game import PUBLIC, Seat, View
from engine.rng import Rng
from tidepool.rules import CARDS, SHELLS, Position, worth


def view(state: Position, seat: Seat | None = None) -> View:
    """Return the pool and everybody's hand; a seat sees its own hand only, the public none."""
    table: View = {
        "tide": state.tide,
        "shell": state.shell,
        "shells_left": len(state.shells),
        "gone_shells": state.gone_shells[:],
        "gone_cards": state.gone_cards[:],
        "seats": [
            {
                "hand": hand[:] if seat is None or seat == owner else None,
                "hand_size": len(hand),
                "pearls": pearls,
            }
            for owner, (hand, pearls) in enumerate(zip(state.hands, state.pearls, strict=True))
        ],
    }
    if seat is not None and seat != PUBLIC:
        table |= {
            "seat": seat,
            "decision": state.decision,
            "asked": list(state.asked),
            "options": dict(state.options),
        }
    return table


def imagine(seen: View, rng: Rng) -> Position:
    """Return a position this view allows: unseen cards lie anywhere, unseen shells in any order."""
    seats = seen["seats"]
    state = Position(len(seats), dict(seen["options"]))
    own = seats[seen["seat"]]["hand"]
    unseen = [card for card in CARDS if card not in own and card not in seen["gone_cards"]]
    rng.shuffle(unseen)
    state.hands = [
        own[:] if seat["hand"] is not None else sorted(_take(unseen, seat["hand_size"]), key=worth)
        for seat in seats
    ]
    state.pearls = [seat["pearls"] for seat in seats]
    state.tide, state.shell = seen["tide"], seen["shell"]
    state.gone_shells, state.gone_cards = seen["gone_shells"][:], seen["gone_cards"][:]
    state.shells = list(SHELLS)
    for shell in [*seen["gone_shells"], *([] if state.shell is None else [state.shell])]:
        state.shells.remove(shell)
    rng.shuffle(state.shells)
    state.decision, state.asked = seen["decision"], tuple(seen["asked"])
    return state


def _take(cards: list[str], count: int) -> list[str]:
    taken, cards[:] = cards[:count], cards[count:]
    return taken
