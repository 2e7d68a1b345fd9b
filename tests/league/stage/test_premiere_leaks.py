"""Nothing that leaves the server during a premiere depends on what comes later."""

import json

import pytest

from engine.record.insight import Observation
from engine.record.recorder import Recorder, write
from engine.rng import Rng
from league.stage.premiere.clock import Clock
from league.stage.premiere.show import make_show
from league.stage.premiere.stream import AHEAD_MS, Stream
from league.stage.premiere.telling import captions
from tests.engine.tables import at_random, every_table, recorded


def match(game, seats, *, other_from=10**9):
    """A recorded match of random moves; from some step on they are other random moves."""
    rng, pick, other = Rng("a match"), Rng("moves"), Rng("other moves")
    recorder = Recorder(game)
    state = game.start(seats, {}, rng, recorder)
    while game.to_move(state):
        late = len(recorder.steps) >= other_from
        game.play(state, at_random(game, state, other if late else pick), rng, recorder)
    names = [{"name": f"bot {seat}", "bot": None, "version": None} for seat in range(seats)]
    return write(recorder, options={}, seed="a match", seats=names, outcome=game.outcome(state))


def common_steps(one, other):
    """How many steps are equal in both."""
    pairs = zip(one["steps"], other["steps"], strict=False)
    return next(i for i, (a, b) in enumerate(pairs) if a != b)


def told(show, count):
    """All that may leave the server when so many steps are out, as JSON."""
    fresh, followed = Stream(show, 1), Stream(show, 1)
    for moment, at in enumerate(range(max(1, count - 4), count + 1)):
        followed.advance(Clock(show.starts_ms[at - 1], None, 1.0), moment * 1000.0)
    fresh.advance(Clock(show.starts_ms[count - 1], None, 1.0), 0.0)
    return json.dumps([show.head(), fresh.whole(), fresh.part(), followed.part()])


@pytest.fixture(autouse=True)
def presented(request, caplog):
    """Fail if a game of ours could only be shown plainly: then nothing else would be tested."""
    yield
    if "plainly" not in request.node.name:
        said = [record.getMessage() for record in caplog.get_records("call")]
        assert not [text for text in said if "cannot present" in text]


@every_table
def test_two_matches_that_part_later_are_told_alike_until_then(game, seats):
    whole = match(game, seats)
    other = match(game, seats, other_from=2 * len(whole["steps"]) // 3)
    count = common_steps(whole, other)
    assert count > len(whole["steps"]) // 2
    shows = make_show(1, whole), make_show(1, other)
    for at in {1, 2, *range(3, count, 7), count - 1, count}:
        assert told(shows[0], at) == told(shows[1], at), at
    assert told(shows[0], count + 1) != told(shows[1], count + 1)


@every_table
def test_the_result_the_seed_and_the_length_are_told_with_the_last_step_and_not_before(game, seats):
    record = recorded(game, seats, "told")
    show, steps = make_show(1, record), len(record["steps"])
    before = json.loads(told(show, steps - 1))[1]
    assert before["values"]["result"] == {"is": ""}
    assert before["to"] == len(before["steps"]) == steps - 1
    assert not {"seed", "digest", "outcome"} & set(json.loads(told(show, steps - 1))[0])
    assert record["seed"] not in told(show, steps)
    assert "1st" in json.loads(told(show, steps))[1]["values"]["result"]["is"]


def test_only_what_begins_within_two_seconds_is_out():
    for game, seats in [(param.values[0], param.values[1]) for param in every_table.args[1][:1]]:
        show = make_show(1, recorded(game, seats, "ahead"))
        for speed in (0.5, 1.0, 4.0):
            stream = Stream(show, 1)
            count = stream.advance(Clock(10_000.0, 5000.0, speed), 8000.0)
            limit = 10_000 + 3000 * speed + AHEAD_MS * speed
            assert show.starts_ms[count - 1] <= limit < show.starts_ms[count]


def test_a_remark_on_a_former_step_is_made_when_it_is_known():
    game, seats = every_table.args[1][0].values
    record = recorded(game, seats, "remarks")
    remark = {"i": 2, "kind": "missed", "seat": 0, "text": "What a pity.", "secret": False}
    counts = [0] * 5 + [1] * (len(record["steps"]) - 5)
    observation = Observation({"scored": None, "remarks": [remark]}, counts)
    told = captions(record, observation)
    assert [i for i, caption in enumerate(told) if "What a pity." in caption] == [5]
    assert observation.until(5)["remarks"] == []
    assert observation.until(6)["remarks"] == [remark]


def test_a_game_that_cannot_present_an_open_match_is_shown_plainly(monkeypatch, caplog):
    game, seats = every_table.args[1][0].values
    record = recorded(game, seats, "plain")

    def refuse(steps):
        assert steps[-1]["t"] == "end", "a match that goes on"
        return []

    monkeypatch.setattr(type(game.presentation), "rounds", lambda self, steps: refuse(steps))
    show = make_show(1, record)
    assert show.values(5)["sheets"] == ""
    assert "cannot present a match that goes on" in caplog.text
    assert "1st" in show.values(len(record["steps"]))["result"]
