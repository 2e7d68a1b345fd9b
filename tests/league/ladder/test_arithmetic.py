"""The version of the arithmetic is an entry of the ledger: earlier matches keep their digits."""

import gzip
import json

import pytest
from django.core.management import call_command

from engine.registry import GAMES
from league.ladder import services
from league.ladder.models import ArithmeticChange, Ladder, LadderRating, RatingChange
from league.ladder.ratings import arithmetic, verification, writer
from league.ladder.ratings.ledger import CURRENT_ARITHMETIC, FIRST_ARITHMETIC
from league.ladder.ratings.rebuild import rebuild
from league.matches.models import Seat
from tests.league.factories import GAME, make_match, make_player, rate_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    return [make_player() for _ in range(4)]


def play(players, count):
    for number in range(count):
        match = make_match(players[number % 2 :])
        if number % 3 == 0:
            Seat.objects.filter(match=match).update(place=1)
    rate_all()


@pytest.fixture
def former_league(players, monkeypatch):
    """A league that was rated by the former arithmetic, when there was no entry about it."""
    with monkeypatch.context() as former:
        former.setattr(arithmetic, "CURRENT_ARITHMETIC", FIRST_ARITHMETIC)
        play(players, 5)
    assert not ArithmeticChange.objects.exists()
    return players


def entries():
    return list(ArithmeticChange.objects.values_list("ladder", "arithmetic", "after_no"))


def digits():
    lines = RatingChange.objects.order_by("ledger_position", "seat")
    return list(lines.values_list("ledger_position", "seat", "mu", "sigma", "expected"))


def test_a_new_ledger_begins_with_the_current_arithmetic(players):
    play(players, 2)
    play(players, 2)
    assert entries() == [(GAME, CURRENT_ARITHMETIC, 0)]
    assert rebuild(GAME, write=False).differences == 0


def test_a_ladder_without_matches_has_no_entry_yet(players):
    rate_all()
    assert entries() == []


def test_an_older_ledger_keeps_its_digits_and_goes_on_with_the_current_arithmetic(former_league):
    before = digits()
    assert rebuild(GAME, write=False).differences == 0
    play(former_league, 4)
    assert entries() == [(GAME, CURRENT_ARITHMETIC, 5)]
    assert digits()[: len(before)] == before
    assert rebuild(GAME, write=False).differences == 0
    assert rebuild(GAME, write=True).differences == 0
    assert digits()[: len(before)] == before


@pytest.mark.parametrize("after_no", [0, 3, 7])
def test_the_entry_decides_which_arithmetic_rates_a_match(former_league, after_no):
    play(former_league, 4)
    ArithmeticChange.objects.update(after_no=after_no)
    assert rebuild(GAME, write=False).differences > 0


def test_verification_follows_the_entry(former_league):
    play(former_league, 3)
    verification.ask(GAME)
    verification.run(GAME)
    assert Ladder.objects.get(game=GAME).verification["differences"] == 0


def test_a_version_that_starts_after_the_change_inherits_a_rating_from_before_it(former_league):
    rating = LadderRating.objects.filter(ladder=GAME, matches__gt=0).earliest("pk")
    assert rebuild(GAME, write=False).differences == 0
    play(former_league, 1)
    first = RatingChange.objects.get(ledger_position=6, version=rating.version_id)
    assert (first.mu_before, first.sigma_before) == (rating.mu, rating.sigma)


def test_a_ledger_of_a_later_league_is_refused(players):
    play(players, 1)
    ArithmeticChange.objects.update(arithmetic=CURRENT_ARITHMETIC + 1)
    for attempt in (lambda: rebuild(GAME, write=False), lambda: play(players, 1)):
        with pytest.raises(arithmetic.UnknownArithmetic, match="does not know"):
            attempt()
    assert Ladder.objects.get(game=GAME).rated == 1


def test_exported_lines_name_their_arithmetic(former_league, capsys):
    play(former_league, 2)
    call_command("export", "--ratings")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["ledger_position"]: line["arithmetic"] for line in lines} == {
        **dict.fromkeys(range(1, 6), FIRST_ARITHMETIC),
        **dict.fromkeys(range(6, 8), CURRENT_ARITHMETIC),
    }


@pytest.mark.django_db(transaction=True)
def test_an_archive_carries_the_entry(former_league, tmp_path):
    play(former_league, 2)
    before, file = entries(), tmp_path / "league.jsonl.gz"
    call_command("export_league", file)
    assert gzip.decompress(file.read_bytes()).decode().count("ladder.arithmeticchange") == 1
    call_command("flush", interactive=False, verbosity=0)
    call_command("import_league", file)
    assert entries() == before
    assert rebuild(GAME, write=False).differences == 0


@pytest.mark.django_db(transaction=True)
def test_an_older_archive_keeps_its_digits_and_then_changes(former_league, tmp_path):
    before, file = digits(), tmp_path / "league.jsonl.gz"
    call_command("export_league", file)
    call_command("flush", interactive=False, verbosity=0)
    call_command("import_league", file)
    assert rebuild(GAME, write=False).differences == 0
    play(former_league, 2)
    assert entries() == [(GAME, CURRENT_ARITHMETIC, 5)]
    assert digits()[: len(before)] == before
    assert rebuild(GAME, write=False).differences == 0


def test_a_made_up_league_is_recomputed_with_the_current_arithmetic(players):
    services.ensure()
    for game in GAMES:
        assert arithmetic.begin_current(game, rated=0) == CURRENT_ARITHMETIC
        assert arithmetic.Versions(game).at(1) == CURRENT_ARITHMETIC
    assert writer.rate(GAME) == 0
