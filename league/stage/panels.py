"""What a wall shows besides matches, as HTML: standings, bracket, movers, next events, the way in.

The same for all viewers, so each is rendered once and told apart by a digest.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

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
EVENT_PANELS = ("standings", "bracket", "next", "join")
LEAGUE_PANELS = ("movers", "next", "join")
NAMES = frozenset(EVENT_PANELS + LEAGUE_PANELS)
State = Tournament.State


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the wall; `digest` changes with its HTML."""

    html: str
    digest: str


def panels_of(tournament: Tournament | None) -> dict[str, Panel]:
    """Return all panels that have something to show, in their order."""
    pages = _league() if tournament is None else _event(tournament)
    return {
        name: Panel(html, sha256(html.encode()).hexdigest()[:12])
        for name, html in pages.items()
        if html
    }


def _league() -> dict[str, str]:
    movers = [mover for game in GAMES for mover in board.movers(game, MOVERS)]
    moved = [mover for mover in movers if abs(mover.change) >= 1]
    upcoming = lists.upcoming(EVENTS)
    return {
        "movers": _render(
            "_movers", movers=sorted(moved, key=lambda mover: -abs(mover.change))[:MOVERS]
        )
        if moved
        else "",
        "next": _render("_next", tournaments=upcoming) if upcoming else "",
        "join": _join(None),
    }


def _event(tournament: Tournament) -> dict[str, str]:
    standing = Standing(tournament)
    rows = standings.board_of(standing)
    rounds = standings.bracket_of(standing)
    begins = not tournament.over and tournament.state != State.RUNNING
    return {
        "standings": _render("_standings", board=rows, tournament=tournament) if rows else "",
        "bracket": _render("_bracket", rounds=rounds, standing=standing, tournament=tournament)
        if rounds
        else "",
        "next": _render("_next", tournaments=lists.with_sizes(_only(tournament))) if begins else "",
        "join": _join(tournament),
    }


def _only(tournament: Tournament) -> Any:
    return Tournament.objects.filter(pk=tournament.pk)


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
