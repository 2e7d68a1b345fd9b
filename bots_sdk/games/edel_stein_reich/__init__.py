"""The authors' kit of Edel, Stein & Reich. What bots import runs inside the box."""

from bots_sdk.games.edel_stein_reich.bot import (
    BarterView,
    EdelSteinReichBot,
    EdelSteinReichSeat,
    EdelSteinReichView,
    Offer,
)

__all__ = ["BarterView", "EdelSteinReichBot", "EdelSteinReichSeat", "EdelSteinReichView", "Offer"]
