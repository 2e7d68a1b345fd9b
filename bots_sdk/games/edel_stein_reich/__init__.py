"""The authors' kit of Edel, Stein & Reich. What bots import runs inside the box."""

from bots_sdk.games.edel_stein_reich.bot import (
    BarterView,
    EdelSteinReichAnswerView,
    EdelSteinReichBarterView,
    EdelSteinReichBot,
    EdelSteinReichEventView,
    EdelSteinReichSeat,
    EdelSteinReichUseView,
    EdelSteinReichView,
    Move,
    Offer,
)

__all__ = [
    "BarterView",
    "EdelSteinReichAnswerView",
    "EdelSteinReichBarterView",
    "EdelSteinReichBot",
    "EdelSteinReichEventView",
    "EdelSteinReichSeat",
    "EdelSteinReichUseView",
    "EdelSteinReichView",
    "Move",
    "Offer",
]
