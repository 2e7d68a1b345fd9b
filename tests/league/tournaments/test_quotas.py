"""Nobody books the whole league: quotas on tournaments, their games and how often they recur."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.errors import Refused
from league.tournaments import tasks
from league.tournaments.models import RecurringTournament, Tournament
from league.tournaments.services import lifecycle, quotas, recurring
from tests.league.factories import NEXT_YEAR, make_key, make_tournament, make_user
from tests.league.reading import text_of
from tests.league.tournaments.stored import entered
from tests.league.tournaments.test_making import FORM

pytestmark = pytest.mark.django_db

SMALL = {"format": "swiss", "seats": 3, "rounds": 1}
HUGE = {"format": "round-robin", "seats": 5, "deals": 90, "mirrored": True, "rounds": 20}


def make_recurring(organiser, cron, config=SMALL, **facts):
    facts = {"entry_minutes": 672 * 60, "max_entries": 6} | facts
    return recurring.create_recurring(organiser, "Endless", "basari", config, cron=cron, **facts)


def refusal(act, *args, **kwargs):
    with pytest.raises(Refused) as refused:
        act(*args, **kwargs)
    assert refused.value.message.code == "L012"
    return refused.value.message.explanation


def test_a_plain_account_cannot_book_360_000_games():
    user = make_user()
    assert quotas.max_games(HUGE, 200) == 360_000
    said = refusal(make_tournament, user, config=HUGE, max_entries=200)
    assert "360,000 games" in said
    assert "10,000 are left" in said
    assert "360,000" in refusal(make_recurring, user, "0 8 * * *", max_entries=200, config=HUGE)
    assert not Tournament.objects.exists()
    assert not RecurringTournament.objects.exists()


def test_so_many_tournaments_are_open_at_once_and_one_that_is_over_makes_room(settings):
    settings.TOURNAMENTS_OPEN = 2
    user = make_user()
    first, _ = [make_tournament(user, f"Cup {n}") for n in range(2)]
    assert "limit of 2 tournaments at a time" in refusal(make_tournament, user)
    make_tournament(make_user())
    lifecycle.cancel(first, user, "no time")
    make_tournament(user)


def test_cancelled_ones_count_for_the_day(settings):
    settings.TOURNAMENTS_PER_DAY = 2
    user = make_user()
    for n in range(2):
        lifecycle.cancel(make_tournament(user, f"Cup {n}"), user, "again")
    assert "2 tournaments today" in refusal(make_tournament, user)
    Tournament.objects.update(created_at=timezone.now() - timedelta(days=1))
    make_tournament(user)


def test_games_count_as_if_all_places_were_taken_until_the_size_is_known(settings):
    settings.TOURNAMENT_GAMES_OPEN = 50
    user = make_user()
    made = make_tournament(user, config={**SMALL, "deals": 3}, max_entries=48)
    assert made.max_games == 48
    assert quotas.left(user).games == 2
    assert "of the 50 that you may book 2 are left" in refusal(make_tournament, user, "Other")
    begun = entered(4, SMALL, "Begun")
    assert begun.max_games == 21
    lifecycle.lock(begun)
    lifecycle.start(begun)
    begun.refresh_from_db()
    assert begun.max_games == 1


def test_a_draft_is_booked_anew_when_it_is_changed(settings):
    settings.TOURNAMENT_GAMES_OPEN = 50
    user = make_user()
    draft = make_tournament(user, config=SMALL, max_entries=48)
    times = {"starts_at": draft.starts_at, "locks_at": draft.locks_at}
    bigger = {**SMALL, "deals": 3}
    lifecycle.change(draft, user, "Draft", "basari", bigger, **times)
    bigger["deals"] = 4
    assert "64 games" in refusal(lifecycle.change, draft, user, "D", "basari", bigger, **times)
    draft.refresh_from_db()
    assert (draft.config["deals"], draft.max_games) == (3, 48)


@pytest.mark.parametrize("role", ["is_organiser", "is_staff"])
def test_organisers_and_staff_may_book_more(role):
    user = make_user()
    setattr(user, role, True)
    user.save()
    assert quotas.allowed(user).games == 20 * quotas.allowed(make_user()).games
    for n in range(7):
        make_tournament(user, f"Cup {n}")


def test_a_plain_account_leaves_an_hour_between_the_dates_of_a_recurring_tournament():
    user = make_user()
    assert "at least 60 minutes" in refusal(make_recurring, user, "*/5 * * * *")
    assert "at least 60 minutes" in refusal(make_recurring, user, "0,30 8 * * *")
    make_recurring(user, "0 */2 * * *")
    user.is_organiser = True
    user.save()
    make_recurring(user, "*/5 * * * *")


def test_few_tournaments_of_a_recurring_tournament_are_open_ahead_and_the_next_follows_the_first():
    organiser = make_user()
    organiser.is_organiser = True
    organiser.save()
    endless = make_recurring(organiser, "*/5 * * * *")
    for _ in range(5):
        tasks.tick()
    assert endless.occurrences.count() == recurring.MAX_AHEAD
    first = endless.occurrences.order_by("planned_at").first()
    lifecycle.cancel(first, None, "it has begun")
    tasks.tick()
    assert endless.occurrences.coming().count() == recurring.MAX_AHEAD


def test_a_recurring_tournament_without_quota_waits_says_why_and_goes_on(settings, client, caplog):
    user = make_user()
    endless = make_recurring(user, "0 8 * * *")
    settings.TOURNAMENTS_OPEN = 1
    other = make_tournament(user)
    for _ in range(3):
        tasks.tick()
    assert not endless.occurrences.exists()
    assert not caplog.records
    client.force_login(user)
    assert "limit of 1 tournament at a time" in text_of(client.get(endless.get_absolute_url()))
    lifecycle.cancel(other, user, "no time")
    settings.TOURNAMENTS_OPEN = 5
    tasks.tick()
    endless.refresh_from_db()
    assert (endless.occurrences.count(), endless.blocked_because) == (3, "")


def test_so_many_tournaments_recur_and_a_stopped_one_comes_back_only_if_there_is_room(settings):
    settings.TOURNAMENTS_OPEN = 1
    user = make_user()
    endless = make_recurring(user, "0 8 * * *")
    assert "limit of 1 recurring tournament" in refusal(make_recurring, user, "0 9 * * *")
    recurring.stop(endless)
    make_recurring(user, "0 9 * * *")
    refusal(recurring.resume, endless)
    endless.refresh_from_db()
    assert endless.stopped


def test_the_cost_line_says_what_is_left(client):
    user = make_user()
    client.force_login(user)
    shown = text_of(client.post("/tournaments/new/", {**FORM, "do": "preview"}))
    assert (
        "this uses 3,840 games of your quota. You have 10,000 games and 5 tournaments left" in shown
    )
    shown = text_of(client.post("/tournaments/new/cost/", {**FORM, "deals": 100}))
    assert "32,000 games of your quota" in shown
    assert "too much" in shown
    refused = client.post("/tournaments/new/", {**FORM, "deals": 100, "do": "publish"})
    assert refused.status_code == 422
    assert not Tournament.objects.exists()


def test_the_api_refuses_with_a_code(client, settings):
    settings.TOURNAMENTS_PER_DAY = 0
    headers = {"authorization": f"Bearer {make_key(make_user(), 'organise')}"}
    wanted = {
        "name": "One More",
        "game": "basari",
        "config": SMALL,
        "starts_at": f"{NEXT_YEAR}-03-08T18:30:00Z",
    }
    answer = client.post(
        "/api/v1/tournaments", wanted, content_type="application/json", headers=headers
    )
    assert (answer.status_code, answer.json()["code"]) == (429, "L012")
    assert int(answer["Retry-After"]) > 0
