"""The life of a tournament in the database, with matches really played and stored."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from league.bots import services as bots
from league.errors import Refused
from league.ladder.models import RatingChange
from league.matches.models import Match
from league.tournaments.models import Entry, Game, RecurringTournament, Tournament
from league.tournaments.services import entries, lifecycle, recurring, refereeing, rounds
from tests.league.factories import finish_match, make_player, make_user, make_version, rate_all

pytestmark = pytest.mark.django_db

GAME = "basari"
SWISS = {"format": "swiss", "seats": 3, "rounds": 2}
FORMATS = [
    pytest.param(SWISS, id="swiss"),
    pytest.param({"format": "round-robin", "seats": 3, "mirrored": True}, id="round robin"),
    pytest.param({"format": "knockout", "seats": 3}, id="knock-out"),
    pytest.param({"format": "series", "seats": 3, "rounds": 3}, id="series"),
]


def make_tournament(bot_count=6, config=SWISS, **facts):
    now = timezone.now()
    tournament = lifecycle.create(
        make_user(), "Friday Cup", GAME, config, locks_at=now, starts_at=now, **facts
    )
    lifecycle.publish(tournament, tournament.organiser)
    for _ in range(bot_count):
        entries.enter(tournament, make_player(make_user()), None)
    tournament.refresh_from_db()
    return tournament


def play(tournament, until=("final", "cancelled")):
    """Tick and play until it is over, as worker and control do."""
    for _ in range(60):
        lifecycle.move_on(tournament, timezone.now())
        tournament.refresh_from_db()
        if tournament.state in until:
            return tournament
        for match in Match.objects.queued():
            finish_match(match)
    raise AssertionError(f"{tournament} never ended: it is {tournament.state}")


@pytest.mark.parametrize("config", FORMATS)
def test_every_format_runs_from_open_to_final_by_itself(config):
    count = 3 if config["format"] == "series" else 7
    tournament = play(make_tournament(count, config))
    assert tournament.state == "final"
    places = sorted(tournament.entries.values_list("place", flat=True))
    assert places[0] == 1
    assert None not in places
    assert Game.objects.filter(round__tournament=tournament).count() == (
        Match.objects.filter(kind="tournament", status="finished").count()
    )
    assert not Match.objects.filter(hidden=True).exists()
    assert tournament.actions.first().what == "it is final"


def test_ticking_again_and_again_changes_nothing():
    tournament = make_tournament()
    for _ in range(5):
        lifecycle.move_on(tournament, timezone.now())
        tournament.refresh_from_db()
    assert tournament.rounds.count() == 1
    assert Match.objects.count() == 2
    play(tournament)
    before = list(tournament.entries.order_by("pk").values_list("place", flat=True))
    lifecycle.move_on(tournament, timezone.now())
    assert list(tournament.entries.order_by("pk").values_list("place", flat=True)) == before


def test_mirrored_matches_share_a_deal_and_stay_hidden_until_all_are_played():
    config = {"format": "series", "seats": 3, "deals": 1, "mirrored": True}
    tournament = make_tournament(3, config)
    lifecycle.move_on(tournament, timezone.now())
    matches = list(Match.objects.order_by("pk"))
    assert len(matches) == 3
    assert len({match.seed for match in matches}) == len({match.group for match in matches}) == 1
    seats = [[seat.bot_id for seat in match.seats.all()] for match in matches]
    assert {tuple(sorted(order)) for order in seats} == {tuple(sorted(seats[0]))}
    assert len({tuple(order) for order in seats}) == 3
    for match in matches[:2]:
        finish_match(match)
    assert not Match.objects.public().exists()
    finish_match(matches[2])
    assert Match.objects.public().count() == 3


def test_too_few_bots_cancel_it_with_the_reason():
    tournament = play(make_tournament(2))
    assert tournament.state == "cancelled"
    assert "2 bots do not fill a table of 3" in tournament.cancelled_because


def test_seeding_follows_the_ladder_and_is_frozen_at_lock():
    tournament = make_tournament(4)
    strongest = tournament.entries.last().bot
    rate_all(GAME)
    strongest.active.ratings.filter(ladder=GAME).update(mu=40.0, sigma=1.0)
    lifecycle.lock(tournament)
    assert tournament.entries.get(rank=1).bot == strongest
    assert tournament.entries.get(rank=1).rating == 37.0


def test_versions_are_frozen_at_the_start_unless_the_latest_plays():
    for versions, expected in [("frozen", 1), ("latest", 2)]:
        tournament = make_tournament(3, versions=versions)
        lifecycle.move_on(tournament, timezone.now())
        entry = tournament.entries.first()
        make_version(entry.bot)
        for match in Match.objects.queued():
            finish_match(match)
        tournament.refresh_from_db()
        lifecycle.move_on(tournament, timezone.now())
        entry.refresh_from_db()
        assert entry.version.number == expected
        play(tournament)


def test_pausing_lets_the_round_finish_and_no_other_begin():
    tournament = make_tournament(3)
    lifecycle.move_on(tournament, timezone.now())
    refereeing.pause(tournament, tournament.organiser, paused=True)
    for match in Match.objects.queued():
        finish_match(match)
    lifecycle.move_on(tournament, timezone.now())
    assert tournament.rounds.count() == 1
    refereeing.pause(tournament, tournament.organiser, paused=False)
    assert play(tournament).state == "final"


def test_a_re_run_table_is_dealt_anew_and_nothing_else_changes():
    tournament = make_tournament(6)
    lifecycle.move_on(tournament, timezone.now())
    before = {game.table: game.match_id for game in Game.objects.all()}
    finish_match(Match.objects.get(pk=before[1]))
    assert refereeing.rerun_table(tournament, tournament.organiser, 1, 1, "a bad deal") == 1
    after = {game.table: game.match for game in Game.objects.select_related("match")}
    old = Match.objects.get(pk=before[1])
    assert after[2].pk == before[2]
    assert (old.status, after[1].status) == ("void", "queued")
    assert old.seed != after[1].seed
    assert play(tournament).state == "final"
    with pytest.raises(Refused):
        refereeing.rerun_table(tournament, tournament.organiser, 1, 1, "a bad deal")


def test_a_void_match_counts_for_nobody_and_the_tournament_goes_on():
    tournament = make_tournament(6)
    lifecycle.move_on(tournament, timezone.now())
    Match.objects.filter(pk=Match.objects.queued().first().pk).update(status="void")
    assert play(tournament).state == "final"


def test_rated_tournaments_need_the_role_and_count_for_the_ladder():
    with pytest.raises(Refused, match="organiser role"):
        make_tournament(rated=True)
    organiser = make_user(is_organiser=True)
    now = timezone.now()
    tournament = lifecycle.create(
        organiser, "Rated", GAME, SWISS, locks_at=now, starts_at=now, rated=True
    )
    lifecycle.publish(tournament, organiser)
    for _ in range(3):
        entries.enter(tournament, make_player(), None)
    play(tournament)
    rate_all(GAME)
    assert RatingChange.objects.count() == 6


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"max_entries": 3}, "full"),
        ({"invite_code": "sesame"}, "invitation"),
        ({"no_provisional": True}, "no rank"),
        ({"state": "locked"}, "not open"),
    ],
)
def test_entering_is_refused_with_the_reason(facts, why):
    tournament = make_tournament(3)
    Tournament.objects.filter(pk=tournament.pk).update(**facts)
    with pytest.raises(Refused, match=why):
        entries.enter(tournament, make_player(make_user()), None)


def test_everybody_may_enter_so_many_bots_and_each_once():
    owner = make_user()
    tournament = make_tournament(0, per_user=1)
    bot = make_player(owner)
    entries.enter(tournament, bot, owner)
    with pytest.raises(Refused, match="already"):
        entries.enter(tournament, bot, owner)
    with pytest.raises(Refused, match="1 bot,"):
        entries.enter(tournament, make_player(owner), owner)
    entries.withdraw(tournament, bot, owner)
    entries.enter(tournament, bot, owner)


def test_a_bot_benched_before_the_start_does_not_play():
    tournament = make_tournament(4)
    gone = tournament.entries.first().bot
    bots.bench(gone.active, "it failed")
    play(tournament)
    assert tournament.entries.get(bot=gone).status == Entry.Status.WITHDRAWN
    assert not Match.objects.filter(seats__bot=gone).exists()


def test_a_disqualified_bot_is_placed_behind_everybody():
    tournament = make_tournament(4)
    lifecycle.move_on(tournament, timezone.now())
    out = tournament.entries.first().bot
    refereeing.disqualify(tournament, tournament.organiser, out.slug, "it plays itself")
    play(tournament)
    rows = rounds.standings(tournament)
    assert rows[-1].entry == tournament.entries.get(bot=out).pk


def make_recurring(**facts):
    facts = {
        "name": "Evening Cup",
        "slug": "evening-cup",
        "game": GAME,
        "config": {"format": "swiss", "seats": 3, "rounds": 1, "deals": 1},
        "cron": "0 18 * * *",
        "entry_minutes": 60,
        "looked_at": datetime(2026, 3, 1, 12, tzinfo=UTC),
        **facts,
    }
    return RecurringTournament.objects.create(**facts)


def test_a_recurring_tournament_opens_before_its_date_and_exactly_once():
    daily = make_recurring()
    day = datetime(2026, 3, 1, tzinfo=UTC)
    recurring.open_due_tournaments(daily, day.replace(hour=16, minute=59))
    assert not daily.occurrences.exists()
    for _ in range(3):
        daily.refresh_from_db()
        recurring.open_due_tournaments(daily, day.replace(hour=17, minute=1))
    stale = RecurringTournament.objects.get(pk=daily.pk)
    stale.looked_at = day
    recurring.open_due_tournaments(stale, day.replace(hour=17, minute=1))
    occurrence = daily.occurrences.get()
    assert occurrence.state == "open"
    assert occurrence.starts_at == day.replace(hour=18)
    assert occurrence.name == "Evening Cup #1"


@pytest.mark.parametrize(("missed", "made"), [("skip", 0), ("run", 1)])
def test_dates_missed_during_downtime_are_skipped_or_the_latest_is_made_up_for(missed, made):
    daily = make_recurring(missed=missed, cron="0 18 1,2,3 * *")
    now = datetime(2026, 3, 4, 12, tzinfo=UTC)
    recurring.open_due_tournaments(daily, now)
    daily.refresh_from_db()
    assert daily.occurrences.count() == made
    if made:
        assert daily.occurrences.get().starts_at > now
    recurring.open_due_tournaments(daily, now)
    assert daily.occurrences.count() == made


def test_house_bots_and_last_times_bots_enter_by_themselves():
    house = [make_player(name=f"House {n}") for n in range(3)]
    daily = make_recurring(house=True)
    recurring.open_due_tournaments(daily, datetime(2026, 3, 1, 17, 30, tzinfo=UTC))
    first = daily.occurrences.get()
    assert {entry.bot for entry in first.entries.all()} == set(house)
    guest = make_player(make_user())
    entries.enter(first, guest, guest.owner)
    daily.refresh_from_db()
    recurring.open_due_tournaments(daily, datetime(2026, 3, 2, 17, 30, tzinfo=UTC))
    second = daily.occurrences.order_by("planned_at").last()
    assert guest in {entry.bot for entry in second.entries.all()}


def test_an_unattended_recurring_tournament_runs_three_times():
    for n in range(4):
        make_player(name=f"House {n}")
    daily = make_recurring(house=True)
    day = timezone.now()
    daily.looked_at = day
    daily.save()
    for _ in range(3):
        daily.refresh_from_db()
        upcoming = next(iter(recurring.schedule_of(daily).after(daily.looked_at)))
        recurring.open_due_tournaments(daily, upcoming - timedelta(minutes=30))
        tournament = daily.occurrences.order_by("planned_at").last()
        Tournament.objects.filter(pk=tournament.pk).update(locks_at=day, starts_at=day)
        tournament.refresh_from_db()
        assert play(tournament).state == "final"
    assert [t.name for t in daily.occurrences.order_by("pk")] == [
        "Evening Cup #1",
        "Evening Cup #2",
        "Evening Cup #3",
    ]
