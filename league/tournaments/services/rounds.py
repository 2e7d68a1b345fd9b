"""Rounds in the database: planned once, played as ordinary matches, read back with results.

The caller holds the lock of the tournament. What a planner needs is read from rows, so that going
on after a crash is simply going on.
"""

import hmac
import uuid
from collections.abc import Callable
from itertools import chain, groupby

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from engine.registry import GAMES
from league.bots.models import BotVersion
from league.errors import Refused
from league.jobs import wake
from league.matches import revealing, services as matches
from league.matches.lane_keys import lane_of_user
from league.matches.models import Match, Seat
from league.tournaments.models import Action, Entry, Game, Round, Tournament, Versions
from league.tournaments.planning import plan
from league.tournaments.planning.dealing import DEALER, dealer_seat, drawn_dealer
from league.tournaments.planning.formats import SERIES, load
from league.tournaments.planning.standings import Presence, Row

LOOKERS = 8
"""So many workers are told at once that there is something to do."""


def entries_of(tournament: Tournament) -> list[plan.Entry]:
    """Everybody who was locked, as planners know them; ids are those of the entry rows."""
    return [
        plan.Entry(entry.pk, entry.rank, entry.rating, status_of(entry))
        for entry in tournament.entries.exclude(rank=0).order_by("rank")
    ]


def status_of(entry: Entry) -> plan.Status:
    """As planners call it."""
    status: plan.Status = "playing"
    if entry.status == Entry.Status.WITHDRAWN:
        status = "withdrawn"
    elif entry.status == Entry.Status.DISQUALIFIED:
        status = "disqualified"
    return status


def rounds_of(tournament: Tournament) -> list[plan.Round]:
    """All rounds with the results there are."""
    return [
        plan.Round.from_json(row.plan) if row.finished_at else played(row)
        for row in tournament.rounds.all()
    ]


def played(row: Round) -> plan.Round:
    """A round with the results of its matches as they are now."""
    planned = plan.Round.from_json(row.plan)
    results = _results(row)
    return planned.with_results(
        [
            [results.get((table.number, n)) for n in range(len(table.matches()))]
            for table in planned.tables
        ]
    )


def _results(row: Round) -> dict[tuple[int, int], plan.Result]:
    """What came out so far and may be known, by table and number; only values are read, as there
    may be many.
    """
    void = row.games.filter(match__status=Match.Status.VOID).values_list("table", "number")
    results: dict[tuple[int, int], plan.Result] = dict.fromkeys(void, plan.VOID)
    finished = Match.objects.public().filter(
        tournament_game__round=row, status=Match.Status.FINISHED
    )
    seats = (
        Seat.objects.filter(match__in=finished)
        .order_by("match", "number")
        .values_list(
            "match__tournament_game__table",
            "match__tournament_game__number",
            "place",
            "score",
            "forfeited",
        )
    )
    for place, group in groupby(seats, key=lambda seat: seat[:2]):
        found = list(group)
        results[place] = plan.Result(
            placements=tuple(seat[2] or 0 for seat in found),
            scores=tuple(seat[3] or 0 for seat in found),
            forfeits=tuple(number for number, seat in enumerate(found) if seat[4]),
        )
    return results


def finish_current(tournament: Tournament) -> bool:
    """Whether no round is being played (any more)."""
    current = tournament.rounds.filter(finished_at=None).first()
    if current is None:
        return True
    open_games = current.games.exclude(match__status__in=[Match.Status.FINISHED, Match.Status.VOID])
    if open_games.exists():
        return False
    current.plan = played(current).to_json()
    current.finished_at = timezone.now()
    current.save(update_fields=["plan", "finished_at"])
    write_places(tournament)
    return True


