"""What a wall shows besides matches, as HTML: standings, bracket, movers, next events, the way in.

The same for all viewers, so each is rendered once and told apart by a digest.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from typing import Any

from django.db import Error
from django.template.loader import render_to_string
from django.utils import timezone

from engine.registry import GAMES
from league.ladder import board
from league.stage import join, standings
from league.tournaments.models import Tournament
from league.tournaments.queries import lists
from league.tournaments.queries.standing import Standing

MOVERS = 6
EVENTS = 5
State = Tournament.State
Source = Callable[[], str]
"""Renders a panel; an empty text if there is nothing to show."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the wall; `digest` changes with its HTML."""

    html: str
    digest: str


def panels_of(
    tournament: Tournament | None, former: Mapping[str, Panel] | None = None
) -> dict[str, Panel]:
    """Return all panels that have something to show, in their order. One that fails is taken from
    the former ones.
    """
    panels = {}
    for name, source in _sources(tournament).items():
        try:
            panel = _panel(source)
        except Error:
            raise
        except Exception:
            # A wall that hangs in a hall goes on without it.
            _log.exception("the panel %s cannot be shown", name)
            panel = (former or {}).get(name)
        if panel is not None:
            panels[name] = panel
    return panels


def _panel(source: Source) -> Panel | None:
    html = source()
    return Panel(html, sha256(html.encode()).hexdigest()[:12]) if html else None


def _sources(tournament: Tournament | None) -> dict[str, Source]:
    """Return what renders each panel of a wall."""
    if tournament is not None:
        return {
            **_boards(tournament, heading=""),
            "next": partial(_begins, tournament),
            "join": partial(_join, tournament),
        }
    running = _running()
    return {
        **(_boards(running, heading=running.name) if running else {}),
        "movers": _movers,
        "next": _next,
        "join": partial(_join, None),
    }


def _running() -> Tournament | None:
    """Return the event that the league's wall is about, too: the latest one that has begun."""
    return Tournament.objects.public().live().select_related("organiser").last()


def _boards(tournament: Tournament, heading: str) -> dict[str, Source]:
    """Return standings and bracket. On the league's wall their heading names the event."""
    standing = cache(lambda: Standing(tournament))

    def rows() -> str:
        board = standings.board_of(standing())
        about = {"board": board, "tournament": tournament, "heading": heading}
        return _render("_standings", **about) if board else ""

    def rounds() -> str:
        rounds = standings.bracket_of(standing())
        about = {"rounds": rounds, "standing": standing(), "tournament": tournament}
        return _render("_bracket", **about, heading=heading) if rounds else ""

    return {"standings": rows, "bracket": rounds}


def _movers() -> str:
    movers = [mover for game in GAMES for mover in board.movers(game, MOVERS)]
    moved = [mover for mover in movers if abs(mover.change) >= 1]
    latest = sorted(moved, key=lambda mover: -abs(mover.change))[:MOVERS]
    return _render("_movers", movers=latest) if latest else ""


def _next() -> str:
    upcoming = lists.upcoming(EVENTS)
    return _render("_next", tournaments=upcoming) if upcoming else ""


def _begins(tournament: Tournament) -> str:
    if tournament.over or tournament.state == State.RUNNING:
        return ""
    only = Tournament.objects.filter(pk=tournament.pk)
    return _render("_next", tournaments=lists.with_sizes(only))


def _join(tournament: Tournament | None) -> str:
    is_open = tournament is not None and tournament.state == State.OPEN
    return _render(
        "_join",
        tournament=tournament,
        is_open=is_open and tournament is not None and tournament.locks_at > timezone.now(),
        # A long address is broken after a slash.
        parts=join.shown_address(tournament).split("/"),
        code=join.qr_code(join.join_url(tournament)),
    )


def _render(name: str, **context: Any) -> str:
    return render_to_string(f"stage/{name}.html", context)
