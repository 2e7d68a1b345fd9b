"""Finished matches as they are shown: through whose eyes, in the viewer, or as sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from bots_sdk.viewer.page import replay_html
from bots_sdk.viewer.replay import (
    EVERYTHING,
    record_for,
    replay_of,
    view_names,
)
from bots_sdk.viewer.sentences import plain
from engine.record.ending import name_winner
from engine.registry import presentation_of
from league.chances.queries import chances_of
from league.matches.models import Match, Seat
from league.matches.records import codec, display_names
from league.matches.records.codec import Record
from league.web.filters import RESULT

__all__ = ["EVERYTHING", "kept_record", "record_for", "sentence", "story", "viewer", "views"]


def views(match: Match) -> tuple[str, ...]:
    """Return through whose eyes a match can be watched."""
    return view_names(match.seat_count)


def spoiler_of(match: Match) -> str:
    """Return the name of its result for a page that hides it."""
    return f"match-{match.pk}"


def kept_record(match: Match, own: Sequence[Seat] = ()) -> Record:
    """Return the record with the notes of the bots in these seats."""
    record = name_winner(codec.unpack(bytes(match.record.data)))
    record = display_names.with_current_names(record, match.seats.select_related("bot"))
    for seat in own:
        if log := getattr(seat, "log", None):
            record = codec.merge_notes(record, seat.number, log.notes)
    return record


def viewer(
    match: Match,
    view: str,
    step: int | None,
    own: Sequence[Seat] = (),
    *,
    embed: bool = False,
    result: bool = False,
) -> SafeString:
    """Return the viewer, with the notes of the bots in these seats; `result` says if it is open.

    Without JavaScript the log in it tells everything, with one step marked.
    """
    if own:
        html = _html(match, kept_record(match, own), view, owned=True, result=True)
    else:
        html = _cached_html(CacheKey(match), view, embed, result)
    if step is not None:
        line = f'<li id="log-{step}" '
        html = html.replace(line, f'{line}aria-current="step" ', 1)
    return mark_safe(html)  # the viewer escapes names, notes and details of faults


class CacheKey:
    """A match that is equal to itself as long as its record, the names in it and what is known of
    its chances are the same.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        known = chances_of(match).version if chances_of(match).rows else None
        self._key = (match.pk, match.record.digest, display_names.mark_of(match), known)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CacheKey) and self._key == other._key


@lru_cache(maxsize=64)
def _cached_html(key: CacheKey, view: str, embed: bool, result: bool) -> str:
    """Return what everybody gets to see of a match, drawn once while many watch it."""
    return _html(key.match, kept_record(key.match), view, embed=embed, result=result)


def _html(
    match: Match,
    record: Record,
    view: str,
    *,
    embed: bool = False,
    owned: bool = False,
    result: bool = False,
) -> str:
    home = match.get_absolute_url()
    page = reverse("matches:embed", args=[match.pk]) if embed else home
    if result and not owned:
        page = f"{page}?{urlencode(RESULT)}"
    return replay_html(
        replay_of(
            record,
            view=view,
            views=views(match),
            record_url=match.get_record_url(),
            page_url=page,
            owner_log_url="#bot-log" if owned else None,
            home_url=home if embed else None,
            embed=embed,
            chances=chances_of(match),
            spoiler=None if result else spoiler_of(match),
        )
    )


@dataclass(frozen=True, slots=True)
class Sentence:
    """A step in words."""

    i: int
    text: SafeString


@dataclass(frozen=True, slots=True)
class Round:
    """A part of a chapter; the first may have no title."""

    title: str
    sentences: list[Sentence]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A phase, a stage or a stretch of turns."""

    title: str
    rounds: list[Round]


def sentence(record: Record, step: int) -> Sentence:
    """Return one step in words."""
    names = [seat["name"] for seat in record["seats"]]
    one = record["steps"][step]
    # The writer of sentences escapes names and cards.
    return Sentence(
        step, mark_safe(plain(one["text"], one, names, presentation_of(record["game"])))
    )


def story(record: Record) -> list[Chapter]:
    """Return the whole match as chapters, rounds and sentences."""
    chapters: list[Chapter] = []
    steps, presentation = record["steps"], presentation_of(record["game"])
    starts = {start.i: start.name for start in presentation.chapters(steps)}
    rounds = {start.i: start.name for start in presentation.rounds(steps)}
    for step in range(len(steps)):
        if step in starts:
            chapters.append(Chapter(starts[step], [Round("", [])]))
        if step in rounds:
            chapters[-1].rounds.append(Round(rounds[step], []))
        chapters[-1].rounds[-1].sentences.append(sentence(record, step))
    return [
        Chapter(chapter.title, [one for one in chapter.rounds if one.sentences])
        for chapter in chapters
    ]
