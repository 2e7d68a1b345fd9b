"""What is sealed in a tournament, what is revealed next, and which places are known already.

Rounds that are sealed by the terms come first, the lowest first. What the freeze sealed follows
when all games are over: the places, from the last to the first. What is said about the next reveal
tells nothing of its content, not even a tie.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.conf import settings
from django.core.cache import cache
from django.db.models import Max

from league.matches.models import Match
from league.tournaments.models import Game, Round, Tournament
from league.tournaments.planning.standings import Presence, Row
from league.tournaments.queries.rounds import matches_of, true_standings

_PLACES_SECONDS = 60 * 60


@dataclass(frozen=True, slots=True)
class Reveal:
    """What *Reveal next* would show."""

    key: str
    """Tells one step from another, such as `round-2` and `place-5`."""
    title: str
    """What it is, in a sentence: `round 2`, `place 5`."""
    sentence: str
    """Its consequence, for the organiser."""
    ready: bool
    """Whether it can be revealed now: its games are over."""
    due_at: datetime | None
    """When the schedule reveals it; None if the organiser does."""
    round: Round | None = None
    """The round; None for a place."""


def sealed_rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds of which results are sealed, the lowest first, finished or not."""
    return list(tournament.rounds.filter(sealed=True))


def next_reveal(tournament: Tournament) -> Reveal | None:
    """Return what is revealed next; None if nothing is sealed."""
    rows = sealed_rounds(tournament)
    by_terms = next((row for row in rows if not row.frozen), None)
    if by_terms is not None:
        return _round_reveal(tournament, by_terms, is_last=len(rows) == 1)
    return _place_reveal(tournament) if rows else None


def _round_reveal(tournament: Tournament, row: Round, *, is_last: bool) -> Reveal:
    follows = "and the pairings of the next round"
    if is_last and tournament.played_at is not None:
        follows = "and the tournament is final"
    return Reveal(
        f"round-{row.number}",
        f"round {row.number}",
        f"Everybody sees the results of round {row.number}, {follows}.",
        ready=row.finished_at is not None,
        due_at=tournament.next_reveal_at,
        round=row,
    )


def _place_reveal(tournament: Tournament) -> Reveal:
    place = _line_count(tournament) - tournament.places_shown
    return Reveal(
        f"place-{place}",
        f"place {place}",
        f"Everybody sees who has place {place}, and who shares it. After the first place all"
        " results are public, and the tournament is final.",
        ready=tournament.played_at is not None,
        due_at=tournament.next_reveal_at,
    )


def _line_count(tournament: Tournament) -> int:
    """Return how many lines the final standings will have."""
    return tournament.entries.exclude(rank=0).count()


def lines_of_next_step(tournament: Tournament) -> tuple[int, int]:
    """Return how many lines of the final standings the next step adds from below, and how many
    there are. Those who share a place are revealed together, and so are all who left or did not
    play.
    """
    rows = true_standings(tournament)
    below = 0
    for _, group in groupby(reversed(rows), key=_step_of):
        count = sum(1 for _ in group)
        below += count
        if below > tournament.places_shown:
            return below - tournament.places_shown, len(rows)
    return 0, len(rows)


def _step_of(row: Row) -> int | None:
    return row.place if row.presence == Presence.STAYED else None


def places(tournament: Tournament) -> list[Row | None]:
    """Return the final standings of a frozen board from the first place to the last, with None for
    every line that is not revealed yet; an empty list if no board is frozen.
    """
    if tournament.frozen_at is None or tournament.over or tournament.unsealed_at is not None:
        return []
    if not tournament.places_shown:
        return [None] * _line_count(tournament)
    latest = tournament.actions.aggregate(Max("pk"))["pk__max"]
    key = f"places-{tournament.pk}-{tournament.places_shown}-{latest}"
    lines: list[Row | None] | None = cache.get(key)
    if lines is None:
        rows = true_standings(tournament)
        sealed = len(rows) - tournament.places_shown
        lines = [None if at < sealed else row for at, row in enumerate(rows)]
        cache.set(key, lines, _PLACES_SECONDS)
    return lines


def seal_ends_at(tournament: Tournament) -> datetime | None:
    """Return when the seal ends by itself; None while games are played or nothing is sealed."""
    rows = sealed_rounds(tournament)
    if not rows or rows[-1].finished_at is None:
        return None
    # A pod that is voided opens its round again, but no game is played later for that.
    last = matches_of(rows).aggregate(at=Max("finished_at"))["at"]
    return (last or rows[-1].finished_at) + timedelta(hours=settings.SEAL_HOURS)


def sealed_since(tournament: Tournament) -> datetime | None:
    """Return from when on what happened may tell what is sealed; None if nothing is sealed."""
    first = next(iter(sealed_rounds(tournament)), None)
    if first is None:
        return None
    if sealed_by_terms(first):
        return first.started_at
    return tournament.frozen_at or first.started_at


def sealed_by_terms(row: Round) -> bool:
    """Return whether a sealed round was sealed from its start on, whatever was frozen later."""
    return 0 < row.tournament.sealed_from <= row.number


def event_of(match: Match) -> Tournament | None:
    """Return the tournament of a sealed match, as far as everybody may know that there is one: only
    the first sealed round has public pairings, and nothing tells that a pod of it is re-run.
    """
    row = _round_of(match)
    if row is None or row != next(iter(sealed_rounds(row.tournament)), None):
        return None
    # Re-runs make later matches, each for one that stays among these: as many as there are games
    # were there when the round was sealed.
    earlier = matches_of([row]).filter(pk__lt=match.pk)
    return row.tournament if earlier.count() < row.games.count() else None


def _round_of(match: Match) -> Round | None:
    game = Game.objects.filter(match=match).select_related("round__tournament").first()
    if game is not None:
        return game.round
    rows = Round.objects.filter(sealed=True).exclude(replaced_ids=[]).select_related("tournament")
    return next((row for row in rows if match.pk in row.replaced_ids), None)
