"""The authors' kit of Basari. What bots import runs inside the box."""

from bots_sdk.games.basari.bot import (
    BarterView,
    BasariAnswerView,
    BasariBarterView,
    BasariBot,
    BasariSeat,
    BasariView,
    Move,
    Offer,
)

__all__ = [
    "BarterView",
    "BasariAnswerView",
    "BasariBarterView",
    "BasariBot",
    "BasariSeat",
    "BasariView",
    "Move",
    "Offer",
]
