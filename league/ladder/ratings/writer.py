"""The writer of ratings. It holds the row of the ladder, so there is one at a time."""

from collections import Counter
from itertools import count as count_up
from math import inf

from django.db.models import F

from bots_sdk.rating.skill import Rating
from league.control.work import portion
from league.database.transactions import atomic_with_retries
from league.ladder.models import Entry, Ladder, LadderRating, RatingChange
from league.ladder.ratings import history
from league.ladder.ratings.ledger import Change, rate_match
from league.ladder.services import begin
from league.matches.models import Match, Seat
from league.matches.services import lock_in_order

BATCH_SIZE = 200
"""The number of matches that are rated in one transaction."""


def rate(game: str, seconds: float = inf) -> int:
    """Rate finished matches in the order they finished, and return how many were rated.

    A tick allows some seconds, so that a long queue of one ladder does not stop the others.
    """
    rated = 0
    for _ in portion(count_up(), seconds):
        count = _rate_some(game)
        rated += count
        # Matches that finished meanwhile are rated together with later ones.
        if count < BATCH_SIZE:
            break
    return rated


@atomic_with_retries
def _rate_some(game: str) -> int:
    ladder = Ladder.objects.select_for_update(no_key=True).get(game=game)
    unrated = list(Match.objects.unrated(game).values_list("pk", flat=True)[:BATCH_SIZE])
    # Locked by key like everywhere, then rated in the order in which they finished.
    lock_in_order(Match.objects.filter(pk__in=unrated))
    matches = list(
        Match.objects.unrated(game).filter(pk__in=unrated).prefetch_related("seats")[:BATCH_SIZE]
    )
    if not matches:
        return 0
    rows = _rows(ladder, matches)
    ratings = {version: Rating(row.mu, row.sigma) for version, row in rows.items()}
    changes: list[RatingChange] = []
    for match in matches:
        seats = list(match.seats.all())
        ratings_changed = rate_match(
            ratings, [s.version_id for s in seats], [s.place or 1 for s in seats]
        )
        ladder.rated += 1
        match.ledger_position = ladder.rated
        changes += [_line(ladder, match, seats[one.seat], one) for one in ratings_changed]
        for seat in seats:
            rows[seat.version_id].matches += 1
    for version, row in rows.items():
        row.mu, row.sigma = ratings[version].mu, ratings[version].sigma
    RatingChange.objects.bulk_create(changes)
    LadderRating.objects.bulk_update(rows.values(), ["mu", "sigma", "matches"])
    Match.objects.bulk_update(matches, ["ledger_position"])
    seats_taken = [seat for match in matches for seat in match.seats.all()]
    _count(ladder, seats_taken)
    history.note(ladder, changes, seats_taken)
    ladder.save(update_fields=["rated"])
    return len(matches)


def _rows(ladder: Ladder, matches: list[Match]) -> dict[int, LadderRating]:
    """Return the ratings of all versions at these tables; a version without one starts now."""
    versions = {seat.version_id for match in matches for seat in match.seats.all()}
    known = set(
        LadderRating.objects.filter(ladder=ladder, version__in=versions).values_list(
            "version", flat=True
        )
    )
    if missing := versions - known:
        for seat in Seat.objects.filter(version__in=missing).select_related("version"):
            if seat.version_id in missing:
                missing.discard(seat.version_id)
                begin(ladder.game, seat.version)
    rows = LadderRating.objects.filter(ladder=ladder, version__in=versions)
    return {row.version_id: row for row in rows}


def _line(ladder: Ladder, match: Match, seat: Seat, change: Change) -> RatingChange:
    assert match.finished_at is not None
    return RatingChange(
        ladder=ladder,
        ledger_position=ladder.rated,
        match=match,
        seat=seat.number,
        version_id=seat.version_id,
        bot_id=seat.bot_id,
        mu_before=change.before.mu,
        sigma_before=change.before.sigma,
        mu=change.after.mu,
        sigma=change.after.sigma,
        expected=change.expected,
        created_at=match.finished_at,
    )


def _count(ladder: Ladder, seats: list[Seat]) -> None:
    """Add the matches to the entries of their bots."""
    played = Counter(seat.bot_id for seat in seats)
    firsts = Counter(seat.bot_id for seat in seats if seat.place == 1)
    faulty = Counter(seat.bot_id for seat in seats if seat.faulty)
    for bot, count in sorted(played.items()):
        Entry.objects.filter(ladder=ladder, bot=bot).update(
            matches=F("matches") + count,
            firsts=F("firsts") + firsts[bot],
            faulty=F("faulty") + faulty[bot],
        )
