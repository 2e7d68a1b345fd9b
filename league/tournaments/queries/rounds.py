"""Rounds as they are stored, read back as planners know them, with results."""

from itertools import groupby

from league.matches.models import Match, Seat
from league.tournaments.models import Entry, Round, Tournament
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


def rounds_of(tournament: Tournament) -> list[plan.Round]:
    """Return all rounds with the results so far."""
    return [
        plan.Round.from_json(row.plan) if row.finished_at else with_results(row)
        for row in tournament.rounds.all()
    ]


def with_results(row: Round) -> plan.Round:
    """Return a round with the results of its matches as they are now."""
    planned = plan.Round.from_json(row.plan)
    results = _results(row)
    return planned.with_results(
        [
            [results.get((table.number, n)) for n in range(len(table.matches()))]
            for table in planned.tables
        ]
    )


def _results(row: Round) -> dict[tuple[int, int], plan.Result]:
    """Return the public results so far, by table and number. There may be many, so only values are
    read.
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
        rows = list(group)
        results[place] = plan.Result(
            placements=tuple(seat[2] or 0 for seat in rows),
            scores=tuple(seat[3] or 0 for seat in rows),
            forfeits=tuple(number for number, seat in enumerate(rows) if seat[4]),
        )
    return results


def standings(tournament: Tournament) -> list[Row]:
    """Return the current standings."""
    form, config = load(tournament.config)
    return form.standings(config, entries_of(tournament), rounds_of(tournament))
