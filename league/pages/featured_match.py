"""The match on the home page: which one is worth watching, and how it is shown.

Chosen among the latest matches only, and kept for a while, so that the table does not change with
every visitor.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from bots_sdk.rating.skill import Rating
from bots_sdk.viewer import moments
from bots_sdk.viewer.page import Replay, replay_html
from bots_sdk.viewer.sentences import plain
from engine.record.insight import NO_INSIGHT
from engine.registry import GAMES
from league.ladder.models import LadderRating
from league.matches.models import Match
from league.matches.records import display_names
from league.matches.views.replay import kept_record

LOOKED_AT = 60
JUST_NOW = timedelta(minutes=10)
SENTENCES = 4
LONG = 200
"""Nobody watches more decisions than this while looking at a home page."""
_CHOSEN_SECONDS = 60
_SHOWN_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Highlight:
    """A match as the home page shows it."""

    match: Match
    seats: list[Any]
    """In the order of their places."""
    last: list[str]
    """Its last sentences."""
    viewer: SafeString

    @property
    def just_now(self) -> bool:
        """Whether it was played within some minutes."""
        return bool(self.match.finished_at and timezone.now() - self.match.finished_at < JUST_NOW)


def highlight() -> Highlight | None:
    """The match to watch now, if any was ever played."""
    pk = cache.get("highlight")
    if pk is None:
        pk = _choose()
        if pk is None:
            return None
        cache.set("highlight", pk, _CHOSEN_SECONDS)
    found = Match.objects.filter(pk=pk).prefetch_related("seats__bot", "seats__version").first()
    if found is None:
        return None
    last, viewer = _shown(found)
    seats = sorted(found.seats.all(), key=lambda seat: (seat.place or 9, seat.number))
    return Highlight(found, seats, last, viewer)


def _choose() -> int | None:
    """The most interesting of the latest: much to see, strong bots, not too long, rather new."""
    latest = list(
        Match.objects.finished()
        .public()
        .filter(record__isnull=False)
        .values_list("pk", "excitement", "decisions")[:LOOKED_AT]
    )
    strengths = _strengths([pk for pk, _, _ in latest])
    scored = [
        (excitement + strengths.get(pk, 0.0) / 5 - age / 20 - max(0, decisions - LONG) / 10, pk)
        for age, (pk, excitement, decisions) in enumerate(latest)
    ]
    return max(scored)[1] if scored else None


def _strengths(matches: list[int]) -> dict[int, float]:
    """The mean strength at each table, as far as it is surely there."""
    rows = LadderRating.objects.filter(version__seats__match__in=matches).values_list(
        "version__seats__match", "ladder", "version__seats__game", "mu", "sigma"
    )
    sums: dict[int, list[float]] = {}
    for match, ladder, game, mu, sigma in rows:
        if ladder == game:
            sums.setdefault(match, []).append(Rating(mu, sigma).cautious)
    return {match: sum(ones) / len(ones) for match, ones in sums.items()}


def _shown(match: Match) -> tuple[list[str], SafeString]:
    """A record never changes, so neither does what is shown of it until a bot is renamed."""
    key = f"highlight-{match.pk}{display_names.mark_of(match)}"
    known: tuple[list[str], str] | None = cache.get(key)
    if known is None:
        record = kept_record(match)
        known = _last_sentences(record), _viewer(match, record)
        cache.set(key, known, _SHOWN_SECONDS)
    return known[0], mark_safe(known[1])  # the viewer escapes what strangers wrote


def _last_sentences(record: dict[str, Any]) -> list[str]:
    names = [seat["name"] for seat in record["seats"]]
    steps = record["steps"][-SENTENCES:]
    return [plain(step["text"], step, names) for step in steps]


def _viewer(match: Match, record: dict[str, Any]) -> str:
    return replay_html(
        Replay(
            record=record,
            told=NO_INSIGHT,
            title=f"{GAMES[match.game].name} · {match.seat_count} seats",
            record_url=match.get_record_url(),
            page_url=match.get_absolute_url(),
            home_url=match.get_absolute_url(),
            step=_most_to_see(record),
            autoplay=True,
        )
    )


def _most_to_see(record: dict[str, Any]) -> int:
    """The first offer of the longest barter: who sees one beat another knows what this is about."""
    barters = moments.barters(record["steps"])
    return max(barters, key=lambda one: one.offers).i + 1 if barters else 0
