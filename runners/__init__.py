"""Plays matches: boxes, limits, faults, the match loop. Importing it registers games."""

from engine.registry import GAMES
from runners.plugins.discovery import installed_games

GAMES.add_source(installed_games)
