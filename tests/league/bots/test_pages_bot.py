"""The pages of bots as spectators see them: overview, matches, opponents, faults, pairs."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.registry import GAMES
from league.bots import services as bots
from league.bots.views import rating_chart
from league.bots.views.head_to_head import histogram
from league.bots.views.playing_style import playing_style
from league.ladder.models import RatingChange
from league.matches.models import Match, Meeting
from league.matches.statistics.meetings import HeadToHead
from runners.match import Fault
from tests.league.factories import (
    make_bot,
    make_match,
    make_player,
    make_user,
    make_version,
    rate_all,
)
from tests.league.reading import markup_of

pytestmark = pytest.mark.django_db

TIMEOUT = Fault(seat=0, step=3, code="E302", detail="It took too long.", traceback="line 7")


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


@pytest.fixture
def mira():
    return make_user("mira")


@pytest.fixture
def shark(mira):
    return make_player(mira, "Sapphire Shark")


@pytest.fixture
def others():
    return [make_player(name=name) for name in ("Greedy", "Random", "Anton")]


@pytest.fixture
def league(shark, others):
    """Some matches of everybody, rated."""
    for _ in range(2):
        make_match([shark, *others])
    rate_all()
    return [shark, *others]


# Overview


def test_a_bot_page_tells_strength_style_opponents_and_matches(client, league):
    page = client.get("/bots/sapphire-shark/")
    said = text_of(page)
    assert "2 of 30 placement matches" in said
    assert "How it plays (v1, 2 matches)" in said
    assert re.search(r"alone \d+ %", said)
    assert "Median thinking time" in said
    assert "0 in the last 2 matches" in said
    assert "Bench rule: 3 faults in 10 matches." in said
    html = page.content.decode()
    assert "<title>Sapphire Shark – bot – Karat</title>" in html
    assert html.count("<h1>") == 1
    assert markup_of(page).count('<td class="number faint">n=2</td>') == 3
    assert {f"/matches/{match.pk}/" for match in Match.objects.all()} <= set(
        re.findall(r'href="(/matches/\d+/)\?result=1"', html)
    )


def test_a_ranked_bot_shows_its_rank_and_a_provisional_one_a_question_mark(client, league):
    assert "?" in text_of(client.get("/bots/sapphire-shark/")).split("Basari")[1][:30]
    league[0].entries.filter(ladder="basari").update(matches=30)
    said = text_of(client.get("/bots/sapphire-shark/"))
    assert "rank 1 · 30 matches" in said


def test_a_new_bot_has_kind_words_everywhere(client, mira):
    make_bot(mira, "Tin Cup")
    client.force_login(mira)
    overview = text_of(client.get("/bots/tin-cup/"))
    assert "It plays as soon as a version passes its checks." in overview
    assert "No match yet." in text_of(client.get("/bots/tin-cup/matches/"))
    assert "Needs 10 common matches per pair." in text_of(client.get("/bots/tin-cup/opponents/"))
    assert "No faults, and no rated match yet." in text_of(client.get("/bots/tin-cup/faults/"))
    make_player(name="Greedy")
    assert "They have never met." in text_of(client.get("/bots/tin-cup/vs/greedy/"))


@pytest.mark.parametrize(
    "path",
    ["", "matches/", "opponents/", "faults/", "vs/greedy/", "vs/nobody/", "vs/sapphire-shark/"],
)
def test_bots_that_are_not_there_are_not_found(client, shark, path):
    assert client.get(f"/bots/nobody/{path}").status_code == 404
    if path in ("vs/nobody/", "vs/sapphire-shark/"):
        assert client.get(f"/bots/sapphire-shark/{path}").status_code == 404


def test_a_benched_version_is_announced_and_its_owner_can_act(client, mira, shark):
    old = shark.active
    make_version(shark)
    shark.refresh_from_db()
    bots.bench(shark.active, "3 faults in its last 10 matches (E302 twice, E303 once)")
    said = text_of(client.get("/bots/sapphire-shark/"))
    assert "Sapphire Shark v2 is benched: 3 faults in its last 10 matches" in said
    assert f"v{old.number} plays on." in said
    assert "Unbench" not in said
    client.force_login(mira)
    said = text_of(client.get("/bots/sapphire-shark/"))
    assert "Unbench" in said
    assert "Upload a fixed version" in said
    make_version(shark)
    assert "is benched" not in text_of(client.get("/bots/sapphire-shark/"))


# The chart


def test_the_chart_has_a_point_for_ten_matches_and_its_table_the_same_numbers(
    client, shark, others, monkeypatch
):
    monkeypatch.setattr(rating_chart, "EVERY", 2)
    for _ in range(5):
        make_match([shark, *others[:2]])
    rate_all()
    lines = list(RatingChange.objects.filter(bot=shark).order_by("ledger_position"))
    every, points = rating_chart.points(shark, "basari", "30")
    assert every == 2
    assert [one.strength.mu for one in points] == [lines[i].mu for i in (1, 3, 4)]
    html = markup_of(client.get("/bots/sapphire-shark/?table=yes"))
    cells = re.findall(r'<td class="number">(\d+)</td><td class="number">±(\d+)</td>', html)
    assert cells == [(f"{one.strength.shown:.0f}", f"{one.strength.margin:.0f}") for one in points]
    drawn = client.get("/bots/sapphire-shark/").content.decode()
    assert 'class="band"' in drawn
    assert "style=" not in drawn
    RatingChange.objects.update(created_at=timezone.now() - timedelta(days=60))
    assert "No rated matches in this period." in text_of(client.get("/bots/sapphire-shark/"))
    assert 'class="band"' in client.get("/bots/sapphire-shark/?period=90").content.decode()


def test_versions_are_marked_where_they_became_active(shark, others, monkeypatch):
    monkeypatch.setattr(rating_chart, "EVERY", 1)
    now = timezone.now()
    make_match([shark, *others[:2]])
    make_version(shark)
    make_match([shark, *others[:2]])
    rate_all()
    first, second = RatingChange.objects.filter(bot=shark).order_by("ledger_position")
    for hours, row in ((10, first), (0, second)):
        row.created_at = now - timedelta(hours=hours)
        row.save()
    for hours, number in ((12, 1), (5, 2)):
        shark.versions.filter(number=number).update(activated_at=now - timedelta(hours=hours))
    drawn = rating_chart.chart(shark, "basari", "30")
    assert [(mark.x, mark.label) for mark in drawn.versions] == [("50.00%", "v2")]


# How it plays


def test_a_playing_style_is_shares_and_means_of_what_was_counted():
    counts = {
        "chosen money": 3,
        "chosen gems": 1,
        "fate alone": 1,
        "fate sold": 3,
        "bought": 2,
        "paid": 5,
        "ms 0": 98,
        "ms 20": 2,
    }
    style = playing_style(GAMES["edel-stein-reich"], 1, counts)
    chosen, fates = style.shares
    assert chosen.parts == [("money", 0.75), ("gems", 0.25)]
    assert fates.parts == [("alone", 0.25), ("sold", 0.75)]
    assert dict(style.facts) == {
        "Average price paid": "2.5 gems",
        "Median thinking time": "0.1 ms",
        "99 of 100 decisions within": "8.7 ms",
    }
    suche = {"turns": 20, "draws": 20, "draws known": 15, "shown": 4, "unique": 1, "unique turn": 9}
    assert dict(playing_style(GAMES["edelsteinsuche"], 2, suche).facts) == {
        "Turns in a match": "10",
        "Draws a card it knows": "75\N{NARROW NO-BREAK SPACE}%",
        "Shows the card it drew": "20\N{NARROW NO-BREAK SPACE}%",
        "Unique move": "in 50\N{NARROW NO-BREAK SPACE}% of matches, in turn 9 on average",
    }
    assert playing_style(GAMES["edelsteinsuche"], 0, {}).facts == []


# Opponents and pairs


def test_a_share_of_finishing_ahead_has_an_interval_that_narrows():
    few, many = HeadToHead(10, 6, 2), HeadToHead(1000, 600, 200)
    assert few.share == many.share == 0.7
    assert few.tied == 2
    low, high = few.interval
    assert (round(low, 3), round(high, 3)) == (0.397, 0.892)
    assert many.margin < few.margin / 5
    assert HeadToHead(1, 1, 0).interval[1] == 1.0
    assert not HeadToHead(9, 0, 9).enough


def test_the_matrix_names_shares_from_ten_meetings_on(client, league):
    shark, greedy = league[0], league[1]
    html = client.get("/bots/sapphire-shark/opponents/?game=basari").content.decode()
    assert "closest:" in html
    Meeting.objects.filter(one=shark, other=greedy).update(met=10, one_ahead=7, other_ahead=3)
    page = client.get("/bots/sapphire-shark/opponents/?game=basari&sort=met")
    said = text_of(page)
    assert "closest:" not in said
    assert "70 % ±25 %" in said
    assert '"/bots/sapphire-shark/vs/greedy/#basari"' in page.content.decode()
    back = text_of(client.get("/bots/greedy/opponents/?game=basari"))
    assert "30 % ±25 %" in back


def test_a_pair_is_seen_from_either_side(client, league):
    ahead = sum(
        match.seats.get(bot=league[0]).place < match.seats.get(bot=league[1]).place
        for match in Match.objects.all()
    )
    said = text_of(client.get("/bots/sapphire-shark/vs/greedy/"))
    assert f"Sapphire Shark finished ahead in {ahead} of 2 matches" in said
    tied = 2 - ahead - Meeting.objects.get(one=league[0], other=league[1]).other_ahead
    back = text_of(client.get("/bots/greedy/vs/sapphire-shark/"))
    assert f"Greedy finished ahead in {2 - ahead - tied} of 2 matches" in back
    assert "Sign in to queue 10 matches." in said


def test_a_histogram_is_symmetric_around_zero_and_counts_everything():
    drawn = histogram([-20, -1, 0, 1, 45])
    assert sum(bar.count for bar in drawn.bars) == drawn.of == 5
    assert [bar.label for bar in drawn.bars][4] == "0"
    assert drawn.bars[4].count == 3
    assert drawn.bars[-1].label == "+44"
    assert histogram([]) is None


def test_matches_of_a_pair_are_queued_within_the_quota(client, mira, shark, others, settings):
    settings.CHALLENGES_PER_DAY = 13
    path = "/bots/sapphire-shark/vs/greedy/queue/"
    assert client.post(path, {"game": "basari"}).url.startswith("/accounts/login/")
    client.force_login(mira)
    assert client.get(path).status_code == 405
    client.post(path, {"game": "basari"})
    assert Match.objects.filter(kind=Match.Kind.CHALLENGE, rated=False).count() == 10
    tables = [[seat.bot.slug for seat in match.seats.all()] for match in Match.objects.all()]
    assert all({"sapphire-shark", "greedy"} < set(table) and len(table) == 3 for table in tables)
    assert {table.index("sapphire-shark") for table in tables} == {0, 1, 2}
    assert "Queue 3 matches" in text_of(client.get("/bots/sapphire-shark/vs/greedy/"))
    client.post(path, {"game": "edelsteinsuche"})
    assert Match.objects.count() == 13
    said = text_of(client.get("/bots/sapphire-shark/vs/greedy/"))
    assert "You have used all your challenges for today. The next one is possible tomorrow" in said
    assert client.post(path, {"game": "basari"}).status_code == 429
    assert client.post(path, {"game": "chess"}).status_code == 422
    assert Match.objects.count() == 13


def test_a_challenge_is_queued_or_refused_with_a_reason(client, mira, shark, others):
    path = "/bots/sapphire-shark/challenge/"
    form = {"game": "basari", "opponent": ["greedy", " Random ", "", ""]}
    assert client.post(path, form).url.startswith("/accounts/login/")
    client.force_login(mira)
    assert 'value="greedy"' in client.get("/bots/sapphire-shark/").content.decode()
    made = client.post(path, form)
    match = Match.objects.get()
    assert made.url == f"/matches/{match.pk}/"
    assert [seat.bot.slug for seat in match.seats.all()] == ["sapphire-shark", "greedy", "random"]
    for opponents in (["nobody", "greedy"], ["greedy"]):
        answer = client.post(path, {"game": "basari", "opponent": opponents})
        assert answer.status_code == 422
        assert f'value="{opponents[0]}"' in answer.content.decode()
        assert "L004" in text_of(answer)
    assert Match.objects.count() == 1


# Matches and faults


def shown(client, query=""):
    html = markup_of(client.get(f"/bots/sapphire-shark/matches/{query}"))
    return sorted({int(pk) for pk in re.findall(r'class="target" href="/matches/(\d+)/', html)})


def test_matches_of_a_bot_can_be_filtered(client, shark, others):
    first = make_match([shark, *others[:2]], faults=[TIMEOUT]).pk
    make_version(shark)
    shark.refresh_from_db()
    second = make_match([shark, others[2]], "edelsteinsuche").pk
    third = make_match([others[0], *others[1:]]).pk
    assert shown(client) == [first, second]
    assert shown(client, "?game=basari") == [first]
    assert shown(client, "?seats=2") == [second]
    assert shown(client, "?version=2") == [second]
    assert shown(client, "?opponent=anton") == [second]
    assert shown(client, "?fault=any") == shown(client, "?fault=E302") == [first]
    assert shown(client, "?fault=E303") == shown(client, "?kind=challenge") == []
    assert "at step 3" in text_of(client.get("/bots/sapphire-shark/matches/"))
    Match.objects.filter(pk=second).update(hidden=True)
    assert shown(client) == [first]
    assert third not in shown(client)


def test_everybody_counts_faults_and_only_the_owner_reads_them(client, mira, shark, others):
    match = make_match([shark, *others[:2]], faults=[TIMEOUT])
    html = markup_of(client.get("/bots/sapphire-shark/faults/"))
    assert '<td>Too slow</td><td>v1</td><td class="number">1</td>' in html
    assert "line 7" not in html
    client.force_login(make_user("otto"))
    assert "line 7" not in text_of(client.get("/bots/sapphire-shark/faults/"))
    client.force_login(mira)
    page = client.get("/bots/sapphire-shark/faults/")
    assert "line 7" in text_of(page)
    assert f'href="/matches/{match.pk}/?step=3"' in page.content.decode()
    rate_all()
    assert "No faults in 1 match." in text_of(client.get("/bots/greedy/faults/"))


def test_pages_cost_the_same_however_many_matches_and_bots_there_are(client, mira, league):
    client.force_login(mira)
    paths = ["", "matches/", "opponents/", "faults/", "vs/greedy/"]

    def cost(path):
        # What is remembered for some seconds would be asked for once on a quick machine.
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/bots/sapphire-shark/{path}").status_code == 200
        return len(queries)

    make_match(league, faults=[TIMEOUT])
    rate_all()
    client.get("/bots/sapphire-shark/")
    few = [cost(path) for path in paths]
    more = [make_player() for _ in range(2)]
    for _ in range(4):
        make_match([league[0], league[1], *more])
    make_match([league[0], league[1], *more, league[2]])
    rate_all()
    assert [cost(path) for path in paths] == few
    assert max(few) <= 30
