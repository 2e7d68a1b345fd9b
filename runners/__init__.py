"""Playing matches: asks the seats, applies their moves, writes the record."""
