"""The pages of tournaments: what they say, who may see and do what."""

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from league.matches.models import Match
from league.tournaments.models import Game, Tournament
from league.tournaments.queries import lists
from league.tournaments.queries.calibration import pace
from league.tournaments.services import entries, lifecycle, recurring, refereeing, terms
from league.workers.models import Worker
from tests.league.asking import ask
from tests.league.factories import (
    finish_match,
    make_key,
    make_player,
    make_tournament,
    make_user,
)
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

PAGES = ["", "standings/", "rounds/1/", "bracket/", "schedule/", "entries/", "rules/"]


def open_cup(organiser=None, bots=4, **facts):
    tournament = make_tournament(organiser or make_user(), **facts)
    lifecycle.publish(tournament, tournament.organiser)
    for _ in range(bots):
        entries.enter(tournament, make_player(make_user()), None, tournament.invite_code)
    tournament.refresh_from_db()
    return tournament


def begin(tournament):
    lifecycle.lock(tournament)
    lifecycle.start(tournament)
    tournament.refresh_from_db()
    return tournament


def play_round(tournament):
    for match in Match.objects.queued():
        finish_match(match)
    lifecycle.move_on(tournament, timezone.now())
    tournament.refresh_from_db()


def play_out(tournament):
    while not tournament.over:
        play_round(tournament)
    return tournament


