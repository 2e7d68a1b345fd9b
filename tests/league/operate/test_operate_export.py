"""Finished matches and the ledger as lines of JSON, for people who compute with them."""

import io
import json
import os

import pytest
from django.core.management import CommandError, call_command

from engine.record.recorder import digest
from engine.registry import GAMES
from league.ladder.models import RatingChange
from league.matches.models import Match
from tests.league.factories import make_match, make_player, queue_match, rate_all

OTHER = "edelsteinsuche"

pytestmark = pytest.mark.django_db


def exported(**options):
    out = io.StringIO()
    call_command("export", stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture
def played():
    players = [make_player() for _ in range(3)]
    matches = [make_match(players), make_match(players, OTHER), make_match(players)]
    rate_all()
    queue_match(players)
    return matches


def test_every_finished_match_is_a_line_with_its_whole_record(played):
    call_command("compact", keep=0, stdout=io.StringIO())
    lines = exported()
    assert [line["match"] for line in lines] == [match.pk for match in played]
    assert all(digest(line["record"]) == line["record"]["digest"] for line in lines)
    assert all(len(line["record"]["steps"]) > 1 for line in lines)
    assert [line["match"] for line in exported(game=OTHER)] == [played[1].pk]


def test_hidden_matches_are_nobodys(played):
    Match.objects.filter(pk=played[0].pk).update(hidden=True)
    assert played[0].pk not in [line["match"] for line in exported()]


def test_the_ledger_has_a_line_for_each_seat(played):
    lines = exported(ratings=True)
    assert len(lines) == RatingChange.objects.count() == 6
    assert [(line["ledger_position"], line["seat"]) for line in lines] == [
        (no, seat) for no in (1, 2) for seat in range(3)
    ]
    assert lines[0]["after"] == lines[3 + lines[0]["seat"]]["before"]
    assert exported(ratings=True, game=OTHER) == []


def test_an_unknown_game_is_refused(played):
    with pytest.raises(CommandError, match=next(iter(GAMES))):
        call_command("export", "--game", "chess")


def test_a_reader_may_leave(played):
    there, here = os.pipe()
    os.close(there)
    with os.fdopen(here, "w", buffering=1) as pipe:
        call_command("export", stdout=pipe)
