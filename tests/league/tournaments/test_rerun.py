"""A table that is re-run or voided changes exactly what it should, in every format."""

import pytest
from django.utils import timezone

from league.errors import Refused
from league.matches.models import Match, Seat
from league.tournaments.models import Action, Entry, Game, Round, Tournament
from league.tournaments.queries.rounds import rounds_of
from league.tournaments.services import lifecycle, refereeing, rounds
from tests.league.tournaments.stored import begun, finish_all, play_out, play_round

pytestmark = pytest.mark.django_db

MODELS = (Tournament, Entry, Round, Game, Action, Match, Seat)
FORMATS = [
    pytest.param({"format": "swiss", "seats": 3, "rounds": 3}, id="swiss"),
    pytest.param({"format": "round-robin", "seats": 3, "rounds": 3}, id="round robin"),
    pytest.param({"format": "knockout", "seats": 3, "advance": 1}, id="knock-out"),
    pytest.param({"format": "series", "seats": 3, "rounds": 3}, id="series"),
]
SIZE = 10
in_every_format = pytest.mark.parametrize("config", FORMATS)
once_and_mirrored = pytest.mark.parametrize("mirrored", [False, True], ids=["once", "mirrored"])


def paused(config):
    """A tournament between its first two rounds."""
    tournament = begun(SIZE, config)
    refereeing.pause(tournament, tournament.organiser, paused=True)
    play_round(tournament)
    return tournament


def everything():
    """Every value that is stored."""
    return {
        (model.__name__, row["id"], field): value
        for model in MODELS
        for row in model.objects.values()
        for field, value in row.items()
    }


def changes(before):
    """What is new or different: the fields of each model, and the rows."""
    now = everything()
    differ = {key for key in now.keys() | before.keys() if now.get(key) != before.get(key)}
    changed = {(model, field) for model, pk, field in differ if (model, pk, "id") in before}
    added = {(model, pk) for model, pk, _ in differ if (model, pk, "id") not in before}
    return changed, added, {(model, pk) for model, pk, _ in differ} - added


def results(tournament):
    """What came out at each table, by round and number."""
    return {
        (one.number, table.number): table.results
        for one in rounds_of(tournament)
        for table in one.tables
    }


@in_every_format
@once_and_mirrored
def test_a_re_run_replaces_the_games_of_its_table_and_nothing_else(config, mirrored):
    tournament = paused({**config, "mirrored": mirrored})
    known, before = results(tournament), everything()
    games = Game.objects.filter(round__number=1, table=2)
    old, others = (
        set(chosen.values_list("match", flat=True))
        for chosen in (games, Game.objects.exclude(table=2))
    )
    assert refereeing.rerun_table(tournament, tournament.organiser, 1, 2, "a bad deal") == len(old)

    changed, added, touched = changes(before)
    made = set(games.values_list("match", flat=True))
    assert changed <= {
        *(("Game", field) for field in ("match_id", "attempt")),
        *(("Match", field) for field in ("status", "void_because", "rated", "hidden", "lease")),
        ("Round", "finished_at"),
        ("Tournament", "max_games"),
    }
    assert {pk for model, pk in touched if model == "Match"} == old
    assert {pk for model, pk in touched if model == "Game"} == set(
        games.values_list("pk", flat=True)
    )
    assert {pk for model, pk in added if model == "Match"} == made
    assert {model for model, _ in added} == {"Match", "Seat", "Action"}
    assert not made & (old | others)
    seeds = [
        set(Match.objects.filter(pk__in=chosen).values_list("seed", flat=True))
        for chosen in (old, made)
    ]
    assert not seeds[0] & seeds[1]
    assert Match.objects.filter(pk__in=made, hidden=mirrored).count() == len(old)

    play_round(tournament)
    again = results(tournament)
    assert again.pop((1, 2)) != known.pop((1, 2))
    assert again == known
    refereeing.pause(tournament, tournament.organiser, paused=False)
    assert play_out(tournament).state == "final"


