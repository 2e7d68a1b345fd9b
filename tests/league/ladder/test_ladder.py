"""The ladder: who is on it, what its ledger says, and that every digit can be computed anew."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from bots_sdk.rating.skill import MU, SIGMA
from engine.registry import GAMES
from league.bots import moderation, services as bots
from league.bots.models import Bot
from league.errors import Refused
from league.ladder import queries, services
from league.ladder.matchmaking.shares import Need
from league.ladder.models import Entry, Ladder, LadderRating, RatingChange
from league.ladder.ratings import writer
from league.ladder.ratings.rebuild import rebuild
from league.matches.models import Match, Seat
from runners.match import Fault
from tests.league import factories
from tests.league.factories import (
    GAME,
    make_bot,
    make_match,
    make_player,
    make_user,
    make_version,
    queue_match,
    rate_all,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    services.ensure()
    seated = [make_player(name=f"Player {n}") for n in range(4)]
    services.enrol()
    return seated


def test_every_registered_game_has_a_ladder_and_making_them_twice_is_harmless():
    services.ensure()
    services.ensure()
    assert set(Ladder.objects.values_list("game", flat=True)) == set(GAMES)


def test_a_bot_with_an_active_version_enters_the_ladders_of_its_games_by_itself(players):
    assert Entry.objects.count() == len(players) * len(GAMES)
    fresh = LadderRating.objects.filter(ladder=GAME).values_list("mu", "sigma", "after_no")
    assert set(fresh) == {(MU, SIGMA, 0)}
    services.enrol()
    assert Entry.objects.count() == len(players) * len(GAMES)


def test_a_bot_that_left_is_not_brought_back_and_may_return(players):
    services.leave(players[0], GAME)
    services.enrol()
    assert players[0] not in [entry.bot for entry in queries.table(GAME)]
    services.enter(players[0], GAME)
    assert players[0] in [entry.bot for entry in queries.table(GAME)]


def test_leaving_a_ladder_one_is_not_on_is_refused(players):
    services.leave(players[0], GAME)
    with pytest.raises(Refused, match="L006"):
        services.leave(players[0], GAME)


def test_ratings_follow_the_order_of_finishing_and_get_dense_numbers(players):
    matches = [make_match(players[:3]) for _ in range(3)]
    Match.objects.filter(pk=matches[0].pk).update(finished_at=timezone.now() + timedelta(1))
    assert writer.rate(GAME) == 3
    numbers = dict(Match.objects.values_list("pk", "ledger_position"))
    assert [numbers[match.pk] for match in matches] == [3, 1, 2]
    assert Ladder.objects.get(game=GAME).rated == 3
    assert writer.rate(GAME) == 0


def test_the_winner_rises_and_the_last_falls(players):
    match = make_match(players[:3])
    writer.rate(GAME)
    change = {line.seat: line.mu - line.mu_before for line in match.changes.all()}
    places = dict(match.seats.values_list("number", "place"))
    first, last = min(places, key=places.get), max(places, key=places.get)
    assert change[first] > 0 > change[last]
    expected = [line.expected for line in match.changes.all()]
    assert expected == pytest.approx([2.0, 2.0, 2.0])


def test_a_match_that_everybody_forfeited_is_not_rated(players, monkeypatch):
    match = queue_match(players[:3])
    play = factories.runner.play
    monkeypatch.setattr(
        factories.runner,
        "play",
        lambda *a, **k: factories.replace(play(*a, **k), forfeits=[0, 1, 2]),
    )
    match = factories.finish_match(match)
    assert match.status == "finished"
    assert not match.rated
    assert writer.rate(GAME) == 0


def test_a_new_version_starts_with_the_strength_of_the_last_and_more_doubt(players):
    for _ in range(12):
        make_match(players[:3])
    writer.rate(GAME)
    before = LadderRating.objects.get(ladder=GAME, version=players[0].active)
    version = make_version(players[0])
    services.enrol()
    after = LadderRating.objects.get(ladder=GAME, version=version)
    assert (after.mu, after.sigma) == (before.mu, max(before.sigma, 4.0))
    assert (after.inherited_from_id, after.after_no) == (before.version_id, 12)


def test_going_back_to_an_old_version_goes_back_to_its_rating(players):
    make_match(players[:3])
    writer.rate(GAME)
    old = LadderRating.objects.get(ladder=GAME, version=players[0].active)
    make_version(players[0])
    services.enrol()
    bots.activate(players[0], 1)
    services.enrol()
    shown = queries.table(GAME).get(bot=players[0])
    assert (shown.mu, shown.sigma) == (old.mu, old.sigma)


def play_a_season(players):
    for n in range(8):
        make_match(players[n % 2 : n % 2 + 3])
        if n == 3:
            make_version(players[1])
            players[1].refresh_from_db()
        rate_all()


def test_rebuilding_finds_every_digit_as_it_is(players):
    play_a_season(players)
    found = rebuild(GAME, write=False)
    assert (found.matches, found.differences) == (8, 0)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(
            lambda: RatingChange.objects.filter(ledger_position=3, seat=1).update(mu=1), id="line"
        ),
        pytest.param(
            lambda: LadderRating.objects.filter(ladder=GAME).update(sigma=2.0), id="ratings"
        ),
        pytest.param(lambda: Entry.objects.filter(ladder=GAME).update(matches=7), id="counts"),
    ],
)
def test_rebuilding_finds_and_repairs_what_was_damaged(players, damage):
    play_a_season(players)
    damage()
    assert rebuild(GAME, write=False).differences > 0
    assert rebuild(GAME, write=True).differences > 0
    assert rebuild(GAME, write=False).differences == 0


def test_a_missing_line_and_a_changed_place_are_found(players):
    play_a_season(players)
    RatingChange.objects.filter(ledger_position=2, seat=0).delete()
    assert "the line is missing" in rebuild(GAME, write=False).named[0]
    Seat.objects.filter(match__ledger_position=1, place=1).update(place=4)
    assert rebuild(GAME, write=False).differences > 3


def test_the_queue_of_a_ladder_is_filled_to_its_measure_and_no_further(players, settings):
    assert services.fill(GAME) == settings.LADDER_QUEUE
    assert services.fill(GAME) == 0
    assert Match.objects.queued().filter(rated=True).count() == settings.LADDER_QUEUE


def let_settle():
    """Give all bots ratings as they are after many matches."""
    Entry.objects.update(matches=100, queued_at=timezone.now())
    LadderRating.objects.update(sigma=0.9, matches=100)


def forget_matches():
    """Let what waits be over, unrated."""
    Match.objects.all().delete()


def test_a_settled_ladder_plays_one_match_now_and_then(players):
    let_settle()
    assert services.fill(GAME) == 1
    forget_matches()
    assert services.fill(GAME) == 0
    Ladder.objects.update(played_at=timezone.now() - timedelta(minutes=5))
    assert services.fill(GAME) == 1


def test_a_bot_that_always_loses_does_not_keep_a_ladder_busy(players):
    let_settle()
    LadderRating.objects.filter(ladder=GAME, version=players[0].active).update(mu=-9.0, sigma=4.0)
    LadderRating.objects.filter(ladder=GAME, version=players[1].active).update(mu=60.0, sigma=4.0)
    assert services.fill(GAME) == 1
    forget_matches()
    assert services.fill(GAME) == 0


def test_a_ladder_at_rest_is_asked_with_two_queries(players, django_assert_num_queries):
    let_settle()
    services.fill(GAME)
    forget_matches()
    with django_assert_num_queries(2):
        assert services.fill(GAME) == 0


def test_a_ladder_with_a_full_queue_is_asked_with_four_queries(players, django_assert_num_queries):
    services.fill(GAME)
    Ladder.objects.update(need=Need.USERS)
    with django_assert_num_queries(4):
        assert services.fill(GAME) == 0


def activate_old_version(bot):
    make_version(bot)
    services.enrol()
    let_settle()
    forget_matches()
    services.fill(GAME)
    forget_matches()
    return lambda: bots.activate(bot, 1)


def bench(bot):
    bots.bench(bot.active, "a test")
    return lambda: bots.activate(bot, 1)


def suspend(bot):
    moderation.suspend(bot.active, "a test")
    return lambda: moderation.lift(bot.active)


def hide(bot):
    moderation.hide(bot)
    return lambda: moderation.show(bot)


@pytest.mark.parametrize("take_out", [activate_old_version, bench, suspend, hide])
def test_a_ladder_at_rest_wakes_when_an_old_version_plays_again(players, take_out):
    let_settle()
    services.fill(GAME)
    forget_matches()
    first_version = players[2].active
    bring_back = take_out(players[2])
    LadderRating.objects.filter(ladder=GAME, version=first_version).update(sigma=8.0, matches=1)
    services.fill(GAME)
    forget_matches()
    assert services.fill(GAME) == 0
    bring_back()
    assert services.fill(GAME) > 1
    assert Seat.objects.filter(version=first_version).exists()


def test_a_ladder_at_rest_wakes_when_somebody_needs_matches(players, settings):
    let_settle()
    services.fill(GAME)
    forget_matches()
    assert services.fill(GAME) == 0
    make_version(players[2])
    services.enrol()
    assert services.fill(GAME) == settings.LADDER_QUEUE
    forget_matches()
    LadderRating.objects.filter(version=Bot.objects.get(pk=players[2].pk).active).update(
        sigma=0.9, matches=100
    )
    Ladder.objects.update(rated=F("rated") + 1)
    assert services.fill(GAME) == 0


def test_new_versions_are_served_before_a_bot_that_always_loses(settings):
    """As in a league in which one hopeless bot once sat in 94 of 100 matches."""
    settings.LADDER_QUEUE = 20
    services.ensure()
    crowd = [make_player(make_user()) for _ in range(12)]
    services.enrol()
    let_settle()
    LadderRating.objects.filter(ladder=GAME, version=crowd[0].active).update(mu=-9.0, sigma=4.5)
    for bot in crowd[1:4]:
        make_version(bot)
    services.enrol()
    assert services.fill(GAME) == 20
    seated = Counter(Seat.objects.values_list("bot", flat=True))
    assert seated[crowd[0].pk] < 10
    assert all(3 < seated[bot.pk] <= 12 for bot in crowd[1:4])


def finish_in_order_of_age():
    """Let everything that waits end without being played: an older bot always beats a younger."""
    for match in Match.objects.queued():
        for place, seat in enumerate(match.seats.order_by("bot"), 1):
            Seat.objects.filter(pk=seat.pk).update(place=place, finished_at=timezone.now())
        Match.objects.filter(pk=match.pk).update(status="finished", finished_at=timezone.now())


def test_house_bots_alone_come_to_rest(players, settings):
    """The first always wins and the last always loses, so that their sigmas stay large."""
    settings.LADDER_QUEUE = 12
    while services.fill(GAME):
        assert Match.objects.count() < 30 * len(players)
        finish_in_order_of_age()
        writer.rate(GAME)
    assert all(
        30 <= count <= 90
        for count in LadderRating.objects.filter(ladder=GAME).values_list("matches", flat=True)
    )
    assert Ladder.objects.get(game=GAME).need == Need.NONE


def test_a_ladder_that_is_far_ahead_waits_for_one_on_which_owners_wait(settings):
    settings.LADDER_QUEUE = 5
    services.ensure()
    for _ in range(4):
        make_player(make_user())
    services.enrol()
    for _ in range(3):
        assert services.fill(GAME) == settings.LADDER_QUEUE
        finish_in_order_of_age()
    assert services.fill("edelsteinsuche") == settings.LADDER_QUEUE
    assert services.fill(GAME) == 1
    Match.objects.filter(status="finished").update(finished_at=timezone.now() - timedelta(hours=1))
    assert services.fill(GAME) == settings.LADDER_QUEUE - 1


def test_house_bots_step_back_where_bots_of_users_need_matches(players, settings):
    other = "edelsteinsuche"
    assert services.fill(GAME) == settings.LADDER_QUEUE
    make_version(make_bot(make_user()), games=[other])
    services.enrol()
    assert services.fill(other) == settings.LADDER_QUEUE
    forget_matches()
    assert services.fill(GAME) == 1
    assert services.fill(other) == settings.LADDER_QUEUE


def test_a_benched_bot_gets_no_matches(players):
    bots.bench(players[0].active, "it failed")
    services.fill(GAME)
    assert not Seat.objects.filter(bot=players[0]).exists()


def test_a_bot_without_enough_matches_has_no_rank(players):
    places = set()
    while len(places) < 3:  # Who shares a place in the only match shares a rank, too.
        places = set(make_match(players[:3]).seats.values_list("place", flat=True))
    rate_all()
    assert [row.rank for row in queries.standings(players[0]) if row.game == GAME] == [None]
    Entry.objects.filter(ladder=GAME).update(matches=30)
    ranks = {row.rank for bot in players for row in queries.standings(bot) if row.game == GAME}
    assert ranks == {1, 2, 3, 4}


def test_faults_and_first_places_are_counted(players):
    fault = Fault(0, 5, "E303", "The bot raised KeyError.")
    match = make_match(players[:3], faults=[fault])
    rate_all()
    entry = Entry.objects.get(ladder=GAME, bot=players[0])
    assert (entry.matches, entry.faulty) == (1, 1)
    assert sum(Entry.objects.filter(ladder=GAME).values_list("firsts", flat=True)) == (
        match.seats.filter(place=1).count()
    )


def test_owners_of_house_bots_do_not_exist_and_users_own_theirs():
    assert make_player().is_house
    assert not make_player(make_user()).is_house
