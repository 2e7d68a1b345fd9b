"""The sentence of a step as HTML: seats, gems and hidden cards filled in, everything escaped."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from engine.game import SEAT_LETTERS, Seat
from engine.games.edelsteinsuche.cards import NAMES, title

_PART = re.compile(
    r"\{(?P<seat>\d)\}|\{(?P<hidden>card|out)\}"
    r"|\b(?P<count>\d+) (?P<colour>red|yellow|green|blue)\b"
    rf"|\b(?P<card>(?:{'|'.join(NAMES.values())}) \d)\b"
)
_CUT = {"Opal": "o", "Ruby": "r", "Sapphire": "b", "Emerald": "g"}


def badge(seat: Seat) -> str:
    """The letter of a seat, always drawn alike."""
    return f'<b class="kv-seat kv-s{seat}">{SEAT_LETTERS[seat]}</b>'


def sentence(text: str, step: dict[str, Any], names: Sequence[str]) -> str:
    """One sentence; a bot's name is a stranger's text, and so is a card that is not there."""
    out, at = [], 0
    for match in _PART.finditer(text):
        out += [escape(text[at : match.start()]), _filled(match, step, names)]
        at = match.end()
    told = "".join([*out, escape(text[at:])])
    return told[0].upper() + told[1:] if told else told


def _filled(match: re.Match[str], step: dict[str, Any], names: Sequence[str]) -> str:
    if (seat := match["seat"]) is not None:
        name = f'<span class="kv-name"> {escape(names[int(seat)])}</span>'
        return f'<span class="kv-who">{badge(int(seat))}{name}</span>'
    if match["colour"]:
        cut, word = match["colour"][0], match["colour"]
        return f'<span class="kv-kg kv-{cut}">{match["count"]}<span> {word}</span></span>'
    if match["hidden"] and match["hidden"] not in step:
        return "a hidden card"
    card = match["card"] or title(step[match["hidden"]])
    return f'<span class="kv-kg kv-{_CUT[card.split()[0]]}">{card}</span>'


def plain(text: str, step: dict[str, Any], names: Sequence[str]) -> str:
    """The same sentence in bare words, for titles of links."""
    return re.sub(r"<[^>]+>", "", sentence(text, step, names))


def duration(ms: float) -> str:
    """A thinking time as people read it."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
