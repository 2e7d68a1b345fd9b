"""What a wall shows when nobody presents: matches one after the other, and panels in between.

Nothing runs in the background. Whoever looks works out from the clock what it is time for, and
begins the next match under the lock of the row.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from league.matches.models import Match
from league.stage import services
from league.stage.models import Stage
from league.stage.premiere.pace import auto_speed
from league.stage.premiere.show import Show
from league.stage.premiere.shows import show_of

RANKING_MS = 15_000
"""How long the final ranking of a match stays."""
PANEL_MS = 12_000
PRESENTER_MINUTES = 30
"""After this long without a press, a wall runs by itself again."""
CANDIDATE_COUNT = 60
"""The next match is one of so many latest ones."""
PREMIERE = Stage.Pane.PREMIERE.value


def is_presented(stage: Stage, now: datetime) -> bool:
    """Return whether somebody runs this wall from a remote."""
    latest = stage.presented_at
    return latest is not None and now - latest < timedelta(minutes=PRESENTER_MINUTES)


def pane_at(stage: Stage, show: Show | None, panels: Sequence[str], now: datetime) -> str | None:
    """Return the pane of this moment; None when it is time for another match."""
    is_there = show is not None or stage.pane != PREMIERE
    if stage.pane != Stage.Pane.AUTO and is_there and is_presented(stage, now):
        return stage.pane
    after_ms = _after_end_ms(stage, show, now)
    if after_ms < 0:
        return PREMIERE
    turn = int(after_ms // PANEL_MS)
    if turn < len(panels) or (panels and is_presented(stage, now)):
        return panels[turn % len(panels)]
    return None


def _after_end_ms(stage: Stage, show: Show | None, now: datetime) -> float:
    """Return for how long the match and its ranking have been over; below zero if they are not."""
    if show is None:
        return services.milliseconds(now)
    over_ms = services.clock_of(stage).position(services.milliseconds(now)) - show.last_ms
    if stage.running_since is None:
        # A presenter who leaves a match paused does not stop the wall for ever.
        idle_ms = services.milliseconds(now) - services.milliseconds(stage.updated_at)
        return idle_ms - PRESENTER_MINUTES * 60_000
    return over_ms / stage.speed - RANKING_MS


def begin_next(stage: Stage) -> bool:
    """Begin another match unless somebody else just did; return whether there is any to show."""
    # It takes a while to make a show, and often there is none: nothing is locked for that.
    show = next((show for show in map(show_of, candidates(stage)) if show), None)
    if show is None:
        return False
    speed = auto_speed(show.record["game"], len(show.record["seats"]))
    with transaction.atomic():
        row = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
        if row.revision == stage.revision:
            services.start(row, show.match_id, speed)
            row.pane = Stage.Pane.AUTO
            row.revision += 1
            row.save()
    return True


def candidates(stage: Stage) -> list[int]:
    """Return the public matches to show next: those that were not shown lately, the best first."""
    latest = list(_public_matches(stage).values_list("pk", "excitement")[:CANDIDATE_COUNT])
    order = {pk: place for place, pk in enumerate(stage.recent)}
    latest.sort(key=lambda one: (order.get(one[0], -1), -one[1]))
    return [pk for pk, _ in latest]


def _public_matches(stage: Stage) -> "QuerySet[Match]":
    matches = Match.objects.finished().public().filter(record__isnull=False)
    if stage.tournament_id is None:
        return matches
    return matches.filter(tournament_game__round__tournament=stage.tournament_id)
