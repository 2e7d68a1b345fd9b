"""Finished matches as they are shown: through whose eyes, in the viewer, or as sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from bots_sdk.viewer import moments
from bots_sdk.viewer.page import Replay, replay_html
from bots_sdk.viewer.sentences import plain
from engine.game import PUBLIC, SEAT_LETTERS
from engine.record.ending import name_winner
from engine.record.insight import insight
from engine.record.redact import redact
from engine.registry import GAMES
from league.matches.models import Match, Seat
from league.matches.records import codec, display_names
from league.matches.records.codec import Record

EVERYTHING = "everything"


def views(match: Match) -> tuple[str, ...]:
    """Through whose eyes a match can be watched."""
    return (EVERYTHING, "public", *SEAT_LETTERS[: match.seat_count])


def _seat(view: str) -> int:
    return PUBLIC if view == "public" else SEAT_LETTERS.index(view)


def kept_record(match: Match, own: Sequence[Seat] = ()) -> Record:
    """The record with what the bots in these seats noted."""
    record = name_winner(codec.unpack(bytes(match.record.data)))
    record = display_names.with_current_names(record, match.seats.select_related("bot"))
    for seat in own:
        if log := getattr(seat, "log", None):
            record = codec.merge_notes(record, seat.number, log.notes)
    return record


def seen(record: Record, view: str) -> Record:
    """The record, or what of it this view may know."""
    return record if view == EVERYTHING else redact(record, _seat(view))


def viewer(
    match: Match, view: str, step: int | None, own: Sequence[Seat] = (), *, embed: bool = False
) -> SafeString:
    """The viewer, with what the bots in these seats noted. Without JavaScript the log in it tells
    everything, with one step marked.
    """
    if own:
        html = _drawn(match, kept_record(match, own), view, owned=True)
    else:
        html = _remembered(_Shown(match), view, embed)
    if step is not None:
        line = f'<li id="log-{step}" '
        html = html.replace(line, f'{line}aria-current="step" ', 1)
    return mark_safe(html)  # the viewer escapes what strangers wrote


class _Shown:
    """A match that is known again by its record, which never changes, and the names in it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._key = (match.pk, match.record.digest, display_names.mark_of(match))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._key == other._key


@lru_cache(maxsize=64)
def _remembered(shown: _Shown, view: str, embed: bool) -> str:
    """What everybody gets to see of a match is drawn once while many watch it."""
    return _drawn(shown.match, kept_record(shown.match), view, embed=embed)


def _drawn(
    match: Match, record: Record, view: str, *, embed: bool = False, owned: bool = False
) -> str:
    page = match.get_absolute_url()
    return replay_html(
        Replay(
            record=seen(record, view),
            told=insight(record, None if view == EVERYTHING else _seat(view)),
            title=f"{GAMES[match.game].name}, {match.seat_count} seats",
            record_url=match.get_record_url(),
            page_url=reverse("matches:embed", args=[match.pk]) if embed else page,
            view=view,
            views=views(match),
            owner_log_url="#bot-log" if owned else None,
            home_url=page if embed else None,
            embed=embed,
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
    """One step in words."""
    names = [seat["name"] for seat in record["seats"]]
    told = record["steps"][step]
    # The writer of sentences escapes what strangers wrote.
    return Sentence(step, mark_safe(plain(told["text"], told, names)))


def story(record: Record) -> list[Chapter]:
    """The whole match as chapters, rounds and sentences."""
    chapters: list[Chapter] = []
    steps = record["steps"]
    starts = {start.i: start.name for start in moments.chapters(steps)}
    rounds = {start.i: start.name for start in moments.rounds(steps)}
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
