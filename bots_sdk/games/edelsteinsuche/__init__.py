"""The authors' kit of Edelsteinsuche. What bots import runs inside the box."""

from bots_sdk.games.edelsteinsuche.bot import (
    EdelsteinsucheBot,
    EdelsteinsucheSeat,
    EdelsteinsucheView,
    Slot,
)

__all__ = ["EdelsteinsucheBot", "EdelsteinsucheSeat", "EdelsteinsucheView", "Slot"]
