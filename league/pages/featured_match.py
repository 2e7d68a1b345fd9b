"""The match on the home page, the match of the day, and how it is shown.

It is kept for a while, so that the table does not change with every visitor.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from bots_sdk.viewer.moments import first_scene
from bots_sdk.viewer.page import replay_html
from bots_sdk.viewer.replay import replay_of
from bots_sdk.viewer.sentences import plain
from engine.registry import presentation_of
from league.chances.queries import chances_of, match_of_the_day
from league.matches.models import Match, Seat
from league.matches.records import display_names
from league.matches.views.replay import kept_record, spoiler_of

JUST_NOW = timedelta(minutes=10)
SENTENCE_COUNT = 4
_CHOICE_SECONDS = 60
_HTML_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Highlight:
    """A match as the home page shows it."""

    match: Match
    seats: list[Seat]
    """In their order at the table."""
    last: list[str]
    """Its last sentences."""
    viewer: SafeString

    @property
    def spoiler(self) -> str:
        """Return the name of its result, which is hidden."""
        return spoiler_of(self.match)

    def is_of(self, user: int) -> bool:
        """Return whether one of the bots belongs to a user."""
        return any(seat.bot.owner_id == user for seat in self.seats)

    @property
    def just_now(self) -> bool:
        """Whether it was played within some minutes."""
        return bool(self.match.finished_at and timezone.now() - self.match.finished_at < JUST_NOW)


def highlight() -> Highlight | None:
    """Return the match to watch now, if any was ever played."""
    pk = cache.get("highlight")
    if pk is None:
        pk = match_of_the_day()
        if pk is None:
            return None
        cache.set("highlight", pk, _CHOICE_SECONDS)
    # Since it was chosen it may have lost its record.
    matches = Match.objects.filter(pk=pk, record__isnull=False).select_related("chances")
    match = matches.prefetch_related("seats__bot").first()
    if match is None:
        return None
    last, viewer = _parts(match)
    return Highlight(match, list(match.seats.all()), last, viewer)


def _parts(match: Match) -> tuple[list[str], SafeString]:
    """Return the last sentences and the viewer.

    A record never changes, so neither do they until a bot is renamed.
    """
    estimated = bool(chances_of(match).rows)
    key = f"on-table-{match.pk}{display_names.mark_of(match)}{'-chances' * estimated}"
    parts: tuple[list[str], str] | None = cache.get(key)
    if parts is None:
        record = kept_record(match)
        parts = _last_sentences(record), _viewer(match, record)
        cache.set(key, parts, _HTML_SECONDS)
    return parts[0], mark_safe(parts[1])  # the viewer escapes names, notes and details of faults


def _last_sentences(record: dict[str, Any]) -> list[str]:
    names = [seat["name"] for seat in record["seats"]]
    steps, presentation = record["steps"][-SENTENCE_COUNT:], presentation_of(record["game"])
    return [plain(step["text"], step, names, presentation) for step in steps]


def _viewer(match: Match, record: dict[str, Any]) -> str:
    return replay_html(
        replay_of(
            record,
            with_insight=False,
            record_url=match.get_record_url(),
            page_url=match.get_absolute_url(),
            home_url=match.get_absolute_url(),
            step=first_scene(record["steps"], presentation_of(record["game"])),
            autoplay=True,
            chances=chances_of(match),
            spoiler=spoiler_of(match),
        )
    )
