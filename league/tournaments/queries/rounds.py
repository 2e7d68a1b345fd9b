"""Rounds as they are stored, read back as planners know them, with results."""

from collections.abc import Mapping
from itertools import groupby

from django.db.models import Q

from league.matches.models import Match, MatchQuerySet, Seat
from league.tournaments.models import Entry, Game, Round, Tournament
from league.tournaments.planning import plan
from league.tournaments.planning.formats import load
from league.tournaments.planning.standings import Row


def entries_of(tournament: Tournament) -> list[plan.Entry]:
    """Return all locked entries as planners know them; ids are those of the entry rows."""
    return [
        plan.Entry(entry.pk, entry.rank, entry.rating, status_of(entry))
        for entry in tournament.entries.exclude(rank=0).order_by("rank")
    ]


def status_of(entry: Entry) -> plan.Status:
    """Return the status as planners call it."""
    status: plan.Status = "playing"
    if entry.status == Entry.Status.WITHDRAWN:
        status = "withdrawn"
    elif entry.status == Entry.Status.DISQUALIFIED:
        status = "disqualified"
    return status


def matches_of(rows: list[Round]) -> MatchQuerySet:
    """Return the matches of these rounds, with those that re-runs replaced while sealed."""
    replaced = [pk for row in rows for pk in row.replaced_ids]
    current = Game.objects.filter(round__in=rows).values("match")
    return Match.objects.filter(Q(pk__in=current) | Q(pk__in=replaced))


def public_rows(tournament: Tournament) -> list[Round]:
    """Return the rounds that may be seen. Later rounds are built on the results of earlier ones, so
    the first sealed one is the last: its pairings are public, and its results as far as they are
    not sealed.
    """
    rows: list[Round] = []
    for row in tournament.rounds.all():
        rows.append(row)
        if row.sealed:
            break
    return rows


def rounds_of(tournament: Tournament) -> list[plan.Round]:
    """Return the public rounds with their public results so far."""
    return [public_round(row) for row in public_rows(tournament)]


def public_round(row: Round) -> plan.Round:
    """Return a round with its public results so far."""
    if row.finished_at and not row.sealed:
        return plan.Round.from_json(row.plan)
    return _with_results(row, _results(row, sealed=False))


def all_rounds_of(tournament: Tournament) -> list[plan.Round]:
    """Return all rounds with all results, sealed ones too: for planners, never for pages."""
    return [
        plan.Round.from_json(row.plan) if row.finished_at else with_all_results(row)
        for row in tournament.rounds.all()
    ]


def with_all_results(row: Round) -> plan.Round:
    """Return a round with all results so far, sealed ones too."""
    return _with_results(row, _results(row, sealed=True))


def _with_results(row: Round, results: Mapping[tuple[int, int], plan.Result]) -> plan.Round:
    planned = plan.Round.from_json(row.plan)
    return planned.with_results(
        [
            [results.get((table.number, n)) for n in range(len(table.matches()))]
            for table in planned.tables
        ]
    )


def _results(row: Round, *, sealed: bool) -> dict[tuple[int, int], plan.Result]:
    """Return the results so far by table and number, sealed ones only if wished. There may be many,
    so only values are read.
    """
    visible = Q(hidden=False) | Q(sealed=True) if sealed else Q(hidden=False)
    over = Match.objects.filter(tournament_game__round=row)
    void = over.filter(status=Match.Status.VOID)
    void = void if sealed else void.filter(sealed=False)
    places = void.values_list("tournament_game__table", "tournament_game__number")
    results: dict[tuple[int, int], plan.Result] = dict.fromkeys(places, plan.VOID)
    finished = over.filter(visible, status=Match.Status.FINISHED)
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
        rows = list(group)
        results[place] = plan.Result(
            placements=tuple(seat[2] or 0 for seat in rows),
            scores=tuple(seat[3] or 0 for seat in rows),
            forfeits=tuple(number for number, seat in enumerate(rows) if seat[4]),
        )
    return results


def standings(tournament: Tournament) -> list[Row]:
    """Return the current public standings."""
    form, config = load(tournament.config)
    return form.standings(config, entries_of(tournament), rounds_of(tournament))


def true_standings(tournament: Tournament) -> list[Row]:
    """Return the current standings by all results, sealed ones too."""
    form, config = load(tournament.config)
    return form.standings(config, entries_of(tournament), all_rounds_of(tournament))
