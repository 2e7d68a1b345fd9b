"""How a version plays, as people read it. Pure: what was counted becomes words and shares."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.facets.statistics import Fact, Shares, thinking_facts
from engine.game import Game


@dataclass(frozen=True, slots=True)
class PlayingStyle:
    """What a version does, over its matches."""

    matches: int
    shares: list[Shares]
    """Such as the actions it chooses; the first are drawn as bars."""
    facts: list[Fact]


def playing_style(game: Game, matches: int, counts: Mapping[str, int]) -> PlayingStyle:
    """Return in words what was counted over some matches of a game."""
    shares = [one for one in game.statistics.shares(counts) if one.parts]
    facts = [*game.statistics.facts(matches, counts), *thinking_facts(counts)]
    return PlayingStyle(matches, shares, facts)
