"""The authors' kit of Edelsteinsuche. What bots import runs inside the box."""

from bots_sdk.games.edelsteinsuche.bot import (
    Draw,
    EdelsteinsucheBot,
    EdelsteinsuchePlaceView,
    EdelsteinsucheSeat,
    EdelsteinsucheView,
    Hide,
    Move,
    Slot,
)

__all__ = [
    "Draw",
    "EdelsteinsucheBot",
    "EdelsteinsuchePlaceView",
    "EdelsteinsucheSeat",
    "EdelsteinsucheView",
    "Hide",
    "Move",
    "Slot",
]