def test_an_empty_league_says_so_and_shows_a_way_on(client):
    page = client.get("/tournaments/")
    assert "No tournament planned." in text_of(page)
    assert 'href="/tournaments/new/"' in page.content.decode()
    client.force_login(make_user())
    assert "You have not run a tournament yet. Start from Friday Swiss." in text_of(
        client.get("/organise/")
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_page_makes_sense_in_every_state(client, page):
    tournament = open_cup()
    for step in (lambda _: None, lifecycle.lock, lifecycle.start, play_out):
        step(tournament)
        tournament.refresh_from_db()
        answer = client.get(f"/tournaments/{tournament.slug}/{page}")
        assert answer.status_code == 200
        text = answer.content.decode()
        assert text.count("<h1") == 1
        assert "None" not in text_of(answer)
        live = "data-live" in text and not tournament.over
        assert live or "karat:tick" not in text


def test_drafts_are_seen_by_those_who_run_them_only(client):
    draft = make_tournament(make_user("tom"))
    for who, status in [(None, 404), (make_user("mira"), 404), (draft.organiser, 200)]:
        if who:
            client.force_login(who)
        assert client.get(draft.get_absolute_url()).status_code == status
    assert draft.name not in client.get("/tournaments/").content.decode()


@pytest.mark.parametrize(
    "config",
    [
        {"format": "swiss", "seats": 3, "rounds": 2, "deals": 2},
        {"format": "round-robin", "seats": 3, "mirrored": True},
        {"format": "knockout", "seats": 3},
        {"format": "series", "seats": 3, "rounds": 2},
    ],
    ids=lambda config: config["format"],
)
def test_the_cost_line_is_the_number_of_games_that_are_played(client, config):
    tournament = open_cup(bots=7)
    Tournament.objects.filter(pk=tournament.pk).update(
        config=terms.complete_config(tournament.game, config)
    )
    tournament.refresh_from_db()
    client.force_login(tournament.organiser)
    said = text_of(client.get(f"/tournaments/{tournament.slug}/manage/"))
    play_out(begin(tournament))
    made = Game.objects.filter(round__tournament=tournament).count()
    assert f"= {made} games" in said


def test_owners_enter_and_withdraw_their_own_bots(client):
    mira = make_user("mira")
    bot, other = make_player(mira, "Sapphire Shark"), make_player(make_user())
    tournament = open_cup(invite_code="sesame")
    page = tournament.get_absolute_url()
    client.force_login(mira)
    assert "Sapphire Shark" in text_of(client.get(page))
    client.post(f"{page}enter/", {"bot": bot.slug, "invite_code": "wrong"})
    assert "by invitation" in text_of(client.get(page))
    client.post(f"{page}enter/", {"bot": bot.slug, "invite_code": "sesame"})
    assert tournament.entries.filter(bot=bot, status="playing").exists()
    assert client.post(f"{page}enter/", {"bot": other.slug}).status_code == 404
    assert client.post(f"{page}withdraw/", {"bot": other.slug}).status_code == 404
    client.post(f"{page}withdraw/", {"bot": bot.slug})
    assert tournament.entries.get(bot=bot).status == "withdrawn"


def test_who_cannot_enter_a_bot_is_told_why_instead_of_a_form(client):
    mira = make_user("mira")
    tournament = open_cup(per_user=2, max_entries=6)
    page = tournament.get_absolute_url()
    client.force_login(mira)
    assert "You have no bot yet." in text_of(client.get(page))
    for number in range(2):
        entries.enter(tournament, make_player(mira, f"Own {number}"), mira)
    full = text_of(client.get(page))
    assert f"{tournament} is full: 6 bots have entered." in full
    Tournament.objects.update(max_entries=64)
    assert "Everybody may enter 2 bots, and you have." in text_of(client.get(page))
    Tournament.objects.update(per_user=3)
    assert "All your bots have entered." in text_of(client.get(page))
    make_player(mira, "Own 3")
    assert "Own 3" in text_of(client.get(page))


def test_who_helps_with_a_tournament_finds_it_with_all_its_bots(client):
    tournament = open_cup(bots=4)
    helpers = [make_user() for _ in range(3)]
    for helper in helpers:
        refereeing.appoint(tournament, tournament.organiser, helper, "referee")
    for user in (tournament.organiser, helpers[0]):
        client.force_login(user)
        [found] = client.get("/organise/").context["tournaments"]
        assert (found, found.size) == (tournament, 4)


def test_a_worker_that_is_drained_does_not_count_for_the_time_it_takes():
    for name, draining in (("one", False), ("other", True)):
        Worker.objects.create(
            name=name, capacity=2, sandbox_ok=True, draining=draining, seen_at=timezone.now()
        )
    assert pace("basari", 3).workers == 2


def test_what_is_closed_and_started_by_hand_says_when_it_really_was():
    tournament = begin(open_cup())
    assert tournament.locks_at <= tournament.started_at <= timezone.now() < tournament.starts_at


MANAGED = [
    # what, guest, another user, referee, organiser
    ("GET", "manage/", (302, 403, 200, 200)),
    ("POST", "manage/publish/", (302, 403, 403, 302)),
    ("POST", "manage/pause/", (302, 403, 302, 302)),
    ("POST", "manage/appoint/", (302, 403, 403, 302)),
    ("GET", "manage/cancel/confirm/", (302, 403, 403, 200)),
    ("GET", "manage/rerun/confirm/?round=1&table=1", (302, 403, 200, 200)),
    ("POST", "manage/nonsense/", (302, 404, 404, 404)),
    ("GET", "log/", (404, 404, 200, 200)),
]


@pytest.mark.parametrize(("method", "page", "expected"), MANAGED, ids=[row[1] for row in MANAGED])
def test_everybody_may_do_what_the_table_says(client, method, page, expected):
    tournament = begin(open_cup())
    referee = make_user()
    refereeing.appoint(tournament, tournament.organiser, referee, "referee")
    for who, status in zip(
        (None, make_user(), referee, tournament.organiser), expected, strict=True
    ):
        if who:
            client.force_login(who)
        answer = client.generic(method, f"{tournament.get_absolute_url()}{page}")
        assert answer.status_code == status, who


def test_what_cannot_be_undone_names_its_consequence_and_asks_for_the_name(client):
    tournament = begin(open_cup(bots=6))
    client.force_login(tournament.organiser)
    page = f"{tournament.get_absolute_url()}manage/cancel/confirm/"
    assert "2 waiting games will not be played" in text_of(client.get(page))
    client.post(page, {"because": "rain", "typed": "Another Cup"})
    tournament.refresh_from_db()
    assert tournament.state == "running"
    client.post(page, {"because": "rain", "typed": "friday cup"})
    tournament.refresh_from_db()
    assert (tournament.state, tournament.cancelled_because) == ("cancelled", "rain")
    assert not Match.objects.queued().exists()
    assert "Cancelled: rain" in text_of(client.get(tournament.get_absolute_url()))


def test_a_table_is_voided_by_the_console_and_counts_as_average_games(client):
    tournament = begin(open_cup(bots=6))
    client.force_login(tournament.organiser)
    page = f"{tournament.get_absolute_url()}manage/void/confirm/?round=1&table=2"
    assert "Voids 1 game of 3 bots" in text_of(client.get(page))
    asked = client.post(page, {"typed": tournament.name})
    assert "This field is required" in text_of(asked)
    assert not Match.objects.filter(status="void").exists()
    client.post(page, {"typed": tournament.name, "because": "a bot saw the cards"})
    voided = Match.objects.get(status="void")
    assert voided.tournament_game.table == 2
    log = text_of(client.get(f"{tournament.get_absolute_url()}log/"))
    assert "voided pod B of round 1, 1 game: a bot saw the cards" in log
    assert play_out(tournament).state == "final"


def test_the_log_of_a_rated_tournament_is_public(client):
    organiser = make_user(is_organiser=True)
    tournament = open_cup(organiser, rated=True)
    assert "published it" in text_of(client.get(f"{tournament.get_absolute_url()}log/"))


def test_the_seed_is_secret_until_the_end_and_proves_every_deal(client):
    tournament = begin(open_cup())
    page = f"{tournament.get_absolute_url()}rules/"
    assert tournament.master_seed not in client.get(page).content.decode()
    assert ask(f"tournaments/{tournament.slug}").json()["master_seed"] is None
    play_out(tournament)
    assert tournament.master_seed in client.get(page).content.decode()
    assert ask(f"tournaments/{tournament.slug}").json()["master_seed"] == tournament.master_seed


def test_standings_are_the_same_on_the_page_in_csv_json_and_api(client):
    tournament = play_out(begin(open_cup()))
    base = f"/tournaments/{tournament.slug}/standings"
    rows = list(csv.DictReader(io.StringIO(client.get(f"{base}.csv").content.decode())))
    lines = client.get(f"{base}.json").json()["standings"]
    told = ask(f"tournaments/{tournament.slug}/standings").json()
    names = [line["name"] for line in lines]
    assert [row["name"] for row in rows] == names == [row["name"] for row in told]
    page = text_of(client.get(f"{base}/"))
    assert sorted(names, key=page.index) == names
    assert "Places are decided by: 1 points, 2 head-to-head" in page


def test_chances_are_hidden_until_half_is_played_and_add_up_to_one(client):
    tournament = begin(open_cup(bots=6))
    page = tournament.get_absolute_url()
    assert "Chance to win" not in text_of(client.get(page))
    play_round(tournament)
    shown = client.get(page)
    assert "Chance to win" in text_of(shown)
    chances = [line.chance for line in shown.context["lines"]]
    assert sum(chances) == pytest.approx(1)
    assert "Chance to win" not in text_of(client.get(f"{page}?predictions=hide"))


def test_a_bracket_reads_as_a_list_with_named_places(client):
    tournament = open_cup(bots=9)
    config = {"format": "knockout", "seats": 3, "advance": 1}
    Tournament.objects.update(config=terms.complete_config(tournament.game, config))
    tournament.refresh_from_db()
    begin(tournament)
    finish_match(Match.objects.queued().first())
    text = text_of(client.get(f"{tournament.get_absolute_url()}bracket/"))
    drawn, text = text.split("Show results")
    assert drawn.index("Final table") < drawn.index("Winner of pod A")
    winner = Match.objects.finished().get().seats.get(place=1).bot.name
    final = text[text.index("Final table") :]
    assert final.index(winner) < final.index("Winner of pod B") < final.index("Winner of pod C")


def test_trophies_and_the_next_tournaments_are_found():
    tournament = play_out(begin(open_cup()))
    first = tournament.entries.get(place=1).bot
    assert [(one.place, one.tournament) for one in lists.trophies(first)] == [(1, tournament)]
    assert [one.bot for one in lists.trophies(first.owner)] == [first]
    coming = open_cup()
    assert lists.upcoming() == [coming]


def test_feeds_and_calendars_tell_of_everything_that_is_public(client):
    tournament = open_cup()
    make_tournament(make_user(), "Secret Draft")
    feed = client.get("/tournaments/feed.atom").content.decode()
    assert "Friday Cup: open" in feed
    assert "Secret Draft" not in feed
    cup = recurring.create_recurring(
        None, "Weekly", tournament.game, tournament.config, cron="30 18 * * FRI"
    )
    Tournament.objects.filter(pk=tournament.pk).update(recurring=cup)
    calendar = client.get(f"/tournaments/{tournament.slug}.ics").content.decode()
    assert calendar.count("BEGIN:VEVENT") == 6
    assert tournament.starts_at.strftime("DTSTART:%Y%m%dT%H%M%SZ") in calendar
    assert all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))
    assert client.get("/tournaments.ics").content.decode().count("BEGIN:VEVENT") == 1


