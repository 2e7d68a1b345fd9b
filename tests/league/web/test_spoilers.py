"""Who comes to watch does not learn the end before: what pages say while nothing is opened.

Each page is read twice: with the results as they are, and with first and last exchanged. What a
visitor reads without asking must be the same.
"""

import re
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone

from engine.narration import joined
from league.ladder.models import RatingChange
from league.matches.models import Match, Record
from league.pages.templatetags.karat import score
from league.tournaments.models import Entry, Round, Tournament
from league.tournaments.planning import plan
from league.tournaments.services import entries, lifecycle, recurring
from runners.match import Fault
from tests.league.factories import (
    GAME,
    finish_match,
    make_match,
    make_player,
    make_tournament,
    make_user,
    pretend_chances,
    rate_all,
)
from tests.league.reading import text_of, unopened_text_of

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "seats": 3, "rounds": 2}
KNOCKOUT = {"format": "knockout", "seats": 3, "advance": 1}
TIMEOUT = Fault(seat=0, step=3, code="E302", detail="It took too long.", traceback="line 7")
PLACE = re.compile(r"\b\d+(?:st|nd|rd|th)\b")

WATCHED = [
    "/",
    "/matches/",
    "/matches/?fault=any",
    "/matches/{match}/",
    "/matches/{match}/?step=5",
    "/matches/{match}/?view=A",
    "/matches/{match}/embed/",
    f"/g/{GAME}/",
    "/search/?q={match}",
    f"/g/{GAME}/feed.atom",
    "/bots/sapphire-shark/feed.atom",
    "/sitemap.xml",
    "/tournaments/",
    "/tournaments/feed.atom",
    "/tournaments/recurring/weekly/",
    "/tournaments/done/",
    "/tournaments/done/standings/",
    "/tournaments/done/rounds/1/",
    "/tournaments/done/rounds/2/",
    "/tournaments/ladder-to-the-top/",
    "/tournaments/ladder-to-the-top/bracket/",
    "/tournaments/ladder-to-the-top/standings/",
    "/tournaments/running/",
    "/tournaments/running/standings/",
    "/tournaments/running/rounds/1/",
]
TELLING = [
    *("/matches/{match}/", "/tournaments/done/", "/tournaments/done/standings/"),
    *("/tournaments/done/rounds/1/", "/tournaments/ladder-to-the-top/bracket/"),
    *("/tournaments/running/", "/tournaments/running/standings/", "/tournaments/running/rounds/1/"),
]
"""Pages that tell the result at once to those whose it is, and to those who ask by the address."""


@pytest.fixture
def players():
    mira = make_user("mira")
    return [make_player(mira, "Sapphire Shark"), *(make_player(None, f"Bot {n}") for n in "abcde")]


@pytest.fixture
def match(players):
    """A rated match with a fault whose order of places is not that of the seats."""
    while True:
        made = make_match(players[:3], faults=[TIMEOUT])
        if [seat.number for seat in made.seats_by_place()] != [0, 1, 2] and len(
            scores_of(made)
        ) == 3:
            rate_all()
            return made


@pytest.fixture
def cups(players):
    weekly = recurring.create_recurring(None, "Weekly", GAME, SWISS, cron="30 18 * * FRI")
    done, knockout = begun("Done", players, SWISS), begun("Ladder to the top", players, KNOCKOUT)
    Tournament.objects.filter(pk=done.pk).update(recurring=weekly, planned_at=timezone.now())
    while Match.objects.queued().exists():
        for waiting in Match.objects.queued():
            finish_match(waiting)
        for cup in (done, knockout):
            lifecycle.move_on(cup, timezone.now())
            cup.refresh_from_db()
    running = begun("Running", players, SWISS)
    # Another one only if exchanging its results would change nothing.
    for waiting in Match.objects.queued():
        places = [seat.place for seat in finish_match(waiting).seats.all()]
        if places[0] != places[-1]:
            break
    return [done, knockout, running]


