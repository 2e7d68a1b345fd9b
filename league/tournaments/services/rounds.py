"""Rounds: planned once, played as ordinary matches.

The caller holds the lock of the tournament. What a planner needs is read from rows, so that after a
crash the next call simply continues.
"""

import hmac
import uuid
from collections.abc import Callable
from itertools import chain

from django.utils import timezone

from engine.registry import GAMES
from league.bots.models import BotVersion
from league.jobs import wake
from league.matches import services as matches
from league.matches.lane_keys import lane_of_user
from league.matches.models import Match
from league.tournaments.models import Action, Entry, Game, Round, Tournament, Versions
from league.tournaments.planning import plan
from league.tournaments.planning.dealing import DEALER, dealer_seat, drawn_dealer
from league.tournaments.planning.formats import SERIES, load
from league.tournaments.planning.standings import Presence
from league.tournaments.queries.rounds import (
    all_rounds_of,
    entries_of,
    standings,
    with_all_results,
)

MAX_WAKE_CALLS = 8
"""More workers are not woken at once."""


def finish_current(tournament: Tournament) -> bool:
    """Finish the current round if all its games are over. Return whether none is being played."""
    current = tournament.rounds.filter(finished_at=None).first()
    if current is None:
        return True
    open_games = current.games.exclude(match__status__in=[Match.Status.FINISHED, Match.Status.VOID])
    if open_games.exists():
        return False
    current.plan = with_all_results(current).to_json()
    current.finished_at = timezone.now()
    current.save(update_fields=["plan", "finished_at"])
    if not current.sealed:
        write_places(tournament)
    return True


def write_places(tournament: Tournament) -> None:
    """Store with each entry its current place, for trophies and lists of many tournaments. An entry
    that left or did not play has a line in the standings, but no place.
    """
    places = {
        row.entry: row.place if row.presence == Presence.STAYED else None
        for row in standings(tournament)
    }
    entries = list(tournament.entries.filter(pk__in=places))
    for entry in entries:
        entry.place = places[entry.pk]
    Entry.objects.bulk_update(entries, ["place"])


def begin_next(tournament: Tournament) -> bool:
    """Plan the next round and queue its matches. Return False if there is no further round."""
    form, config = load(tournament.config)
    _update_versions(tournament)
    upcoming = form.next_round(config, entries_of(tournament), all_rounds_of(tournament))
    if upcoming is None:
        return False
    row = Round.objects.create(
        tournament=tournament,
        number=upcoming.number,
        plan=upcoming.to_json(),
        sealed=tournament.seals(upcoming.number),
        frozen=tournament.frozen_at is not None and tournament.seals(upcoming.number),
    )
    versions = versions_of(tournament)
    games = [_queue(tournament, row, table, versions) for table in upcoming.tables]
    Game.objects.bulk_create(chain.from_iterable(games))
    wake_workers(upcoming.games)
    return True


def _update_versions(tournament: Tournament) -> None:
    """Take the active versions again if the tournament plays with those of each round, but not
    after sealed ones: a version that was benched there would show by leaving.
    """
    if tournament.versions != Versions.LATEST or not tournament.rounds.exists():
        return
    if not tournament.rounds.filter(sealed=True).exists():
        take_versions(tournament)


def take_versions(tournament: Tournament) -> int:
    """Let the active version of each bot play; withdraw bots without one. Return how many play."""
    game = GAMES[tournament.game].name
    entries = list(
        tournament.entries.filter(status=Entry.Status.PLAYING)
        .select_related("bot__active")
        .prefetch_related("bot__active__plays")
    )
    for entry in entries:
        active = entry.bot.active
        if active is not None and tournament.game in active.games:
            entry.version = active
        else:
            entry.status = Entry.Status.WITHDRAWN
    Entry.objects.bulk_update(entries, ["version", "status"])
    withdrawn = [entry for entry in entries if entry.status == Entry.Status.WITHDRAWN]
    Action.objects.bulk_create(
        Action(tournament=tournament, what=f"took {entry.bot} out: no active version plays {game}")
        for entry in withdrawn
    )
    return len(entries) - len(withdrawn)


def versions_of(tournament: Tournament) -> dict[int, BotVersion]:
    """Return the version that plays for each entry."""
    entries = tournament.entries.exclude(version=None).select_related("version")
    return {entry.pk: entry.version for entry in entries if entry.version}


def _queue(
    tournament: Tournament, row: Round, table: plan.Table, versions: dict[int, BotVersion]
) -> list[Game]:
    """Create the matches of a table for the first time."""
    created = create_matches(tournament, row, table, versions, attempt=1)
    return [
        Game(round=row, table=table.number, number=number, match=match)
        for number, match in enumerate(created)
    ]


def create_matches(
    tournament: Tournament,
    row: Round,
    table: plan.Table,
    versions: dict[int, BotVersion],
    attempt: int,
) -> list[Match]:
    """Create the matches of a table. Mirrored matches of a deal are one group with one seed."""
    groups: dict[int, uuid.UUID] = {}
    dealing = _dealing(tournament, row, table, attempt)
    return [
        matches.make(
            tournament.game,
            [versions[entry] for entry in match.seats],
            Match.Kind.TOURNAMENT,
            rated=tournament.rated,
            seed=seed_of(tournament, row.number, table.number, match.deal, attempt),
            options=tournament.options | dealing(match),
            priority=matches.TOURNAMENT_PRIORITY,
            lane=lane_of_user(tournament.organiser_id),
            group=groups.setdefault(match.deal, uuid.uuid4()) if table.mirrored else None,
            sealed=row.sealed,
            wake_workers=False,
        )
        for match in table.matches()
    ]


def _dealing(
    tournament: Tournament, row: Round, table: plan.Table, attempt: int
) -> Callable[[plan.PlannedMatch], dict[str, int]]:
    """Return the dealer option of each match: in a series the dealer goes round."""
    if not dealers_rotate(tournament):
        return lambda _: {}
    first = tournament.options.get(DEALER)
    if first is None:
        draw = seed_of(tournament, row.number, table.number, DEALER, attempt)
        first = drawn_dealer(draw, len(table.entries))
    return lambda match: {DEALER: dealer_seat(table, match, first)}


def dealers_rotate(tournament: Tournament) -> bool:
    """Return whether the dealer goes round the table from game to game."""
    is_series = tournament.config["format"] == SERIES.slug
    return is_series and DEALER in GAMES[tournament.game].options_allowed


def wake_workers(match_count: int) -> None:
    """Wake as many workers as there are new matches, up to a limit."""
    for _ in range(min(match_count, MAX_WAKE_CALLS)):
        wake.workers()


def seed_of(
    tournament: Tournament, number: int, table: int, deal: int | str, attempt: int = 1
) -> str:
    """Return the seed of a deal. Everybody can verify it once the master seed is published, and
    nobody can guess it before.
    """
    text = f"{number}/{table}/{deal}" + (f"/{attempt}" if attempt > 1 else "")
    return hmac.new(tournament.master_seed.encode(), text.encode(), "sha256").hexdigest()[:32]
