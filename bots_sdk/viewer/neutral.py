"""Neutral words for what lies ahead, on a page that hides the result.

Everybody gets the same HTML, so it holds both: the words that tell nothing, and those that the
viewer puts in their place as soon as the match was watched so far.
"""

from html import escape

from bots_sdk.viewer.replay import Replay
from engine.facets.presentation import Start


def in_time(replay: Replay, i: int, text: str, neutral: str) -> tuple[str, str]:
    """Return attributes and words of an element that tells what happens until step `i`."""
    if replay.spoiler is None:
        return "", escape(text)
    return f' data-from="{i}" data-told="{escape(text)}"', escape(neutral)


def chapter_in_time(replay: Replay, start: Start) -> tuple[str, str]:
    """Return attributes and words of an element that names a chapter."""
    if not start.neutral:
        return "", escape(start.name)
    return in_time(replay, start.i, start.name, start.neutral)