def begun(name, players, config):
    cup = make_tournament(make_user(), name, config=config)
    lifecycle.publish(cup, cup.organiser)
    for bot in players:
        entries.enter(cup, bot, None)
    lifecycle.lock(cup)
    lifecycle.start(cup)
    cup.refresh_from_db()
    return cup


def scores_of(match):
    return {seat.score for seat in match.seats.all()}


def exchange_results():
    """Let the last be first everywhere, and the first last."""
    for one in Match.objects.finished():
        seats = list(one.seats.all())
        results = [(seat.place, seat.score) for seat in seats]
        for seat, (place, points) in zip(seats, results[::-1], strict=True):
            one.seats.filter(pk=seat.pk).update(place=place, score=points)
    RatingChange.objects.filter(seat=0).update(mu=F("mu") + 1)
    for row in Round.objects.exclude(finished_at=None):
        row.plan = exchanged(plan.Round.from_json(row.plan)).to_json()
        row.save()
    for cup in Tournament.objects.all():
        last = cup.entries.count() + 1
        Entry.objects.filter(tournament=cup).update(place=last - F("place"))
    cache.clear()


def exchanged(played):
    def backwards(result):
        return replace(result, placements=result.placements[::-1], scores=result.scores[::-1])

    tables = [
        replace(table, results=tuple(map(backwards, table.results))) for table in played.tables
    ]
    return replace(played, tables=tuple(tables))


def read(client, paths, match, query=""):
    """What each page says at once, without how long ago things happened."""
    texts = {}
    for path in paths:
        answer = client.get(path.format(match=match.pk) + query)
        assert answer.status_code == 200, path
        texts[path] = re.sub(r"\d+\s(s|min) ago|\d+:\d+", "", unopened_text_of(answer))
    return texts


def test_what_watchers_read_does_not_depend_on_who_won(client, match, cups):
    before = read(client, WATCHED, match)
    opened = {path: client.get(path.format(match=match.pk)).content for path in TELLING}
    exchange_results()
    after = read(client, WATCHED, match)
    assert [path for path in WATCHED if before[path] != after[path]] == []
    # The results are there, and they have changed.
    assert all(client.get(p.format(match=match.pk)).content != opened[p] for p in TELLING)


def test_pairings_of_a_later_knock_out_round_are_for_those_who_ask(client, players):
    cup = begun("Window Cup", players, KNOCKOUT)
    for waiting in Match.objects.queued():
        finish_match(waiting)
    lifecycle.move_on(cup, timezone.now())
    named = {}
    for page in ("", "rounds/1/", "rounds/2/"):
        for query in ("", "?result=1"):
            text = unopened_text_of(client.get(f"/tournaments/window-cup/{page}{query}"))
            named[page + query] = sum(bot.name in text for bot in players)
    assert (named["rounds/1/"], named["rounds/2/"], named[""]) == (6, 0, 0)
    assert named["rounds/2/?result=1"] == 3
    assert named["?result=1"] == 6, "those who are out stand in the standings"


@pytest.mark.parametrize("audience", ["owner", "organiser", "?result=1"])
def test_owners_and_those_who_ask_see_results_at_once(client, match, cups, audience):
    query = audience if audience.startswith("?") else ""
    paths = [path for path in TELLING if audience != "organiser" or "running" in path]
    if not query:
        user = match.seats.get(number=0).bot.owner if audience == "owner" else cups[-1].organiser
        client.force_login(user)
    before = read(client, paths, match, query)
    exchange_results()
    after = read(client, paths, match, query)
    assert [path for path in paths if before[path] == after[path]] == []


