"""The matches of a bot as rows: its seat, its opponents, the result and the change of rating."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from bots_sdk.rating.skill import Rating
from league.bots.models import Bot
from league.ladder.models import RatingChange
from league.matches.models import Fault, Seat

_OF_SEAT = (
    *("bot", "number", "game", "finished_at", "place", "score"),
    *("match__seat_count", "match__kind", "version__number"),
)
_OF_TABLE = ("match", "number", "bot__slug", "bot__name")


@dataclass(frozen=True, slots=True)
class Row:
    """A match of a bot."""

    seat: Seat
    others: list[Seat]
    change: float | None
    fault: tuple[str, int | None] | None
    """The first code of the bot, and the step."""


def of_bot(bot: Bot) -> QuerySet[Seat]:
    """Return its seats in public matches, not ordered."""
    return Seat.objects.filter(bot=bot, finished_at__isnull=False, match__hidden=False)


def fetch(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Fetch everything that a row shows, and nothing else: a match and a version are large."""
    table = Seat.objects.select_related("bot").only(*_OF_TABLE)
    faults = Fault.objects.only("seat", "code", "step")
    return (
        seats.select_related("match", "version")
        .only(*_OF_SEAT)
        .prefetch_related(Prefetch("match__seats", table), Prefetch("faults", faults))
    )


def rows(seats: Sequence[Seat]) -> list[Row]:
    """Return rows for seats that were fetched with everything."""
    lines = RatingChange.objects.filter(match__in=[seat.match_id for seat in seats])
    changes = {
        (match, number): Rating(mu).shown - Rating(before).shown
        for match, number, mu, before in lines.values_list("match", "seat", "mu", "mu_before")
    }
    return [
        Row(
            seat,
            [one for one in seat.match.seats.all() if one.pk != seat.pk],
            changes.get((seat.match_id, seat.number)),
            _first_fault(seat),
        )
        for seat in seats
    ]


def _first_fault(seat: Seat) -> tuple[str, int | None] | None:
    """Return code and step of the first fault; they are stored with the latest first."""
    for fault in reversed(seat.faults.all()):
        return fault.code, fault.step
    return None
