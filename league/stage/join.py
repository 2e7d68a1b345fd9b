"""The address of a wall's league or event as a QR code, drawn by the server."""

from functools import lru_cache
from itertools import groupby

import segno
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from league.tournaments.models import Tournament

MAX_CODES = 64
"""Kept in each process; drawing one takes some milliseconds."""


def join_url(tournament: Tournament | None) -> str:
    """Return the address at which somebody joins."""
    path = "/" if tournament is None else tournament.get_absolute_url()
    return f"{settings.SITE_URL}{path}"


def shown_address(tournament: Tournament | None) -> str:
    """Return the address as somebody types it."""
    return join_url(tournament).partition("://")[2].rstrip("/")


@lru_cache(maxsize=MAX_CODES)
def qr_code(text: str) -> SafeString:
    """Return a drawing that scales, dark on light with the quiet zone that scanners need."""
    code = segno.make(text, error="m", micro=False)
    width, _ = code.symbol_size(border=4)
    path = "".join(_runs(code))
    return mark_safe(  # numbers only
        f'<svg class="qr" viewBox="0 0 {width} {width}" role="img" aria-label="QR code" '
        f'shape-rendering="crispEdges"><rect width="{width}" height="{width}" fill="#fff"/>'
        f'<path fill="#000" d="{path}"/></svg>'
    )


def _runs(code: segno.QRCode) -> list[str]:
    """Return a rectangle for each run of dark modules in a row."""
    runs = []
    for y, row in enumerate(code.matrix_iter(border=4)):
        x = 0
        for is_dark, modules in groupby(row):
            length = sum(1 for _ in modules)
            if is_dark:
                runs.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return runs
