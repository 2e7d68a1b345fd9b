"""Matches on the author's own machine: many at once, compared, and played again."""