@in_every_format
def test_a_void_table_counts_as_average_games_and_changes_nothing_else(config):
    tournament = paused(config)
    known, before = results(tournament), everything()
    refereeing.void_table(tournament, tournament.organiser, 1, 2, "a bad deal")
    changed, added, _ = changes(before)
    assert changed <= {("Match", "status"), ("Match", "void_because"), ("Round", "finished_at")}
    assert {model for model, _ in added} == {"Action"}
    play_round(tournament)
    again = results(tournament)
    assert all(one.void for one in again.pop((1, 2)))
    del known[1, 2]
    assert again == known


@in_every_format
def test_what_a_later_round_was_built_on_does_not_change(config):
    tournament = begun(SIZE, config)
    play_round(tournament)
    assert tournament.rounds.count() == 2
    before = everything()
    for action in (refereeing.rerun_table, refereeing.void_table):
        with pytest.raises(Refused, match="Round 1 is over, and round 2 was built on it"):
            action(tournament, tournament.organiser, 1, 1, "a bad deal")
    assert everything() == before


@in_every_format
def test_who_was_disqualified_still_fills_a_table_that_is_re_run_and_gets_no_place(config):
    tournament = paused(config)
    out = Game.objects.filter(table=1).first().match.seats.first().bot
    refereeing.disqualify(tournament, tournament.organiser, out.slug, "it looked at other tables")
    refereeing.rerun_table(tournament, tournament.organiser, 1, 1, "a bad deal")
    again = list(Match.objects.queued())
    assert all(match.seats.filter(bot=out).exists() for match in again)
    finish_all()
    refereeing.pause(tournament, tournament.organiser, paused=False)
    play_out(tournament)
    assert tournament.entries.get(bot=out).place is None
    assert not Match.objects.filter(pk__gt=again[-1].pk, seats__bot=out).exists()


def test_re_running_twice_deals_twice_anew():
    tournament = begun(SIZE, FORMATS[0].values[0])
    seeds = {Game.objects.get(table=1).match.seed}
    for attempt in (2, 3):
        refereeing.rerun_table(tournament, tournament.organiser, 1, 1, "a bad deal")
        game = Game.objects.get(table=1)
        assert game.attempt == attempt
        assert game.match.seed == rounds.seed_of(tournament, 1, 1, 1, attempt)
        seeds.add(game.match.seed)
    assert len(seeds) == 3
    assert Match.objects.queued().count() == 3


def test_re_runs_count_towards_the_quota_of_the_organiser(settings):
    tournament = paused({"format": "swiss", "seats": 3, "rounds": 3})
    pod = Game.objects.filter(round__number=1, table=2).count()
    settings.TOURNAMENT_GAMES_OPEN = tournament.max_games + 2 * pod
    for _ in range(2):
        refereeing.rerun_table(tournament, tournament.organiser, 1, 2, "once more")
    made = Match.objects.count()
    with pytest.raises(Refused, match="L012"):
        refereeing.rerun_table(tournament, tournament.organiser, 1, 2, "once more")
    assert Match.objects.count() == made


def test_a_cancelled_tournament_shows_deals_that_nobody_goes_on_with():
    tournament = begun(SIZE, {"format": "swiss", "seats": 3, "rounds": 3, "mirrored": True})
    done, running = Match.objects.order_by("pk")[0], Match.objects.order_by("-pk")[0]
    assert done.group != running.group
    Match.objects.filter(pk=done.pk).update(
        status=Match.Status.FINISHED, finished_at=timezone.now(), rated=True
    )
    Match.objects.filter(pk=running.pk).update(status=Match.Status.RUNNING)
    lifecycle.cancel(tournament, tournament.organiser, "rain")
    hidden = Match.objects.filter(hidden=True)
    assert set(hidden.values_list("group", flat=True)) == {running.group}
    assert list(Match.objects.unrated(done.game)) == [done]
    assert not Match.objects.filter(status=Match.Status.VOID, rated=True).exists()
