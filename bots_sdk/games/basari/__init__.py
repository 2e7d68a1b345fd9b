"""The authors' kit of Basari. What bots import runs inside the box."""

from bots_sdk.games.basari.bot import BarterView, BasariBot, BasariSeat, BasariView, Offer

__all__ = ["BarterView", "BasariBot", "BasariSeat", "BasariView", "Offer"]