def write_places(tournament: Tournament) -> None:
    """Keep with each entry where it stands now, for trophies and lists of many tournaments. Who
    left or did not play has a line in the standings, and no place here.
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
    """Plan the next round and queue its matches. False if the tournament has no further round."""
    form, config = load(tournament.config)
    _bring_up_to_date(tournament)
    upcoming = form.next_round(config, entries_of(tournament), rounds_of(tournament))
    if upcoming is None:
        return False
    row = Round.objects.create(
        tournament=tournament, number=upcoming.number, plan=upcoming.to_json()
    )
    versions = _versions(tournament)
    games = [_queue(tournament, row, table, versions) for table in upcoming.tables]
    Game.objects.bulk_create(chain.from_iterable(games))
    _tell(upcoming.games)
    return True


def _bring_up_to_date(tournament: Tournament) -> None:
    """With "the active one at each round", a bot whose active version cannot play is out."""
    if tournament.versions == Versions.LATEST and tournament.rounds.exists():
        take_versions(tournament)


def take_versions(tournament: Tournament) -> int:
    """Let the active version of each bot play; who has none for this game is out. How many play."""
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
    out = [entry for entry in entries if entry.status == Entry.Status.WITHDRAWN]
    Action.objects.bulk_create(
        Action(tournament=tournament, what=f"took {entry.bot} out: no active version plays {game}")
        for entry in out
    )
    return len(entries) - len(out)


def _versions(tournament: Tournament) -> dict[int, BotVersion]:
    found = tournament.entries.exclude(version=None).select_related("version")
    return {entry.pk: entry.version for entry in found if entry.version}


def _queue(
    tournament: Tournament, row: Round, table: plan.Table, versions: dict[int, BotVersion]
) -> list[Game]:
    """Make the matches of a table for the first time."""
    made = _make(tournament, row, table, versions, attempt=1)
    return [
        Game(round=row, table=table.number, number=number, match=match)
        for number, match in enumerate(made)
    ]


def _make(
    tournament: Tournament,
    row: Round,
    table: plan.Table,
    versions: dict[int, BotVersion],
    attempt: int,
) -> list[Match]:
    """The matches of a table. Mirrored matches of a deal are one group with one seed."""
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
            wake_workers=False,
        )
        for match in table.matches()
    ]


def _dealing(
    tournament: Tournament, row: Round, table: plan.Table, attempt: int
) -> Callable[[plan.PlannedMatch], dict[str, int]]:
    """What a match is told about its dealer: in a series they go round, elsewhere nothing."""
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


def _tell(count: int) -> None:
    for _ in range(min(count, LOOKERS)):
        wake.workers()


def seed_of(
    tournament: Tournament, number: int, table: int, deal: int | str, attempt: int = 1
) -> str:
    """Everybody can check it once the master seed is published; nobody can guess it before."""
    text = f"{number}/{table}/{deal}" + (f"/{attempt}" if attempt > 1 else "")
    return hmac.new(tournament.master_seed.encode(), text.encode(), "sha256").hexdigest()[:32]


def rerun(tournament: Tournament, number: int, table_number: int) -> int:
    """Void the matches of a table and make them anew. How many there are."""
    row, table = latest_table(tournament, number, table_number)
    games = list(row.games.filter(table=table_number))
    old = [game.match_id for game in games]
    attempt = 1 + max(game.attempt for game in games)
    made = _make(tournament, row, table, _versions(tournament), attempt)
    for game, match in zip(games, made, strict=True):
        game.match, game.attempt = match, attempt
    Game.objects.bulk_update(games, ["match", "attempt"])
    _give_up(old, "its table was re-run")
    _reopen(row)
    _tell(len(games))
    return len(games)


def void(tournament: Tournament, number: int, table_number: int) -> int:
    """Give up the matches of a table: each counts as an average match for everybody there."""
    row, _ = voidable_table(tournament, number, table_number)
    old = list(row.games.filter(table=table_number).values_list("match_id", flat=True))
    _give_up(old, "its table was voided")
    _reopen(row)
    return len(old)


def latest_table(
    tournament: Tournament, number: int, table_number: int
) -> tuple[Round, plan.Table]:
    """A table of the latest round. What a later round was built on does not change."""
    row = tournament.rounds.last()
    if row is None or row.number < number:
        raise Refused("L011", reason=f"Round {number} has not begun")
    if row.number > number:
        reason = f"Round {number} is over, and round {number + 1} was built on it"
        raise Refused("L011", reason=reason)
    planned = plan.Round.from_json(row.plan)
    table = next((one for one in planned.tables if one.number == table_number), None)
    if table is None:
        raise Refused("L011", status=404, reason=f"Round {number} has no pod {table_number}")
    return row, table


def voidable_table(
    tournament: Tournament, number: int, table_number: int
) -> tuple[Round, plan.Table]:
    """A table of the latest round none of whose games is rated: ratings are never taken back."""
    row, table = latest_table(tournament, number, table_number)
    if row.games.filter(table=table_number).exclude(match__ledger_position=None).exists():
        reason = "Some of these games are rated already, and ratings stay. Re-run the pod instead"
        raise Refused("L011", reason=reason)
    return row, table


def _give_up(old: list[int], because: str) -> None:
    """What is already in the ledger of ratings stays there; it just does not count here."""
    replaced = Match.objects.filter(pk__in=old)
    matches.lock_in_order(replaced)
    replaced.filter(ledger_position=None).update(
        status=Match.Status.VOID, rated=False, lease=None, void_because=because
    )
    revealing.show(replaced)


def give_up_waiting(tournament: Tournament, because: str) -> None:
    """Void all matches of a tournament that wait, and show the deals of which none is played."""
    own = Match.objects.filter(
        pk__in=Game.objects.filter(round__tournament=tournament).values("match")
    )
    matches.lock_in_order(own.filter(Q(status=Match.Status.QUEUED) | Q(hidden=True)).only("pk"))
    own.filter(status=Match.Status.QUEUED).update(
        status=Match.Status.VOID, rated=False, void_because=because, finished_at=Now()
    )
    running = own.filter(status=Match.Status.RUNNING, group__isnull=False)
    being_played = list(running.values_list("group", flat=True))
    # What is being played shows its deal itself.
    revealing.show(own.exclude(group__in=being_played))


def _reopen(row: Round) -> None:
    """The round is being played again, if it was finished."""
    Round.objects.filter(pk=row.pk).update(finished_at=None)


def standings(tournament: Tournament) -> list[Row]:
    """Who stands where now."""
    form, config = load(tournament.config)
    return form.standings(config, entries_of(tournament), rounds_of(tournament))
