"""Who deals in a series: somebody by chance in the first game, then clockwise, player by player.

Players keep their order around a table while the seats move on, so that the next dealer is always
the player after the last one, whatever seat that is.
"""

from league.tournaments.planning.plan import PlannedMatch, Table

DEALER = "dealer"
"""The option of a game that names the seat of the dealer."""


def drawn_dealer(seed: str, size: int) -> int:
    """Return which of the players deals first; the seed is a hexadecimal number."""
    return int(seed, 16) % size


def dealer_seat(table: Table, match: PlannedMatch, first: int) -> int:
    """Return the seat that deals in a match, if the player at this index deals in the first game.

    All rotations of a mirrored deal have the same cards and the same dealer's seat.
    """
    turn = (first + match.deal - 1) % len(table.entries)
    return turn if table.mirrored else match.seats.index(table.entries[turn])
