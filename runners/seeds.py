"""The seeds of bots' own generators: reproducible, and telling nothing about the deal."""

import hmac
from hashlib import sha256

from engine.game import Seat


def seat_seed(match_seed: str, seat: Seat) -> str:
    """Return the seed of a seat's generator. Nobody can work out the match seed from it."""
    return hmac.new(match_seed.encode(), f"seat {seat}".encode(), sha256).hexdigest()
