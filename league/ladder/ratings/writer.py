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

AT_ONCE = 200
"""So many matches are rated in one transaction."""


def rate(game: str, seconds: float = inf) -> int:
    """Rate finished matches that are not, in the order they finished. How many that were.

    A tick allows some seconds, so that a long queue of one ladder does not stop the others.
    """
    rated = 0
    for _ in portion(count_up(), seconds):
        count = _rate_some(game)
        rated += count
        # What finished meanwhile waits for others to be rated with.
        if count < AT_ONCE:
            break
    return rated


@atomic_with_retries
def _rate_some(game: str) -> int:
    ladder = Ladder.objects.select_for_update(no_key=True).get(game=game)
    unrated = list(Match.objects.unrated(game).values_list("pk", flat=True)[:AT_ONCE])
    # Locked by key like everywhere, then taken in the order in which they finished.
    lock_in_order(Match.objects.filter(pk__in=unrated))
    matches = list(
        Match.objects.unrated(game).filter(pk__in=unrated).prefetch_related("seats")[:AT_ONCE]
    )
    if not matches:
        return 0
    rows = _rows(ladder, matches)
    ratings = {version: Rating(row.mu, row.sigma) for version, row in rows.items()}
    changes: list[RatingChange] = []
    for match in matches:
        seats = list(match.seats.all())
        settled = rate_match(ratings, [s.version_id for s in seats], [s.place or 1 for s in seats])
        ladder.rated += 1
        match.ledger_position = ladder.rated
        changes += [_line(ladder, match, seats[one.seat], one) for one in settled]
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
    """The ratings of all versions at these tables; one that has none yet begins now."""
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
    found = LadderRating.objects.filter(ladder=ladder, version__in=versions)
    return {row.version_id: row for row in found}


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
    """Who is on the ladder knows how often it played."""
    played = Counter(seat.bot_id for seat in seats)
    firsts = Counter(seat.bot_id for seat in seats if seat.place == 1)
    faulty = Counter(seat.bot_id for seat in seats if seat.faulty)
    for bot, count in sorted(played.items()):
        Entry.objects.filter(ladder=ladder, bot=bot).update(
            matches=F("matches") + count,
            firsts=F("firsts") + firsts[bot],
            faulty=F("faulty") + faulty[bot],
        )
