"""`karat cups`, `enter` and `follow` against the league itself, over HTTP."""

import json

import pytest
from django.utils import timezone
from typer.testing import CliRunner

from bots_sdk.cli.app import app
from league.matches.models import Match
from league.tournaments import demo
from league.tournaments.models import RecurringTournament
from league.tournaments.services import entries, lifecycle
from tests.league.factories import finish_match, make_key, make_player, make_tournament, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def karat(live_server, monkeypatch, tmp_path):
    mira = make_user("mira")
    monkeypatch.setenv("KARAT_URL", live_server.url)
    monkeypatch.setenv("KARAT_TOKEN", make_key(mira, "upload"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    runner = CliRunner()
    return lambda *words: runner.invoke(app, words), mira


def test_a_bot_is_entered_and_followed_to_the_end(karat):
    run, mira = karat
    bot = make_player(mira, "Sapphire Shark")
    tournament = make_tournament(make_user())
    lifecycle.publish(tournament, None)
    for _ in range(2):
        entries.enter(tournament, make_player(), None)
    listed = run("tournaments").output
    assert "friday-cup" in listed
    assert listed.endswith("Next:  karat enter friday-cup YOUR-BOT\n")
    misspelt = run("enter", "fryday-cup", bot.slug)
    assert misspelt.exit_code == 1
    assert misspelt.output == (
        "There is no tournament 'fryday-cup'; see karat tournaments. Did you mean friday-cup?\n"
    )
    assert "Did you mean sapphire-shark?" in run("enter", "friday-cup", "saphire-shark").output
    assert run("cups").output == run("tournaments").output
    entered = run("enter", "friday-cup", "sapphire shark")
    assert "Sapphire Shark is in friday-cup." in entered.output
    again = run("enter", "friday-cup", bot.slug)
    assert (again.exit_code, "already" in again.output) == (1, True)
    lifecycle.lock(tournament)
    lifecycle.start(tournament)
    while not tournament.over:
        for match in Match.objects.queued():
            finish_match(match)
        lifecycle.move_on(tournament, timezone.now())
        tournament.refresh_from_db()
    followed = run("follow", "friday-cup", "--json")
    told = json.loads(followed.stdout)
    assert told["tournament"]["state"] == "final"
    assert "Sapphire Shark" in [row["name"] for row in told["standings"]]
    ending = run("follow", "friday-cup").output
    assert "1st" in ending
    first_line = ending.splitlines()[0]
    games = tournament.rounds.count()
    assert first_line == f"Friday Cup: final, 3 bots, {games} game{'s' * (games > 1)}."


def test_a_cancelled_tournament_is_told_with_its_reason(karat):
    run, _ = karat
    tournament = make_tournament(make_user())
    lifecycle.publish(tournament, None)
    lifecycle.cancel(tournament, None, "rain")
    followed = run("follow", "friday-cup")
    assert (followed.exit_code, "rain" in followed.output) == (1, True)


def test_a_league_on_one_machine_has_a_recurring_tournament_for_every_game_once():
    assert demo.ensure() == 3
    assert demo.ensure() == 0
    minutes = [set(row.cron.split()[0].split(",")) for row in RecurringTournament.objects.all()]
    assert not set.intersection(*minutes)
    RecurringTournament.objects.update(stopped=True)
    assert demo.ensure() == 0
