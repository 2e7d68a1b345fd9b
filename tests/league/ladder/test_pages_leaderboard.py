"""The leaderboard: who stands where, how sure that is, and what one may ask of it."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.bots import services as bots
from league.ladder import services as ladder
from league.ladder.models import Entry, LadderRating, RatingDay, Tally
from tests.league.factories import GAME, make_player, make_user
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

URL = f"/g/{GAME}/leaderboard/"


def stand(bot, mu, sigma=0.5, *, matches=60, firsts=20, faulty=0, seats=4):
    """Put a bot where some matches would have put it."""
    Entry.objects.filter(ladder=GAME, bot=bot).update(matches=matches, firsts=firsts, faulty=faulty)
    LadderRating.objects.filter(ladder=GAME, version=bot.active).update(mu=mu, sigma=sigma)
    Tally.objects.create(
        ladder_id=GAME, bot=bot, seat_count=seats, matches=matches, firsts=firsts, faulty=faulty
    )


def stood(bot, mu, *, days_ago, matches=60):
    RatingDay.objects.create(
        ladder_id=GAME,
        bot=bot,
        version=bot.active,
        day=timezone.now().date() - timedelta(days=days_ago),
        mu=mu,
        sigma=0.5,
        matches=matches,
    )


@pytest.fixture
def table():
    """Three with a rank, one newcomer, one of them of the house."""
    mira = make_user("mira")
    shark, tin = make_player(mira, "Shark"), make_player(make_user("tom"), "Tin Cup")
    house, owl = make_player(None, "Anton"), make_player(mira, "Owl")
    ladder.ensure()
    ladder.enrol()
    stand(shark, 33.0)
    stand(tin, 28.0, firsts=6, faulty=3)
    stand(house, 27.5, seats=3)
    stand(owl, 25.0, 8.0, matches=4, firsts=1)
    return {"shark": shark, "tin": tin, "house": house, "owl": owl}


def names(answer):
    return [row.line.name for row in answer.context["rows"]]


def test_a_fresh_league_says_kindly_that_nobody_is_ranked(client):
    ladder.ensure()
    said = text_of(client.get(URL))
    assert "Nobody is ranked yet. A bot needs 30 matches." in said
    assert "Nobody is ranked with 5 seats yet." in text_of(client.get(URL, {"seats": 5}))


def test_bots_are_ranked_by_the_cautious_end_and_newcomers_have_no_rank(client, table):
    stand_in_doubt = LadderRating.objects.filter(version=table["shark"].active, ladder=GAME)
    answer = client.get(URL)
    assert names(answer) == ["Shark", "Tin Cup", "Anton", "Owl"]
    assert [row.line.rank for row in answer.context["rows"]] == [1, 2, 3, None]
    stand_in_doubt.update(sigma=3.0)
    assert names(client.get(URL))[:3] == ["Tin Cup", "Anton", "Shark"]


def test_a_newcomer_carries_a_question_mark_a_dashed_interval_and_its_progress(client, table):
    html = client.get(URL).content.decode()
    row = html[html.index('id="bot-owl"') :]
    assert "4 of 30 matches" in row
    assert 'class="range unsure"' in row
    assert "1500?" in row
    assert 'class="range unsure"' not in html[: html.index('id="bot-owl"')]


@pytest.fixture
def first_hour():
    """A ladder on which nobody has a rank yet; the weaker ones happen to have played more."""
    ladder.ensure()
    newcomers = {name: make_player(None, name) for name in ("Slow", "Owl", "Quick", "Fresh")}
    ladder.enrol()
    stand(newcomers["Slow"], 22.425, 4.0, matches=21)  # 1397? ± 320
    stand(newcomers["Owl"], 30.0, 5.0, matches=14)  # 1700? ± 400
    stand(newcomers["Quick"], 38.0, 6.0, matches=9)  # 2020? ± 480
    # Fresh has not played yet: 1500? ± 667


def test_in_the_first_hour_the_number_one_reads_is_the_order_on_pages_files_and_in_the_api(
    client, first_hour
):
    order = ["Quick", "Owl", "Fresh", "Slow"]
    page = client.get(URL)
    assert names(page) == order
    said = text_of(page)
    numbers = ["2020?", "1700?", "1500?", "1397?"]
    assert sorted(numbers, key=said.index) == numbers
    assert "Still being placed" in said
    api = client.get(f"/api/v1/leaderboards/{GAME}", {"show": "provisional"}).json()
    assert [row["name"] for row in api["items"]] == order
    assert [row["rank"] for row in api["items"]] == [None] * 4
    assert [row["name"] for row in client.get(f"{URL[:-1]}.json").json()["bots"]] == order
    tops = client.get("/").context["tops"]
    mine = next(top for top in tops if top.game.slug == GAME)
    assert [line.name for line in mine.lines] == order[: len(mine.lines)]


def test_the_api_pages_through_provisional_bots_in_the_same_order(client, first_hour):
    address, seen = f"/api/v1/leaderboards/{GAME}?show=provisional&limit=1", []
    while address:
        answer = client.get(address).json()
        seen += [row["name"] for row in answer["items"]]
        address = answer["next"]
    assert seen == ["Quick", "Owl", "Fresh", "Slow"]


def test_those_without_a_rank_stand_in_a_part_of_their_own(client, table):
    LadderRating.objects.filter(ladder=GAME, version=table["owl"].active).update(mu=60.0)
    page = client.get(URL)
    assert names(page) == ["Shark", "Tin Cup", "Anton", "Owl"]
    said = text_of(page)
    assert said.index("Anton") < said.index("Still being placed") < said.index("Owl")
    assert "Still being placed" not in text_of(client.get(URL, {"provisional": "no"}))
    assert "Still being placed" not in text_of(client.get(URL, {"sort": "bot"}))


def test_ranks_that_are_not_settled_are_held_together(client, table):
    answer = client.get(URL)
    assert [row.bracket for row in answer.context["rows"]] == ["", "opens", "closes", ""]
    assert "ranks 2–3 overlap: the order may change" in text_of(answer)
    assert "overlap:" not in text_of(client.get(URL, {"sort": "bot"}))


def test_the_change_of_seven_days_compares_ranks(client, table):
    stood(table["tin"], 35.0, days_ago=9)
    stood(table["tin"], 20.0, days_ago=2)
    stood(table["shark"], 30.0, days_ago=8)
    stood(table["house"], 29.0, days_ago=8, matches=5)
    lines = [row.line for row in client.get(URL).context["rows"]]
    assert [line.climbed for line in lines] == [1, -1, None, None]


def test_the_curve_of_thirty_days_is_drawn_from_days(client, table):
    for days_ago in (20, 10, 1, 50):
        stood(table["shark"], 30.0 + days_ago, days_ago=days_ago)
    first = client.get(URL).context["rows"][0]
    assert first.spark.count("L") == 2
    assert client.get(URL).context["rows"][1].spark == ""


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param({"house": "no"}, ["Shark", "Tin Cup", "Owl"], id="no house bots"),
        pytest.param({"house": ["no", "yes"]}, ["Shark", "Tin Cup", "Anton", "Owl"], id="ticked"),
        pytest.param({"provisional": "no"}, ["Shark", "Tin Cup", "Anton"], id="ranked only"),
        pytest.param({"author": "MIRA"}, ["Shark", "Owl"], id="one author"),
        pytest.param({"sort": "bot"}, ["Anton", "Owl", "Shark", "Tin Cup"], id="by name"),
        pytest.param({"sort": "-rating"}, ["Owl", "Anton", "Tin Cup", "Shark"], id="the weakest"),
        pytest.param({"sort": "faults"}, ["Tin Cup", "Shark", "Anton", "Owl"], id="by faults"),
        pytest.param(
            {"sort": "first", "seats": "4"}, ["Shark", "Owl", "Tin Cup", "Anton"], id="unknown last"
        ),
    ],
)
def test_filters_and_orders(client, table, asked, shown):
    assert names(client.get(URL, asked)) == shown


def test_the_number_of_seats_changes_what_is_counted_and_not_the_rating(client, table):
    everywhere, with_three = client.get(URL), client.get(URL, {"seats": 3})
    shown = [row.line.strength for row in everywhere.context["rows"]]
    assert [row.line.strength for row in with_three.context["rows"]] == shown
    assert [row.line.tables.matches for row in with_three.context["rows"]] == [0, 0, 60, 0]
    assert everywhere.context["rows"][2].line.tables.chance == pytest.approx(1 / 3)


def test_benched_bots_are_shown_only_if_asked_for(client, table):
    bots.bench(table["tin"].active, "three faults")
    assert names(client.get(URL)) == ["Shark", "Anton", "Owl"]
    answer = client.get(URL, {"benched": "yes"})
    assert names(answer) == ["Shark", "Anton", "Owl", "Tin Cup"]
    assert answer.context["rows"][3].line.rank is None


@pytest.mark.parametrize(
    "asked", [{"sort": "luck"}, {"colour": "red"}, {"seats": "9"}, {"page": "x"}]
)
def test_what_is_not_a_filter_is_named_and_dropped(client, table, asked):
    name, value = next(iter(asked.items()))
    removed = name if name == "colour" else value
    answer = client.get(URL, asked)
    assert f"Unknown filter {removed} removed" in text_of(answer)
    assert len(names(answer)) == 4


def test_the_order_is_told_to_screen_readers_and_a_second_click_turns_it(client, table):
    html = client.get(URL, {"sort": "rating"}).content.decode()
    assert 'aria-sort="descending"> <a href="?sort=-rating">Rating</a>' in " ".join(html.split())
    html = client.get(URL, {"sort": "-rating"}).content.decode()
    assert 'aria-sort="ascending"> <a href="?sort=rating">Rating</a>' in " ".join(html.split())


def test_own_bots_are_marked_and_can_be_jumped_to(client, table):
    assert "Jump to my bots" not in text_of(client.get(URL))
    client.force_login(table["shark"].owner)
    answer = client.get(URL)
    assert [row.mine for row in answer.context["rows"]] == [True, False, False, True]
    assert 'href="?page=1#bot-shark"' in answer.content.decode()


def test_files_hold_the_same_bots(client, table):
    asked = {"house": "no"}
    rows = list(
        csv.DictReader(
            io.StringIO(client.get(f"/g/{GAME}/leaderboard.csv", asked).content.decode())
        )
    )
    told = client.get(f"/g/{GAME}/leaderboard.json", asked).json()["bots"]
    assert (
        [row["name"] for row in rows]
        == [bot["name"] for bot in told]
        == ["Shark", "Tin Cup", "Owl"]
    )
    assert (told[0]["rank"], told[0]["rating"], told[2]["provisional"]) == (1, 1820, True)


def test_the_live_part_comes_alone_and_only_if_it_changed(client, table):
    first = client.get(URL, headers={"HX-Request": "true"})
    assert first.content.lstrip().startswith(b'<div id="board"')
    again = client.get(URL, headers={"HX-Request": "true", "If-None-Match": first["ETag"]})
    assert again.status_code == 304
    stand_better = LadderRating.objects.filter(version=table["tin"].active, ladder=GAME)
    stand_better.update(mu=40.0)
    changed = client.get(URL, headers={"HX-Request": "true", "If-None-Match": first["ETag"]})
    assert changed.status_code == 200


def test_fifty_rows_are_a_page_and_cost_no_more_queries_than_four(client, table):
    client.get(URL)
    with CaptureQueriesContext(connection) as few:
        client.get(URL)
    for number in range(56):
        make_player(None, f"House {number}")
    while ladder.unrated_versions().exists():
        # On a busy machine one portion of work does not reach all of them.
        ladder.enrol()
    Entry.objects.filter(ladder=GAME, matches=0).update(matches=40)
    with CaptureQueriesContext(connection) as many:
        answer = client.get(URL)
    assert len(names(answer)) == 50
    assert len(names(client.get(URL, {"page": 2}))) == 10
    assert len(many) == len(few)
