"""Seats of a table: numbers in code, letters for people."""

from string import ascii_uppercase

Seat = int
NOBODY: tuple[Seat, ...] = ()
PUBLIC: Seat = -1
"""In place of a seat: what everybody knows."""
SEAT_LETTERS = ascii_uppercase


def seat_letter(seat: Seat) -> str:
    """Return the letter of a seat."""
    return SEAT_LETTERS[seat]
