"""A large tournament stays quick: 64 bots, five rounds, tables of four."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.tournaments.models import Game
from league.tournaments.services import lifecycle, rounds
from tests.league.factories import GAME
from tests.league.tournaments.stored import begun, finish_all, play_round

pytestmark = pytest.mark.django_db

PAGES = ["", "standings/", "rounds/1/", "entries/", "rules/", "manage/"]


def held(size, rounds_, deals):
    """A tournament in its last round, all other matches over, without playing any of them."""
    config = {"format": "swiss", "seats": 4, "rounds": rounds_, "deals": deals, "mirrored": True}
    tournament = begun(size, config, f"Cup of {size}")
    while tournament.rounds.count() < rounds_:
        play_round(tournament)
    return tournament


def queries_of(client, address):
    """The second time, when what all pages share has been remembered."""
    client.get(address)
    for remembered in ("paused", f"pace-{GAME}-4"):
        cache.touch(remembered, 600)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def test_a_large_tournament_finishes_and_costs_its_pages_no_more_queries_than_a_small_one(client):
    small, large = held(8, 2, 1), held(64, 5, 1)
    assert Game.objects.filter(round__tournament=large).count() == 5 * 16 * 4
    for tournament in (small, large):
        client.force_login(tournament.organiser)
        tournament.counts = [
            queries_of(client, f"/tournaments/{tournament.slug}/{page}") for page in PAGES
        ]
    assert large.counts == small.counts
    assert max(large.counts) <= 16
    finish_all()
    lifecycle.move_on(large, timezone.now())
    large.refresh_from_db()
    assert large.state == "final"
    table = rounds.standings(large)
    assert len(table) == 64
    assert table[0].place == 1
    assert all(row.games == 5 * 4 for row in table)


def test_the_list_costs_the_same_queries_however_many_are_live(client):
    held(8, 1, 1)
    one = queries_of(client, "/tournaments/")
    for _ in range(2):
        held(8, 1, 1)
    assert queries_of(client, "/tournaments/") == one


def test_standings_are_worked_out_once_for_all_who_look(client, monkeypatch):
    tournament = held(8, 2, 1)
    address = f"/tournaments/{tournament.slug}/standings/"
    fragment = {"HX-Request": "true"}
    first = client.get(address, headers=fragment).content
    monkeypatch.setattr(rounds, "entries_of", None)
    assert client.get(address, headers=fragment).content == first
    monkeypatch.undo()
    finish_all()
    assert client.get(address, headers=fragment).content != first
