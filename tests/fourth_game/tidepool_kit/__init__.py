"""The authors' kit of Tidepool. What bots import runs inside the box."""

from tidepool_kit.bot import TidepoolBot

__all__ = ["TidepoolBot"]
