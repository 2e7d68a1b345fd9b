"""What pages say about an event night: its rules, what is sealed now, and the places so far."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from league.matches.models import Match
from league.tournaments import presentation, wording
from league.tournaments.models import Entry, Round, Terms, Tournament
from league.tournaments.planning.plan import letters
from league.tournaments.queries.standing import Standing
from league.tournaments.sealing import queries

_OVER = frozenset({Match.Status.FINISHED, Match.Status.VOID})


@dataclass(frozen=True, slots=True)
class Notice:
    """What everybody is told about the seal."""

    round: int | None
    """The first sealed round, whose pairings are public; None if only the freeze sealed it."""
    due_at: datetime | None
    """When the schedule reveals it; None if the organiser does, or if that moment has passed."""
    by_schedule: bool
    frozen_at: datetime | None
    freezes_at: datetime | None
    """When the board will be frozen, if that is to come."""


def notice(tournament: Tournament) -> Notice | None:
    """Return what everybody is told about the seal; None if there is nothing to tell."""
    running = tournament.state == Tournament.State.RUNNING
    if not running or not tournament.event_night or tournament.unsealed_at is not None:
        return None
    first = next(iter(queries.sealed_rounds(tournament)), None)
    freezes_at = _freezes_at(tournament)
    if first is None and freezes_at is None:
        return None
    due_at = tournament.next_reveal_at
    return Notice(
        # Whether the freeze met it while it was played would tell how far it was then.
        round=first.number if first and queries.sealed_by_terms(first) else None,
        due_at=due_at if due_at and due_at > timezone.now() else None,
        by_schedule=due_at is not None,
        frozen_at=tournament.frozen_at if first else None,
        freezes_at=freezes_at,
    )


def _freezes_at(tournament: Tournament) -> datetime | None:
    minutes, started_at = tournament.freeze_after_minutes, tournament.started_at
    if minutes is None or started_at is None or tournament.frozen_at is not None:
        return None
    at = started_at + timedelta(minutes=minutes)
    return at if at > timezone.now() else None


def rules(terms: Terms) -> list[str]:
    """Return the terms of an event night as sentences; none of any other tournament."""
    if not terms.event_night:
        return []
    sentences = []
    if terms.sealed_from:
        later = f"round {terms.sealed_from} and of all later rounds"
        if terms.sealed_from == 1:
            later = "all rounds"
        sentences.append(f"The results of {later} are sealed until they are revealed.")
    if terms.freeze_after_minutes is not None:
        sentences.append(
            f"The public standings stop {wording.count(terms.freeze_after_minutes, 'minute')} after"
            " the start. After the last game the places are revealed from the last to the first."
        )
    sentences.append(_when_revealed(terms))
    hours = wording.count(settings.SEAL_HOURS, "hour")
    sentences.append(f"Everything is public {hours} after the last game at the latest.")
    return sentences


def _when_revealed(terms: Terms) -> str:
    if terms.reveal_after_minutes is None:
        return "The organiser decides when."
    first = wording.count(terms.reveal_after_minutes, "minute")
    every = wording.count(terms.reveal_every_minutes, "minute")
    return (
        f"The first reveal is due {first} after the start, and each further one {every} after the"
        " one before, as soon as the games are over. The organiser may be quicker."
    )


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A line of the final standings while they are revealed."""

    number: int
    """Counts the lines from the first place."""
    place: int | None
    """None for a bot without one, and while it is sealed."""
    entry: Entry | None
    """None while it is sealed."""
    points: str


def place_lines(standing: Standing) -> list[PlaceLine]:
    """Return the final standings so far, from the first place to the last; none before the last
    place is revealed.
    """
    if not standing.tournament.places_shown:
        return []
    return [
        PlaceLine(number, None, None, "")
        if row is None
        else PlaceLine(
            number,
            row.place,
            standing.entries[row.entry],
            presentation.points_text(row.points, standing.config),
        )
        for number, row in enumerate(queries.places(standing.tournament), 1)
    ]


@dataclass(slots=True)
class PodProgress:
    """How far a sealed pod is, for those who run the tournament. It names nobody who sits there."""

    number: int
    over: int = 0
    total: int = 0
    void: int = 0
    is_rerun: bool = False

    @property
    def letter(self) -> str:
        """Return its letter."""
        return letters(self.number)


def pods_of(row: Round) -> Iterator[PodProgress]:
    """Yield the pods of a round with how far they are."""
    pods: dict[int, PodProgress] = {}
    games = row.games.order_by("table", "number")
    for table, status, attempt in games.values_list("table", "match__status", "attempt"):
        pod = pods.setdefault(table, PodProgress(table))
        pod.total += 1
        pod.over += status in _OVER
        pod.void += status == Match.Status.VOID
        pod.is_rerun |= attempt > 1
    yield from pods.values()


@dataclass(frozen=True, slots=True)
class Console:
    """What the organiser is told about the seal."""

    rounds: str
    """Which rounds are sealed, in words; empty if none is."""
    reveal: queries.Reveal | None
    ends_at: datetime | None
    pods: list[PodProgress]
    """Of the latest round, if it is sealed: others can no longer be played again."""
    playing: Round | None
    places_left: int
    """Lines of the final standings that are still sealed; 0 without a frozen board."""


def console(standing: Standing) -> Console | None:
    """Return what the organiser is told; None if the tournament seals nothing or is not running."""
    tournament = standing.tournament
    running = tournament.state == Tournament.State.RUNNING
    if not running or not tournament.event_night or tournament.unsealed_at is not None:
        return None
    sealed = queries.sealed_rounds(tournament)
    latest = tournament.rounds.last()
    playing = latest if latest and latest.sealed else None
    places = queries.places(tournament)
    return Console(
        rounds=_numbers([row.number for row in sealed]),
        reveal=queries.next_reveal(tournament),
        ends_at=queries.seal_ends_at(tournament),
        pods=list(pods_of(playing)) if playing else [],
        playing=playing,
        places_left=sum(row is None for row in places) if any(row.frozen for row in sealed) else 0,
    )


def _numbers(numbers: list[int]) -> str:
    """Return `round 2`, `rounds 2 and 3`, `rounds 2 to 4`: sealed rounds follow each other."""
    if len(numbers) < 2:
        return "".join(f"round {number}" for number in numbers)
    first, last = numbers[0], numbers[-1]
    return f"rounds {first} {'and' if last == first + 1 else 'to'} {last}"
