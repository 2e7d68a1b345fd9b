"""Matches that all viewers of a wall watch in step, told only as far as the clock has come."""
