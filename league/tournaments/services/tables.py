"""Re-running and voiding the tables of a round. The caller holds the lock of the tournament."""

from django.db.models import Q
from django.db.models.functions import Now

from league.errors import Refused
from league.matches import revealing, services as matches
from league.matches.models import Match
from league.matches.statistics.totals import Counted
from league.tournaments.models import Game, Round, Tournament
from league.tournaments.planning import plan
from league.tournaments.queries.rounds import matches_of
from league.tournaments.services.rounds import create_matches, versions_of, wake_workers


def rerun(tournament: Tournament, number: int, table_number: int) -> int:
    """Void the matches of a table and create them anew. Return how many there are."""
    row, table = latest_table(tournament, number, table_number)
    games = list(row.games.filter(table=table_number))
    old = [game.match_id for game in games]
    attempt = 1 + max(game.attempt for game in games)
    _reopen(tournament, row)
    created = create_matches(tournament, row, table, versions_of(tournament), attempt)
    for game, match in zip(games, created, strict=True):
        game.match, game.attempt = match, attempt
    Game.objects.bulk_update(games, ["match", "attempt"])
    row.replaced_ids += _void(old, "its table was re-run")
    row.save(update_fields=["replaced_ids"])
    wake_workers(len(games))
    return len(games)


def void(tournament: Tournament, number: int, table_number: int) -> int:
    """Void the matches of a table: each counts as an average match for everybody there."""
    row, _ = voidable_table(tournament, number, table_number)
    old = list(row.games.filter(table=table_number).values_list("match_id", flat=True))
    _reopen(tournament, row)
    _void(old, "its table was voided")
    return len(old)


def latest_table(
    tournament: Tournament, number: int, table_number: int
) -> tuple[Round, plan.Table]:
    """Return a table of the latest round; earlier rounds no longer change."""
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
    """Return a table of the latest round with no rated game, as ratings are never taken back, and
    with one that is not void: to void it again would only put off the end of a seal.
    """
    row, table = latest_table(tournament, number, table_number)
    games = row.games.filter(table=table_number)
    if games.exclude(match__ledger_position=None).exists():
        reason = "Some of these games are rated already, and ratings stay. Re-run the pod instead"
        raise Refused("L011", reason=reason)
    if not games.exclude(match__status=Match.Status.VOID).exists():
        raise Refused("L011", reason=f"Pod {table.letter} of round {number} is void already")
    return row, table


def _void(match_ids: list[int], because: str) -> list[int]:
    """Void these matches. Those in the ledger of ratings stay there and only stop counting here.
    Return those that are sealed: they stay hidden until their round is revealed.
    """
    replaced = Match.objects.filter(pk__in=match_ids)
    matches.lock_in_order(replaced)
    replaced.filter(ledger_position=None).update(
        status=Match.Status.VOID, rated=False, lease=None, void_because=because
    )
    revealing.show(replaced)
    return list(replaced.filter(sealed=True).values_list("pk", flat=True))


def void_waiting(tournament: Tournament, because: str, ahead: Counted | None) -> None:
    """Void all waiting matches of a tournament, and reveal what is sealed and deals of which none
    is being played, as it was counted ahead.
    """
    own = matches_of(list(tournament.rounds.all()))
    matches.lock_in_order(own.filter(Q(status=Match.Status.QUEUED) | Q(hidden=True)).only("pk"))
    own.filter(status=Match.Status.QUEUED).update(
        status=Match.Status.VOID, rated=False, void_because=because, finished_at=Now()
    )
    # A match of a deal that is being played reveals it itself.
    revealing.unseal(own, ahead)


def _reopen(tournament: Tournament, row: Round) -> None:
    """Let a finished round be played again; on a frozen board its new results are frozen, too, and
    the places are revealed from the last one again.
    """
    if tournament.frozen_at is not None and tournament.seals(row.number):
        row.sealed = row.frozen = True
        row.revealed_at = None
    row.finished_at = None
    row.save(update_fields=["finished_at", "sealed", "frozen", "revealed_at"])
    Tournament.objects.filter(pk=tournament.pk).update(played_at=None, places_shown=0)
    tournament.refresh_from_db(fields=["played_at", "places_shown"])
