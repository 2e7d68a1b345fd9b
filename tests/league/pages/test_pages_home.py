"""The home page, games, the directory, the search, and what other programs follow."""

import re
import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.registry import GAMES
from league.bots import retirement
from league.ladder import services as ladder
from league.matches.models import Match
from league.matches.records import codec
from league.pages import featured_match
from league.tournaments.services import lifecycle as tournaments
from tests.league.factories import (
    GAME,
    make_bot,
    make_match,
    make_player,
    make_tournament,
    make_user,
    make_version,
    pretend_chances,
    rate_all,
)
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    mira = make_user("mira")
    return [make_player(mira, "Shark"), make_player(None, "Anton"), make_player(None, "Zita")]


def test_a_fresh_league_says_that_the_first_match_is_near(client):
    ladder.ensure()
    said = text_of(client.get("/"))
    assert "No matches yet. The house bots are warming up" in said
    assert "Teach a program to barter." in said
    assert "0 matches · 0 bots" in said


def test_the_table_shows_a_match_with_its_result_and_its_last_sentences(client, players):
    match = make_match(players)
    rate_all()
    answer = client.get("/")
    said = text_of(answer)
    assert "On the table now" in said
    assert f'data-record-url="/api/v1/matches/{match.pk}/record"' in answer.content.decode()
    for sentence in answer.context["on_table"].last:
        assert sentence in answer.context["on_table"].viewer or sentence in said
    for bot in players:
        assert bot.name in said


def test_the_table_begins_with_the_first_offer_of_a_barter(client, players):
    record = codec.unpack(bytes(make_match(players).record.data))
    step = int(re.search(r'data-begin="(\d+)" data-autoplay', client.get("/").content.decode())[1])
    assert [one["t"] for one in record["steps"][step - 1 : step + 1]] == ["barter", "offer"]


def test_an_old_match_is_called_a_replay(client, players):
    match = make_match(players)
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(days=2))
    said = text_of(client.get("/"))
    assert "Replay: one of the best recent matches" in said
    assert "On the table now" not in said


def test_the_match_of_the_day_is_shown_with_the_lines_of_its_chances(client, players):
    wild, dull = make_match(players), make_match(players)
    pretend_chances(wild, 3.0)
    pretend_chances(dull, 1.0)
    answer = client.get("/")
    assert answer.context["on_table"].match == wild
    assert "kv-chances" in answer.context["on_table"].viewer


def test_lines_that_are_estimated_later_are_shown_then(client, players):
    match = make_match(players)
    assert "kv-chances" not in client.get("/").context["on_table"].viewer
    pretend_chances(match)
    assert "kv-chances" in featured_match.highlight().viewer


def test_the_home_page_does_without_a_match_that_has_lost_its_record(client, players):
    match = make_match(players)
    assert client.get("/").context["on_table"].match == match
    match.record.delete()
    assert featured_match.highlight() is None


def test_home_tells_of_newcomers_that_play(client, players):
    make_version(make_bot(make_user("kim"), "First Try"), status="rejected")
    said = text_of(client.get("/"))
    assert "First Try" not in said
    assert "0 of 30 matches" in said


def test_the_numbers_of_the_home_page_come_alone_for_live_updates(client, players):
    make_match(players)
    answer = client.get("/", headers={"HX-Request": "true"})
    assert b"<html" not in answer.content
    assert b"data-record-url" not in answer.content
    assert "1 match · 3 bots" in text_of(answer)


def test_the_home_page_costs_the_same_queries_with_more_of_everything(client, players):
    make_match(players)
    rate_all()
    with CaptureQueriesContext(connection) as few:
        client.get("/")
    for number in range(4):
        players.append(make_player(make_user(), f"More {number}"))
        make_match(players[-3:])
    rate_all()
    cache.clear()
    with CaptureQueriesContext(connection) as many:
        client.get("/")
    assert len(many) == len(few)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_with_its_rules_in_short(client, game):
    ladder.ensure()
    said = text_of(client.get(f"/g/{game}/"))
    assert "Rules in 60 seconds" in said
    assert "No finished matches yet." in said
    assert "Nobody is ranked yet." in said


def test_the_page_of_a_game_shows_its_latest_match_and_house_bots(client, players):
    match = make_match(players)
    answer = client.get(f"/g/{GAME}/")
    assert match.get_absolute_url() in answer.content.decode()
    assert [bot.name for bot in answer.context["house"]] == ["Anton", "Zita"]


