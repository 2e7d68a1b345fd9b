"""Bots and versions: what can be done with them, and what is refused."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts import services as accounts
from league.bots import checks, services
from league.bots.models import Bot, BotVersion
from league.errors import Refused
from league.jobs import leases
from league.matches.models import Fault as FaultRow, Match
from runners.match import Fault
from runners.upload.check import check
from tests.league.factories import (
    SOURCE,
    finish_match,
    make_bot,
    make_match,
    make_player,
    make_user,
    make_version,
    queue_match,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name", ["", "x", "-bot-", "a" * 41, "new", "<b>", "../etc", "日本", "a\0b"]
)
def test_what_is_no_name_is_refused_and_nothing_is_stored(name):
    with pytest.raises(Refused, match="L002"):
        services.create(make_user(), name)
    assert not Bot.objects.exists()


def test_a_name_can_be_taken_once_whatever_its_case():
    services.create(make_user(), "Sapphire Shark")
    with pytest.raises(Refused, match="already"):
        services.create(make_user(), "sapphire shark")


def test_versions_count_up_and_identical_code_goes_back_to_its_version():
    bot = make_bot(make_user())
    first, second = make_version(bot), make_version(bot)
    assert (first.number, second.number) == (1, 2)
    again = services.upload(bot, first.source.text.encode())
    assert (again.version.pk, again.reused) == (first.pk, True)
    bot.refresh_from_db()
    assert bot.active_id == first.pk


def test_a_rejected_file_may_be_uploaded_again():
    bot = make_bot(make_user())
    make_version(bot, SOURCE, status=BotVersion.Status.REJECTED)
    assert not services.upload(bot, SOURCE.encode()).reused


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"PK\x03\x04rest", "E109"),
        (b"\xff\xfe", "E106"),
        (b"x = 1\0", "E106"),
        (b"#" * (257 * 1024), "E106"),
    ],
)
def test_what_is_not_a_text_of_fair_size_is_refused_at_once(data, code):
    bot = make_bot(make_user())
    with pytest.raises(Refused, match=code):
        services.upload(bot, data)
    assert not bot.versions.exists()


def test_the_daily_quota_says_when_it_is_fresh_again(settings):
    settings.UPLOADS_PER_DAY = 1
    bot = make_bot(make_user())
    make_version(bot)
    with pytest.raises(Refused, match="L001") as refused:
        services.upload(bot, b"# another")
    assert "00:00 UTC" in refused.value.message.fix


def test_only_an_accepted_version_can_be_active():
    bot = make_bot(make_user())
    make_version(bot, status=BotVersion.Status.REJECTED)
    with pytest.raises(Refused, match="L003"):
        services.activate(bot, 1)
    with pytest.raises(Refused, match="L010"):
        services.activate(bot, 9)


def test_benching_lets_the_last_good_version_play_on_and_activating_ends_it():
    bot = make_bot(make_user())
    first, second = make_version(bot), make_version(bot)
    services.bench(second, "3 faults")
    bot.refresh_from_db()
    assert bot.active_id == first.pk
    services.bench(first, "3 faults")
    bot.refresh_from_db()
    assert bot.active is None
    services.activate(bot, second.number)
    bot.refresh_from_db()
    assert bot.active_id == second.pk
    assert bot.active.benched_at is None


def test_three_faulty_matches_of_ten_bench_a_version_and_two_do_not():
    players = [make_player(make_user()) for _ in range(3)]
    fault = Fault(0, 5, "E302", "No answer in time.")
    for expected in (True, True, False):
        make_match(players, faults=[fault])
        version = BotVersion.objects.get(pk=players[0].active_id)
        assert version.fit is expected
    assert version.benched_because == "3 faults in its last 3 matches (E302 3 times)"


def test_leaving_the_box_benches_at_once():
    players = [make_player(make_user()) for _ in range(3)]
    make_match(players, faults=[Fault(1, 3, "E307", "It made a forbidden call.")])
    players[1].refresh_from_db()
    assert players[1].active is None


def test_a_version_that_was_unbenched_begins_with_a_clean_record():
    players = [make_player(make_user()) for _ in range(3)]
    fault = Fault(0, 5, "E302", "No answer in time.")
    for _ in range(3):
        make_match(players, faults=[fault])
    services.activate(players[0], 1)
    make_match(players, faults=[fault])
    assert BotVersion.objects.get(pk=players[0].active_id).fit


def test_faults_from_before_the_bench_do_not_count_for_a_match_that_ran_meanwhile():
    players = [make_player(make_user()) for _ in range(3)]
    fault = Fault(0, 5, "E302", "No answer in time.")
    running = queue_match(players)
    for _ in range(3):
        make_match(players, faults=[fault])
    finish_match(running, faults=[fault], meanwhile=lambda: services.activate(players[0], 1))
    assert BotVersion.objects.get(pk=players[0].active_id).fit


@pytest.mark.parametrize("action", ["bench", "activate"])
def test_a_bot_is_locked_before_its_version(action):
    version = make_player(make_user()).active
    bot = version.bot
    with CaptureQueriesContext(connection) as asked:
        if action == "bench":
            services.bench(version, "it was too slow")
        else:
            services.activate(bot, version.number)
    tables = re.findall(r'(?:FROM|UPDATE) "(\w+)"', str([q["sql"] for q in asked]))
    assert tables[0] == "bots_bot"


def test_three_faults_in_one_match_are_one_faulty_match():
    players = [make_player(make_user()) for _ in range(3)]
    make_match(players, faults=[Fault(0, n, "E301", "Not legal.") for n in (3, 5, 8)])
    assert BotVersion.objects.get(pk=players[0].active_id).fit
    assert FaultRow.objects.count() == 3


def test_a_check_belongs_to_one_worker_and_is_given_back_three_times_at_most():
    version = services.upload(make_bot(make_user()), SOURCE.encode()).version
    for attempt in (1, 2, 3):
        lease = checks.claim()
        assert lease.attempt == attempt
        assert checks.claim() is None
        checks.give_back(lease)
    version.refresh_from_db()
    assert version.status == BotVersion.Status.STUCK
    checks.check_again(version)
    assert checks.claim() is not None


def test_source_is_for_its_owner_unless_published_and_the_house_hides_nothing():
    owner, other = make_user(), make_user()
    version = make_version(make_bot(owner))
    assert services.may_read_source(version, owner)
    assert not services.may_read_source(version, other)
    services.publish_source(version, public=True)
    version.refresh_from_db()
    assert services.may_read_source(version, None)
    assert services.may_read_source(make_version(make_bot()), None)


def test_a_match_of_somebody_who_leaves_meanwhile_is_finished_and_counts():
    owner = make_user("mira")
    players = [make_player(owner), make_player(make_user()), make_player(make_user())]
    match = finish_match(queue_match(players), meanwhile=lambda: accounts.delete_account(owner))
    assert match.status == Match.Status.FINISHED
    assert match.seats.get(number=0).place


def test_a_check_whose_lease_lapsed_stops_at_the_next_step_and_stores_nothing(monkeypatch):
    steps = []

    def interrupted(*asked, **named):
        for step in check(*asked, **named):
            steps.append(step)
            BotVersion.objects.update(lease_until=leases.in_seconds(-1))
            checks.sweep()
            yield step

    monkeypatch.setattr(checks, "check", interrupted)
    services.upload(make_bot(make_user()), SOURCE.encode())
    assert checks.run(checks.claim()) is None
    assert len(steps) == 1
    version = BotVersion.objects.get()
    assert (version.status, version.steps) == (BotVersion.Status.WAITING, [])


def test_a_deleted_account_leaves_its_bots_as_those_of_a_former_member():
    owner = make_user("mira", email="mira@example.org")
    make_player(owner)
    accounts.create_token(owner, "laptop", ["read"])
    accounts.delete_account(owner)
    owner.refresh_from_db()
    assert (owner.shown_name, owner.email, owner.is_active) == ("former member", "", False)
    assert not owner.tokens.exists()
    assert owner.bots.count() == 1
    assert make_user("mira").pk != owner.pk
