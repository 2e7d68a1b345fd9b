"""What a seat's own chance is made of: reproducible, and telling nothing about the deal."""

import hmac
from hashlib import sha256

from engine.game import Seat


def seat_seed(match_seed: str, seat: Seat) -> str:
    """The seed of a seat's generator. Nobody can work the match seed out from it."""
    return hmac.new(match_seed.encode(), f"seat {seat}".encode(), sha256).hexdigest()
