"""The sentence of a step as HTML: seats, gems and cards filled in, everything escaped."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from engine.facets.presentation import Inline, Presentation
from engine.game import Seat, seat_letter

_PLACEHOLDER = re.compile(r"\{(?:(?P<seat>\d+)|(?P<field>[a-z_]+))\}")
HIDDEN_CARD = "a hidden card"
MAX_WORDINGS = 4096
"""Wordings kept in a process. Sentences share most of theirs: what stands between two names."""


def badge(seat: Seat) -> str:
    """Return the letter of a seat, always drawn alike."""
    return f'<b class="kv-seat kv-s{seat}">{seat_letter(seat)}</b>'


def sentence(
    text: str, step: Mapping[str, Any], names: Sequence[str], presentation: Presentation
) -> str:
    """Return one sentence; names of bots and cards are written by others, so they are escaped."""

    def named(seat: Seat) -> str:
        return _named(seat, names[seat])

    html = "".join(_parts(text, step, named, presentation))
    return html[0].upper() + html[1:] if html else html


@lru_cache(maxsize=MAX_WORDINGS)
def _named(seat: Seat, name: str) -> str:
    name = f'<span class="kv-name"> {escape(name)}</span>'
    return f'<span class="kv-who">{badge(seat)}{name}</span>'


def phrase(text: str, presentation: Presentation) -> str:
    """Return a few words of a table, with seats as their letters."""
    return "".join(_parts(text, {}, badge, presentation))


def _parts(
    text: str, step: Mapping[str, Any], seat: Callable[[Seat], str], presentation: Presentation
) -> Iterator[str]:
    at = 0
    for match in _PLACEHOLDER.finditer(text):
        yield with_icons(text[at : match.start()], presentation)
        if match["seat"]:
            yield seat(int(match["seat"]))
        elif (card := step.get(match["field"])) is None:
            yield HIDDEN_CARD
        else:
            yield with_icons(presentation.card_title(str(card)), presentation)
        at = match.end()
    yield with_icons(text[at:], presentation)


@lru_cache(maxsize=MAX_WORDINGS)
def with_icons(text: str, presentation: Presentation) -> str:
    """Return a text in which gems, cards and the like stand with their icons."""
    parts, at = [], 0
    for one in presentation.inline(text):
        parts += [escape(text[at : one.start]), _icon(one)]
        at = one.end
    return "".join([*parts, escape(text[at:])])


def _icon(one: Inline) -> str:
    quiet = f"<span>{escape(one.quiet)}</span>" if one.quiet else ""
    return f'<span class="kv-kg kv-{escape(one.icon)}">{escape(one.text)}{quiet}</span>'


def plain(
    text: str, step: Mapping[str, Any], names: Sequence[str], presentation: Presentation
) -> str:
    """Return the same sentence in bare words, for titles of links."""
    return re.sub(r"<[^>]+>", "", sentence(text, step, names, presentation))


def duration(ms: float) -> str:
    """Return a thinking time as people read it."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
