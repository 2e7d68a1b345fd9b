"""A gem derived from a name: always the same one, and rarely that of another name."""

from hashlib import sha256
from math import cos, pi, sin

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

_COLOURS = ("ruby", "yellow", "emerald", "sapphire", "opal")
_SIDES = (5, 6, 7, 8, 9)
_CENTRE = 32.0
_GIRDLE = 29.0


def glyph(name: str, size: int = 64) -> SafeString:
    """Return the gem as inline SVG: a table in the middle, and facets in two colours around it."""
    chance = sha256(name.lower().encode()).digest()
    sides = _SIDES[chance[0] % len(_SIDES)]
    first = chance[1] % len(_COLOURS)
    second = (first + 1 + chance[2] % (len(_COLOURS) - 1)) % len(_COLOURS)
    turn = chance[3] / 256 * 2 * pi / sides
    table = 9 + chance[4] % 10
    girdle = _ring(sides, _GIRDLE, turn)
    inner = _ring(sides, table, turn)
    facets = [
        (
            _COLOURS[second if chance[5 + side] % 3 == 0 else first],
            _points([girdle[side], girdle[side - 1], inner[side - 1], inner[side]]),
        )
        for side in range(sides)
    ]
    return format_html(
        '<svg class="glyph" viewBox="0 0 64 64" width="{}" height="{}" aria-hidden="true">'
        '{}<polygon class="{}" points="{}"/></svg>',
        size,
        size,
        format_html_join("", '<polygon class="{}" points="{}"/>', facets),
        _COLOURS[first],
        _points(inner),
    )


def _ring(sides: int, radius: float, turn: float) -> list[tuple[float, float]]:
    angles = [turn + 2 * pi * side / sides for side in range(sides)]
    return [(_CENTRE + radius * sin(angle), _CENTRE - radius * cos(angle)) for angle in angles]


def _points(corners: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