def test_no_page_for_watchers_says_a_place_or_a_score_and_players_are_in_seat_order(
    client, players, match
):
    names = [bot.name for bot in players[:3]]
    letters = " ".join(f"{letter} {name}" for letter, name in zip("ABC", names, strict=True))
    lines = {
        "/": f"between {names[0]} , {names[1]} and {names[2]}",
        "/matches/": letters,
        "/matches/{match}/": letters,
        "/matches/{match}/embed/": joined(names),
        f"/g/{GAME}/": letters,
        f"/g/{GAME}/feed.atom": f"Match {match.pk}: {joined(names)}",
        "/bots/sapphire-shark/feed.atom": f"Match {match.pk}: {joined(names)}",
    }
    for path, text in read(client, lines, match).items():
        assert lines[path] in text, path
        assert not PLACE.search(text), path
        told = [score(points, GAME) for points in scores_of(match)]
        assert not [one for one in told if re.search(rf"\b{one}\b", text)], path
        assert "forfeited" not in text
        assert "receipt" not in text


@pytest.mark.parametrize("page", ["", "?view=text"])
def test_a_link_to_a_match_names_the_players_and_the_result_only_if_it_asks(
    client, players, match, page
):
    names = joined(bot.name for bot in players[:3])
    first = f"1st {match.seats_by_place()[0].bot.name}"
    plain = metadata(client, f"/matches/{match.pk}/{page}")
    asked = metadata(client, f"/matches/{match.pk}/{page}{'&' if page else '?'}result=1")
    assert names in plain["description"]
    assert not PLACE.search(" ".join(plain.values()))
    assert asked["og:description"].startswith(first)
    assert plain["og:url"] == asked["og:url"], "the address of a match is that without its result"


def metadata(client, path):
    html = client.get(path).content.decode()
    (title,) = re.findall(r"<title>([^<]*)", html)
    return {
        **dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)"', html)),
        "title": title,
    }


def test_all_guests_get_the_same_bytes_whatever_their_browser_remembers(client, match, cups):
    other = Client(headers={"Cookie": "karat-results=shown"})
    for path in WATCHED:
        address = path.format(match=match.pk)
        pages = [one.get(address).content.decode() for one in (client, other)]
        first, second = (re.sub(r"\d+\s(s|min) ago", "", page) for page in pages)
        assert first == second, path


def test_the_embed_tells_the_result_above_the_table_only_if_asked(client, match):
    address = f"/matches/{match.pk}/embed/"
    assert not PLACE.search(unopened_text_of(client.get(address)))
    assert PLACE.search(unopened_text_of(client.get(f"{address}?result=1")))
    # Another view is fetched from the same page, and links to steps stay there.
    assert (
        f'data-page-url="{address}?result=1"' in client.get(f"{address}?result=1").content.decode()
    )


def test_the_text_replay_and_a_match_without_a_replay_tell_the_result(client, match):
    assert PLACE.search(unopened_text_of(client.get(f"/matches/{match.pk}/?view=text")))
    Record.objects.all().delete()
    assert PLACE.search(unopened_text_of(client.get(f"/matches/{match.pk}/")))


def test_only_those_who_see_everything_read_the_story(client, match):
    pretend_chances(match)
    heard = {
        view: "The story" in text_of(client.get(f"/matches/{match.pk}/", {"view": view}))
        for view in ("everything", "public", "A", "B", "C")
    }
    assert heard == {"everything": True} | dict.fromkeys(["public", "A", "B", "C"], False)


def test_lists_that_tell_the_result_lead_to_matches_that_do(client, match):
    for path in ("", "matches/", "vs/bot-a/"):
        html = client.get(f"/bots/sapphire-shark/{path}").content.decode()
        assert f'"/matches/{match.pk}/?result=1&amp;step=3"' in html, path
    assert f"/matches/{match.pk}/?result=1" not in client.get("/matches/").content.decode()


def test_the_home_page_tells_the_result_at_once_to_those_who_played(client, match):
    assert not PLACE.search(unopened_text_of(client.get("/")))
    for user, told in ((make_user("otto"), False), (match.seats.get(number=0).bot.owner, True)):
        client.force_login(user)
        assert bool(PLACE.search(unopened_text_of(client.get("/")))) is told


def test_the_setting_is_offered_in_the_settings_too(client):
    client.force_login(make_user("tom"))
    assert "Always show results" in text_of(client.get("/me/settings/"))
