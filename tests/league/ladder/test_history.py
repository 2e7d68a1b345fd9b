"""What is kept of past days and of tables of one size: written with the ledger, proven by it."""

from datetime import UTC, date, datetime

import pytest

from bots_sdk.rating.skill import Rating
from league.ladder.matchmaking.settled import chance_to_be_better, overlaps
from league.ladder.models import Ladder, RatingChange, RatingDay, Tally
from league.ladder.ratings import writer
from league.ladder.ratings.rebuild import rebuild
from league.matches.models import Match
from tests.league.factories import GAME, make_match, make_player, rate_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return [make_player() for _ in range(4)]


def play_on(day, *tables):
    for number, table in enumerate(tables):
        match = make_match(table)
        at = datetime(2026, 3, day, 12, number, tzinfo=UTC)
        Match.objects.filter(pk=match.pk).update(finished_at=at)


def kept():
    days = RatingDay.objects.order_by("bot", "day")
    tallies = Tally.objects.order_by("bot", "seat_count")
    return [
        *days.values_list("bot", "version", "day", "mu", "sigma", "matches"),
        *tallies.values_list("bot", "seat_count", "matches", "firsts", "faulty"),
    ]


def test_a_day_is_kept_as_its_last_line_left_it(players):
    play_on(1, players, players[:3])
    play_on(3, players)
    rate_all()
    bot = players[0]
    assert list(
        RatingDay.objects.filter(bot=bot).order_by("day").values_list("day", "matches")
    ) == [(date(2026, 3, 1), 2), (date(2026, 3, 3), 3)]
    last = RatingChange.objects.filter(bot=bot, ledger_position=2).get()
    first_day = RatingDay.objects.get(bot=bot, day=date(2026, 3, 1))
    assert (first_day.mu, first_day.sigma) == (last.mu, last.sigma)
    assert RatingDay.objects.get(bot=players[3], day=date(2026, 3, 1)).matches == 1


def test_matches_are_tallied_by_the_number_of_seats(players):
    play_on(1, players, players, players[:3])
    rate_all()
    tallies = Tally.objects.filter(bot=players[0])
    assert dict(tallies.values_list("seat_count", "matches")) == {3: 1, 4: 2}
    assert sum(Tally.objects.values_list("firsts", flat=True)) >= 3


def test_the_history_is_the_same_however_the_ledger_was_cut_into_pieces(players, monkeypatch):
    play_on(1, players, players[:3])
    play_on(2, players[1:], players)
    monkeypatch.setattr(writer, "BATCH_SIZE", 1)
    rate_all()
    one_by_one = kept()
    RatingDay.objects.all().delete()
    Tally.objects.all().delete()
    assert rebuild(GAME, write=True).differences > 0
    assert kept() == one_by_one
    assert rebuild(GAME, write=False).differences == 0


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda: RatingDay.objects.update(mu=1.0), id="a day is changed"),
        pytest.param(lambda: RatingDay.objects.earliest("pk").delete(), id="a day is lost"),
        pytest.param(lambda: Tally.objects.update(firsts=99), id="a tally is changed"),
    ],
)
def test_rebuilding_finds_and_repairs_a_damaged_history(players, damage):
    play_on(1, players)
    rate_all()
    right = kept()
    damage()
    assert rebuild(GAME, write=True).differences > 0
    assert kept() == right
    assert Ladder.objects.get(game=GAME).rated == 1


def test_equals_are_as_likely_the_better_one_and_the_surely_stronger_almost_always():
    even = Rating(25, 1)
    assert chance_to_be_better(even, even) == 0.5
    assert chance_to_be_better(Rating(30, 1), even) > 0.999


def test_runs_of_neighbours_overlap_as_long_as_none_is_surely_weaker_than_the_first():
    ladder = [Rating(mu, 0.5) for mu in (30.0, 27.0, 26.5, 26.0, 20.0, 19.9)]
    assert overlaps(ladder) == [range(1, 4), range(4, 6)]
    assert overlaps([]) == overlaps(ladder[:1]) == []
