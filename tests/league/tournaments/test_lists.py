"""What lists, standings and the console show: cancelled ones, authors, ratings and forfeits."""

from datetime import UTC, datetime

import pytest

from league.matches.models import Seat
from league.tournaments.models import Entry, RecurringTournament
from league.tournaments.services import entries, lifecycle, recurring, terms
from tests.league.asking import ask
from tests.league.factories import make_player, make_tournament, make_user
from tests.league.reading import text_of
from tests.league.tournaments.stored import begun, play_round

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "seats": 3, "rounds": 2}


def test_a_cancelled_tournament_stays_in_lists_and_is_marked(client):
    tournament = begun(3, SWISS)
    play_round(tournament)
    lifecycle.cancel(tournament, tournament.organiser, "rain")
    page = text_of(client.get("/tournaments/"))
    assert "Friday Cup cancelled" in page
    first = tournament.entries.filter(place=1).first().bot
    assert first.name not in page, "nothing of it counts"


def test_a_cancelled_draft_stays_private(client):
    owner = make_user()
    draft = make_tournament(owner, "Quiet Plan")
    lifecycle.cancel(draft, owner, "no time")
    for path in ("/tournaments/", "/tournaments/feed.atom", "/search/?q=Quiet+Plan"):
        assert draft.slug not in client.get(path).content.decode()
    assert client.get(draft.get_absolute_url()).status_code == 404
    assert ask(f"tournaments/{draft.slug}").status_code == 404
    assert ask("tournaments").json()["items"] == []
    client.force_login(owner)
    assert client.get(draft.get_absolute_url()).status_code == 200


def test_who_enters_a_recurring_tournament_is_in_the_next_one_even_if_that_is_open_already():
    daily = RecurringTournament.objects.create(
        name="Daily",
        slug="daily",
        game="basari",
        config=terms.complete_config("basari", SWISS),
        cron="0 18 * * *",
        entry_minutes=3 * 24 * 60,
        looked_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    recurring.open_due_tournaments(daily, datetime(2026, 3, 1, 12, tzinfo=UTC))
    first, second, third = daily.occurrences.order_by("planned_at")
    bot = make_player(make_user())
    entries.enter(second, bot, bot.owner)
    assert not first.entries.exists()
    assert third.entries.get().bot == bot
    other = make_player(make_user())
    entries.enter(third, other, other.owner)
    entries.withdraw(third, other, other.owner)
    entries.enter(first, other, other.owner)
    assert second.entries.get(bot=other).status == Entry.Status.PLAYING
    assert third.entries.get(bot=other).status == Entry.Status.WITHDRAWN


def test_standings_and_files_name_the_author_and_the_rating_as_it_is_shown(client):
    tournament = begun(3, SWISS)
    tournament.entries.update(rating=21.4)
    play_round(tournament)
    owner = tournament.entries.first().bot.owner
    page = text_of(client.get(f"{tournament.get_absolute_url()}standings/"))
    csv = client.get(f"{tournament.get_absolute_url()}standings.csv").content.decode()
    for shown in (page, csv):
        assert owner.username in shown
        assert "1356" in shown
    line = ask(f"tournaments/{tournament.slug}/standings").json()[0]
    assert line["shown_rating"] == 1356


def test_the_console_lists_every_bot_that_forfeits(client):
    tournament = begun(3, SWISS)
    play_round(tournament)
    seat = Seat.objects.filter(match__tournament_game__round__number=2).first()
    Seat.objects.filter(pk=seat.pk).update(forfeited=True)
    play_round(tournament)
    client.force_login(tournament.organiser)
    manage = text_of(client.get(f"{tournament.get_absolute_url()}manage/"))
    assert f"Bots that forfeit {seat.bot.name} 1 of 2 games" in manage


@pytest.mark.parametrize(
    ("page", "part"), [("bracket/", "bracket-live"), ("manage/", "console-live")]
)
def test_bracket_and_console_refresh_themselves_until_the_end(client, page, part):
    tournament = begun(6, {"format": "knockout", "seats": 3, "advance": 1, "deals": 1})
    client.force_login(tournament.organiser)
    address = f"{tournament.get_absolute_url()}{page}"
    refreshes = f'id="{part}" class'
    whole, live = (
        client.get(address, headers=headers).content.decode()
        for headers in ({}, {"HX-Request": "true"})
    )
    assert live.lstrip().startswith(f"<div {refreshes}")
    for shown in (whole, live):
        assert shown.count(refreshes) == 1
        assert f'hx-get="{address}" hx-trigger="karat:tick from:body"' in shown
    assert "<h1>" not in live
    lifecycle.cancel(tournament, tournament.organiser, "rain")
    assert "hx-trigger" not in client.get(address).content.decode().split(refreshes)[1][:200]


@pytest.mark.parametrize("page", ["", "standings/", "rounds/1/", "bracket/", "manage/"])
def test_the_badge_of_the_state_is_refreshed_with_the_live_part(client, page):
    tournament = begun(3, SWISS)
    client.force_login(tournament.organiser)
    address = f"{tournament.get_absolute_url()}{page}"
    whole = client.get(address).content.decode()
    assert whole.count('id="tournament-state"') == 1
    assert "hx-swap-oob" not in whole
    lifecycle.cancel(tournament, tournament.organiser, "rain")
    live = client.get(address, headers={"HX-Request": "true"}).content.decode()
    badge = live.split('<span id="tournament-state" hx-swap-oob="true">')[1]
    assert "cancelled" in badge
    assert live.lstrip().startswith("<div"), "the part itself comes first"
