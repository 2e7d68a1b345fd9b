"""Matches as jobs: queued, claimed, played in boxes, stored once."""