def test_an_unchanged_page_is_not_sent_again(client):
    tournament = begin(open_cup())
    page = tournament.get_absolute_url()
    first = client.get(page, headers={"HX-Request": "true"})
    again = client.get(page, headers={"HX-Request": "true", "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert "<html" not in first.content.decode()


def test_a_key_creates_enters_and_leaves():
    mira = make_user("mira")
    bot = make_player(mira)
    key = make_key(mira)
    starts_at = (timezone.now() + timedelta(hours=1)).isoformat()
    wanted = {
        "name": "Api Cup",
        "game": "basari",
        "config": {"format": "swiss", "seats": 3, "rounds": 2},
        "starts_at": starts_at,
    }
    made = ask("tournaments", method="POST", key=key, send=wanted)
    assert (made.status_code, made.json()["state"]) == (201, "open")
    path = f"tournaments/{made.json()['slug']}/entries"
    assert ask(path, method="POST", key=key, send={"bot": bot.slug}).status_code == 201
    again = ask(path, method="POST", key=key, send={"bot": bot.slug})
    assert (again.status_code, again.json()["code"]) == (409, "L011")
    assert ask(f"{path}/{bot.slug}", method="DELETE", key=key).status_code == 204
    bad = ask("tournaments", method="POST", key=key, send={**wanted, "config": {"format": "duel"}})
    assert (bad.status_code, bad.json()["code"]) == (422, "L011")