@pytest.mark.parametrize(
    "path", ["/g/chess/", "/g/chess/leaderboard/", "/docs/rules/chess/", "/g/chess/feed.atom"]
)
def test_an_unknown_game_is_not_there_and_all_games_are_named(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    for game in GAMES.values():
        assert f'href="/g/{game.slug}/"' in answer.content.decode()


def test_the_cards_of_a_game_are_there_for_those_who_draw_it(client):
    assert "cards" in client.get(f"/g/{GAME}/cards.json").json()


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param({}, ["Anton", "Shark", "Zita"], id="all"),
        pytest.param({"q": "SHA"}, ["Shark"], id="name"),
        pytest.param({"author": "mira"}, ["Shark"], id="author"),
        pytest.param({"game": GAME}, ["Anton", "Shark", "Zita"], id="game"),
        pytest.param({"status": "playing"}, ["Anton", "Shark", "Zita"], id="state"),
        pytest.param({"status": "unaccepted"}, [], id="a state that only owners see"),
        pytest.param({"status": "sleeping"}, ["Anton", "Shark", "Zita"], id="no state"),
    ],
)
def test_the_directory_finds_bots(client, players, asked, shown):
    make_version(make_bot(players[0].owner, "Lazy"), status="rejected")
    answer = client.get("/bots/", asked)
    assert [bot.name for bot in answer.context["page"].object_list] == shown


def test_the_directory_finds_retired_bots_and_shows_owners_what_was_not_accepted(client, players):
    make_version(make_bot(players[0].owner, "Lazy"), status="rejected")
    retirement.retire(players[0])
    client.force_login(players[0].owner)
    for status, name in (("retired", "Shark"), ("unaccepted", "Lazy")):
        page = client.get("/bots/", {"status": status}).context["page"]
        assert [bot.name for bot in page.object_list] == [name]


def test_the_directory_says_if_nothing_matches(client, players):
    assert "No bot matches zzz." in text_of(client.get("/bots/", {"q": "zzz"}))


def test_the_search_finds_everything_there_is(client, players):
    match = make_match(players)
    found = [
        ("shark", "/bots/shark/"),
        ("mira", "/u/mira/"),
        (f"#{match.pk:,}", f"/matches/{match.pk}/"),
        ("e302", "/docs/errors/E302/"),
        ("cautious end", "/docs/ratings/#why-the-cautious-end-decides"),
    ]
    for query, address in found:
        assert f'href="{address}"' in client.get("/search/", {"q": query}).content.decode(), query


@pytest.mark.parametrize("query", ["zzzz", "z\0z\0z\0q", "9" * 40, "<script>alert(1)</script>"])
def test_the_search_says_what_one_can_look_for(client, query):
    answer = client.get("/search/", {"q": query})
    assert "Try a bot, a user, a match number or an error code such as E302." in text_of(answer)
    assert "<script>alert" not in answer.content.decode()


def test_tournaments_are_found_and_mapped_once_they_are_published(client):
    tom = make_user("tom", is_organiser=True)
    cup = make_tournament(tom, "Emerald Night")
    link = "/tournaments/emerald-night/"

    def known():
        asked = (client.get("/search/", {"q": "EMERALD"}), client.get("/sitemap.xml"))
        return [link in answer.content.decode() for answer in asked]

    assert known() == [False, False]
    tournaments.publish(cup, tom)
    assert known() == [True, True]


def test_feeds_are_well_formed_and_hold_the_matches(client, players):
    match = make_match(players)
    for path in (f"/g/{GAME}/feed.atom", "/bots/shark/feed.atom"):
        feed = ET.fromstring(client.get(path).content)
        links = [link.get("href") for link in feed.iter("{http://www.w3.org/2005/Atom}link")]
        assert any(link.endswith(f"/matches/{match.pk}/") for link in links), path
    assert client.get("/bots/nobody/feed.atom").status_code == 404


def test_the_sitemap_names_pages_that_are_there(client, players):
    ladder.ensure()
    site = ET.fromstring(client.get("/sitemap.xml").content)
    paths = [
        "/" + place.text.split("/", 3)[3] for place in site.iter() if place.tag.endswith("loc")
    ]
    assert {"/", "/bots/shark/", "/docs/quickstart/", f"/docs/rules/{GAME}/"} <= set(paths)
    ours = [path for path in paths if path.startswith(("/g/", "/docs/", "/status/"))]
    assert {client.get(path).status_code for path in ours} == {200}
    assert "Sitemap: " in client.get("/robots.txt").content.decode()
