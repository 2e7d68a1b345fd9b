"""What a presenter does with a wall: set its clock, choose its match, keep a pane.

Every press names the revision it was based on, so that of two phones that press at once only one
succeeds, and the other is told to look again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from league.accounts.models import User
from league.database.transactions import atomic_with_retries
from league.errors import Refused
from league.matches.models import Match
from league.matches.statistics import totals
from league.stage.choices import presentable
from league.stage.models import Stage
from league.stage.premiere.clock import SPEEDS, Clock
from league.stage.premiere.show import Show
from league.stage.premiere.shows import show_of
from league.tournaments.models import Tournament
from league.tournaments.planning.formats import load
from league.tournaments.planning.knockout import Knockout
from league.tournaments.sealing import services as sealing

BACK_MS = 10_000
HEARD_AFTER = timedelta(seconds=1)
"""Walls hear of a press within a second: clocks are set for then, so that none jumps back."""
MAX_RECENT = 20
"""The matches of a wall that are not shown again while there are others."""


def stage_of(tournament: Tournament | None) -> Stage:
    """Return the row of a wall, made when somebody looks for the first time."""
    stage = Stage.objects.filter(tournament=tournament).first()
    if stage is not None:
        return stage
    try:
        with transaction.atomic():
            return Stage.objects.create(tournament=tournament)
    except IntegrityError:
        return Stage.objects.get(tournament=tournament)


def clock_of(stage: Stage) -> Clock:
    """Return the clock of its premiere."""
    since = stage.running_since
    since_ms = None if since is None else milliseconds(since)
    return Clock(stage.position_ms, since_ms, stage.speed)


def milliseconds(moment: datetime) -> float:
    """Return a moment as browsers count time."""
    return moment.timestamp() * 1000


def play(stage: Stage, revision: int) -> None:
    """Let the premiere go on; from the start if it was over."""
    with _pressed(stage, revision) as row:
        if _position_at(row, timezone.now()) >= _show_of(row).last_ms:
            row.position_ms, row.running_since = 0.0, _when_heard()
            row.take += 1
        elif row.running_since is None:
            row.running_since = _when_heard()
        _keep_in_sight(row)


def pause(stage: Stage, revision: int) -> None:
    """Hold the premiere."""
    with _pressed(stage, revision) as row:
        if row.running_since is not None:
            row.position_ms = min(_position_at(row, _when_heard()), _show_of(row).last_ms)
            row.running_since = None


def set_speed(stage: Stage, revision: int, speed: float) -> None:
    """Play faster or slower from here on."""
    if speed not in SPEEDS:
        raise Refused("L011", status=422, reason=f"There is no speed {speed:g}")
    with _pressed(stage, revision) as row:
        heard_at = _when_heard()
        _set_clock(row, _position_at(row, heard_at), heard_at)
        row.speed = speed


def go_back(stage: Stage, revision: int) -> None:
    """Show the last ten seconds of the match once more."""
    with _pressed(stage, revision) as row:
        position = min(_position_at(row, timezone.now()), _show_of(row).last_ms)
        _set_clock(row, max(0.0, position - BACK_MS), _when_heard())
        row.take += 1
        _keep_in_sight(row)


def begin(stage: Stage, revision: int, match: Match) -> None:
    """Begin the premiere of a match of the wall's tournament. It may be sealed."""
    can_be_told = show_of(match.pk) is not None
    with _pressed(stage, revision) as row:
        tournament = row.tournament
        is_presentable = tournament and presentable(tournament).filter(match=match).exists()
        if not (can_be_told and is_presentable):
            raise Refused("L011", reason="This match cannot be shown on this wall")
        start(row, match.pk)
        _keep_in_sight(row)


def show_pane(stage: Stage, revision: int, pane: str) -> None:
    """Keep one pane on the wall, or let them take turns."""
    if pane not in Stage.Pane.values:
        raise Refused("L011", status=422, reason=f"There is no pane {pane[:20]}")
    with _pressed(stage, revision) as row:
        row.pane = pane


def reveal(stage: Stage, revision: int, user: User, key: str) -> str:
    """Reveal what is sealed next, if it is still the step with this key, and show it."""
    assert stage.tournament is not None, "only an event has something to reveal"
    _refuse_late(Stage.objects.get(pk=stage.pk), revision)
    return _reveal(stage, revision, user, key, sealing.count_ahead(stage.tournament))


@atomic_with_retries
def _reveal(stage: Stage, revision: int, user: User, key: str, ahead: totals.Counted | None) -> str:
    assert stage.tournament is not None
    # The row of the wall is locked last of all, and looked at again.
    sentence = sealing.reveal_next(stage.tournament, user, key, ahead)
    with _pressed(stage, revision) as row:
        _, config = load(stage.tournament.config)
        by_bracket = isinstance(config, Knockout) and key.startswith("round")
        row.pane = Stage.Pane.BRACKET if by_bracket else Stage.Pane.STANDINGS
    return sentence


def hand_over(stage: Stage, revision: int) -> None:
    """Let the wall run by itself until the next press. A match that was paused goes on."""
    with _pressed(stage, revision) as row:
        row.pane = Stage.Pane.AUTO
        row.presented_at = None
        row.running_since = row.running_since or _when_heard()


def start(row: Stage, match_id: int, speed: float = 1.0) -> None:
    """Set a locked row to the first step of a match."""
    row.match_id = match_id
    row.position_ms, row.running_since, row.speed = 0.0, _when_heard(), speed
    row.take += 1
    row.recent = [*(pk for pk in row.recent if pk != match_id), match_id][-MAX_RECENT:]


def _when_heard() -> datetime:
    """Return when all walls have heard of what is pressed now."""
    return timezone.now() + HEARD_AFTER


def _position_at(row: Stage, moment: datetime) -> float:
    return clock_of(row).position(milliseconds(moment))


def _set_clock(row: Stage, position_ms: float, moment: datetime) -> None:
    row.position_ms = position_ms
    if row.running_since is not None:
        row.running_since = moment


def _show_of(row: Stage) -> Show:
    show = None if row.match_id is None else show_of(row.match_id)
    if show is None:
        raise Refused("L011", reason="Choose a match first")
    return show


def _keep_in_sight(row: Stage) -> None:
    """Show the match if another pane was kept on the wall."""
    if row.pane != Stage.Pane.AUTO:
        row.pane = Stage.Pane.PREMIERE


def _refuse_late(row: Stage, revision: int) -> None:
    if row.revision != revision:
        raise Refused("L011", reason="The wall has changed meanwhile: look, and press again")


@contextmanager
def _pressed(stage: Stage, revision: int) -> Iterator[Stage]:
    """Change the locked row of a wall; refuse a press that did not know its latest change."""
    with transaction.atomic():
        row = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
        _refuse_late(row, revision)
        row.presented_at = timezone.now()
        yield row
        row.revision += 1
        row.save()
