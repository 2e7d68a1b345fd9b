"""The chances in a match as its pages show them: for the viewer, and as a story."""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe

from bots_sdk.chances.story import story_html
from bots_sdk.viewer.chances import error_points
from engine.registry import presentation_of
from league.chances.queries import chances_of
from league.matches.models import Match
from league.matches.views.replay import CacheKey, kept_record


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a match, and what it rests on."""

    sentences: tuple[SafeString, ...]
    playouts: int
    policy: str
    error: int
    """In points of per cent."""


def story_of(match: Match) -> Story | None:
    """Return the story of a match; None until its chances are estimated."""
    return _story(CacheKey(match)) if chances_of(match).rows else None


@lru_cache(maxsize=256)
def _story(key: CacheKey) -> Story:
    chances, record = chances_of(key.match), kept_record(key.match)
    sentences = story_html(record, chances, presentation_of(record["game"]))
    return Story(
        tuple(mark_safe(one) for one in sentences),  # names and cards are escaped
        chances.playouts,
        chances.policy,
        error_points(chances),
    )
