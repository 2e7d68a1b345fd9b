"""Playing a match between players in this process."""

from itertools import count

import pytest

from bots_sdk.bot import Bot
from engine.record.ending import MAX_SOFT_FAULTS, SOFT_FAULTS
from engine.record.verify import verify
from engine.registry import GAMES
from runners.faults import SOFT
from runners.local import LocalPlayer
from runners.match import describe, play
from runners.players import FallbackPlayer, RandomPlayer
from runners.seeds import seat_seed
from tests.engine.tables import every_table


def random_players(seed, seats):
    return [RandomPlayer(seat_seed(seed, seat)) for seat in range(seats)]


@every_table
def test_a_recorded_match_ends_like_an_unrecorded_one_and_verifies(game, seats):
    bare = play(game, random_players("7", seats), "7")
    recorded = play(game, random_players("7", seats), "7", recorded=True)
    assert bare.record is None
    assert recorded.outcome == bare.outcome
    assert recorded.decisions == bare.decisions
    assert recorded.record["outcome"]["placements"] == bare.outcome.placements
    verify(recorded.record)


@every_table
def test_decisions_are_counted_when_asked_and_not_when_forced(game, seats):
    played = play(game, random_players("8", seats), "8", recorded=True)
    asked = 0
    for step in played.record["steps"]:
        forced = step.get("forced")
        asked += forced.count(False) if isinstance(forced, list) else forced is False
    assert played.decisions == asked


def test_the_record_names_the_players_and_their_options():
    game = GAMES["basari"]
    seats = [describe("Ann"), describe("Ben", "ben", 3), describe("Cleo")]
    played = play(
        game,
        [FallbackPlayer("")] * 3,
        "9",
        options={"max_offers": 4},
        seats=seats,
        recorded=True,
    )
    assert played.record["seats"] == seats
    assert played.record["options"] == {"max_offers": 4, "deck": "house"}
    assert played.record["limits"] is None
    assert played.record["seed"] == "9"


def test_without_names_seats_are_numbered():
    played = play(GAMES["basari"], [FallbackPlayer("")] * 3, "9", recorded=True)
    assert [seat["name"] for seat in played.record["seats"]] == ["seat 0", "seat 1", "seat 2"]


class Looking:
    """Looks at everything it may see before it takes its last option."""

    def __init__(self):
        self.seen = []

    def decide(self, question):
        self.seen.append((question.seat, question.view["decision"]))
        assert question.view["seat"] == question.seat
        assert question.fallback in question.options
        return question.options[len(question.options) - 1]


@pytest.mark.parametrize("slug", GAMES)
def test_a_player_is_shown_its_own_view_and_the_options(slug):
    players = [Looking() for _ in range(3)]
    play(GAMES[slug], players, "10")
    for seat, player in enumerate(players):
        assert {number for number, _ in player.seen} == {seat}
        assert all(decision for _, decision in player.seen)


def test_the_chance_of_a_seat_depends_on_match_and_seat_only():
    seeds = {seat_seed(f"match {m}", seat) for m in range(20) for seat in range(5)}
    assert len(seeds) == 100
    assert seat_seed("match 1", 0) == seat_seed("match 1", 0)
    assert "match 1" not in seat_seed("match 1", 0)


def test_thinking_time_is_measured():
    clock = count()

    class Slow:
        def decide(self, question):
            for _ in range(200_000):
                next(clock)
            return question.fallback

    record = play(
        GAMES["edelsteinsuche"],
        [Slow(), FallbackPlayer("")],
        "11",
        recorded=True,
        options={"max_turns_per_seat": 1},
    ).record
    times = {0: [], 1: []}
    for step in record["steps"]:
        if step.get("forced") is False:
            times[step["seat"]].append(step["ms"])
    assert min(times[0]) > max(times[1]) >= 0


def test_engine_and_referee_know_the_same_soft_faults():
    assert SOFT_FAULTS == SOFT


class Failing(Bot):
    """Plays at random for a while, and raises an exception from then on."""

    answers = 0

    def decide(self, view, options):
        self.answers += 1
        if self.answers > 9:
            raise KeyError(self.answers)
        return options[self.rng.randrange(len(options))]


@every_table
def test_the_end_of_a_record_tells_its_outcome_also_if_seats_forfeit(game, seats):
    failing = [LocalPlayer(Failing, seat_seed("5", seat)) for seat in range(seats - 1)]
    players = [*failing, RandomPlayer(seat_seed("5", seats - 1))]
    options = {"max_turns_per_seat": 9} if game.slug == "edelsteinsuche" else {}
    played = play(game, players, "5", options=options, recorded=True)
    end, outcome = played.record["steps"][-1], played.record["outcome"]
    assert len(played.faults) == MAX_SOFT_FAULTS * (seats - 1)
    assert played.forfeits == outcome["forfeits"] == list(range(seats - 1))
    assert end["placements"] == outcome["placements"] == played.outcome.placements
    assert end["placements"][-1] == 1
    assert end["scores"] == outcome["scores"]
    verify(played.record)
