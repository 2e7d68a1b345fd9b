"""Records: what is written, and what is proven by playing them again."""

import copy
import json
from hashlib import sha256

import pytest

from engine.game import Outcome
from engine.record.ending import final
from engine.record.reading import RecordError, read
from engine.record.recorder import Answer, Recorder, write
from engine.record.verify import verify
from engine.registry import GAMES
from engine.rng import Rng
from tests.engine.tables import every_table, recorded

ESR = GAMES["edel-stein-reich"]


@pytest.fixture
def record():
    return recorded(ESR, 3, "a match")


@every_table
def test_a_record_has_the_fields_of_the_contract(game, seats):
    record = recorded(game, seats, "fields")
    assert list(record) == [
        *("schema", "game", "rules", "options", "seed", "seats", "limits"),
        *("steps", "outcome", "faults", "digest"),
    ]
    assert record["schema"] == 1
    assert record["options"].keys() == game.options_allowed.keys()
    assert record["outcome"].keys() == {"placements", "scores", "reason", "forfeits"}
    assert [step["i"] for step in record["steps"]] == list(range(len(record["steps"])))
    assert record["steps"][0]["t"] == "start"
    assert record["steps"][-1]["t"] == "end"
    for step in record["steps"]:
        assert ("view" in step) is (step["i"] == 0)
        assert ("set" in step) is (step["i"] > 0)
        if "move" in step:
            assert {"seat", "move", "ms", "forced"} <= step.keys()


def test_the_digest_is_the_hash_of_the_canonical_json_of_what_a_rerun_reproduces(record):
    proven = {
        key: record[key]
        for key in ("game", "rules", "options", "seed", "seats", "outcome", "faults", "steps")
    }
    proven["steps"] = [
        {key: value for key, value in step.items() if key not in ("ms", "text", "note")}
        for step in proven["steps"]
    ]
    text = json.dumps(proven, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert record["digest"] == "sha256:" + sha256(text.encode("utf-8")).hexdigest()


def test_thinking_times_texts_and_notes_may_differ(record):
    for step in record["steps"]:
        step["text"] = "told in other words"
        if "move" in step:
            step["ms"] = 17
            step["note"] = "said later"
    verify(record)


def test_a_record_is_read_as_it_was_written(record):
    assert read(json.dumps(record)) == read(json.dumps(record).encode()) == record


def test_the_order_of_fields_does_not_matter(record):
    verify(json.loads(json.dumps(record, sort_keys=True)))


def find(record, t):
    return next(step for step in record["steps"] if step["t"] == t)


def tampered_step(record):
    step = find(record, "act")
    step["gained"] = 99
    return f"steps[{step['i']}].gained"


def tampered_patch(record):
    step = find(record, "deal")
    step["set"]["/round"] = 7
    return f"steps[{step['i']}].set"


def tampered_type(record):
    step = find(record, "deal")
    step["set"]["/round"] = True
    return f"steps[{step['i']}].set"


def renamed_step(record):
    step = find(record, "deal")
    step["t"] = "lapse"
    return f"steps[{step['i']}].t"


def fault_without_a_step(record):
    record["faults"] = [{"step": 3, "seat": 1, "code": "E303", "detail": "It raised."}]
    return "faults[0]"


def fault_beyond_the_end(record):
    record["faults"] = [{"step": 10**9, "seat": 1, "code": "E303", "detail": "It raised."}]
    return "faults[0]"


def fault_at_no_decision(record):
    record["faults"] = [{"step": 2, "seat": 1, "code": "E303", "detail": "It raised."}]
    return "faults[0]"


def illegal_move(record):
    step = find(record, "choose")
    step["moves"][1] = "free"
    return f"steps[{step['i']}].move"


def other_choice(record):
    step = find(record, "choose")
    moves = step["moves"]
    moves[0] = "money" if moves[0] != "money" else "gems"
    return f"steps[{step['i']}].set"


def added_field(record):
    record["steps"][1]["extra"] = 1
    return "steps[1].extra"


def dropped_field(record):
    del record["steps"][1]["aside"]
    return "steps[1].aside"


def dropped_step(record):
    del record["steps"][30]
    for i, step in enumerate(record["steps"]):
        step["i"] = i
    return "steps[30]"


def truncated(record):
    del record["steps"][50:]
    return "steps[50]"


def prolonged(record):
    last = copy.deepcopy(record["steps"][-1])
    last["i"] += 1
    record["steps"].append(last)
    return f"steps[{last['i']}]"


def claimed_win(record):
    record["outcome"]["scores"][0] += 1
    return "outcome"


def invented_forfeit(record):
    record["outcome"]["forfeits"] = [1]
    return "outcome.forfeits"


def invented_fault(record):
    step = find(record, "choose")
    step["moves"][0] = "money"
    step["fault"][0] = "E302"
    return f"steps[{step['i']}].fault"


def other_seed(record):
    record["seed"] = "another match"
    return "steps[0].view"


def other_name(record):
    record["seats"][0]["name"] = "somebody else"
    return "digest"


def other_digest(record):
    record["digest"] = "sha256:" + "0" * 64
    return "digest"


def incomplete_options(record):
    del record["options"]["max_offers"]
    return "options"


def unknown_option(record):
    record["options"]["joker"] = 1
    return "options"


def unknown_game(record):
    record["game"] = "chess"
    return "game"


def older_rules(record):
    record["rules"] = "0.9"
    return "rules"


@pytest.mark.parametrize(
    "tamper",
    [
        *(tampered_step, tampered_patch, tampered_type, illegal_move, other_choice, added_field),
        *(dropped_field, dropped_step, truncated, prolonged, claimed_win, invented_forfeit),
        *(invented_fault, other_seed, other_name, other_digest, incomplete_options),
        *(unknown_option, unknown_game, older_rules, renamed_step, fault_without_a_step),
        *(fault_beyond_the_end, fault_at_no_decision),
    ],
)
def test_a_changed_record_is_refused_at_the_first_place_that_differs(record, tamper):
    place = tamper(record)
    with pytest.raises(RecordError) as refused:
        verify(record)
    assert refused.value.place.startswith(place)


def test_a_step_that_comes_too_early_is_refused(record):
    steps = record["steps"]
    choose = find(record, "choose")["i"]
    assert steps[choose - 1]["t"] == "deal"
    steps[choose] = {**steps[choose - 1], "i": choose}
    with pytest.raises(RecordError, match="a decision of seat 0, 1, 2 is expected here"):
        verify(record)


def match_with_faults():
    """Seat 1 makes one soft fault and then fails for good; fallback moves finish its game."""
    rng, recorder = Rng("faulty"), Recorder(ESR)
    recorder.note_fault(2, "E201", "It did not start.", loading=True)
    state = ESR.start(3, {}, rng, recorder)
    asked_1 = 0
    while asked := ESR.to_move(state):
        moves = []
        for seat in asked:
            options = ESR.options(state, seat)
            move, fault = options[len(options) // 2], None
            if seat == 1:
                asked_1 += 1
                if asked_1 == 3:
                    recorder.note_fault(1, "E303", "It raised an exception.")
                    fault = "E303"
                if asked_1 >= 10:
                    fault = "E302"
                if asked_1 == 10:
                    recorder.note_fault(1, "E302", "It took too long.")
            if seat == 2:
                fault = "E201"
            if fault:
                move = ESR.fallback(state, seat)
            recorder.answers[seat] = Answer(1.5, fault, "I like gems" if seat == 0 else None)
            moves.append(move)
        ESR.play(state, moves, rng, recorder)
    return write(
        recorder,
        options=ESR.resolve_options(3),
        seed="faulty",
        seats=[{"name": name, "bot": None, "version": None} for name in "abc"],
        outcome=ESR.outcome(state),
        forfeits=[2, 1],
        limits={"decision_ms": 250},
    )


def test_a_match_with_faults_and_forfeits_verifies():
    record = match_with_faults()
    verify(json.loads(json.dumps(record)))
    assert record["outcome"]["forfeits"] == [1, 2]
    assert record["outcome"]["placements"][0] == 1
    assert [(f["seat"], f["code"]) for f in record["faults"]] == [
        *((2, "E201"), (1, "E303"), (1, "E302"))
    ]
    assert record["faults"][0]["step"] is None
    for fault in record["faults"][1:]:
        step = record["steps"][fault["step"]]
        marked = step["fault"][1] if step["t"] == "choose" else step["fault"]
        assert marked == fault["code"]


def test_notes_and_times_stand_with_their_decision():
    record = match_with_faults()
    choose = find(record, "choose")
    assert choose["note"] == ["I like gems", None, None]
    assert choose["ms"] == [1.5, 1.5, 1.5]
    own = [step for step in record["steps"] if step.get("seat") == 0 and "move" in step]
    assert {step.get("note") for step in own if not step["forced"]} == {"I like gems"}
    assert {step["ms"] for step in own if step["forced"]} <= {0.0}


def test_a_fault_marks_a_fallback_move_and_nothing_else():
    record = match_with_faults()
    step = next(s for s in record["steps"] if s["t"] == "choose" and s["fault"][2])
    step["moves"][2] = "gems"
    with pytest.raises(RecordError, match="is not the fallback move of seat 2"):
        verify(record)


@pytest.mark.parametrize(
    ("places", "forfeits", "expected"),
    [
        pytest.param([1, 2, 3], [], [1, 2, 3], id="nobody forfeits"),
        pytest.param([1, 2, 3], [0], [3, 1, 2], id="the winner forfeits"),
        pytest.param([1, 1, 3, 4], [1, 3], [1, 3, 2, 4], id="own order among forfeiters"),
        pytest.param([1, 1, 1], [0, 1], [2, 2, 1], id="forfeiters that tie share a place"),
        pytest.param([2, 1, 3], [0, 1, 2], [2, 1, 3], id="all forfeit"),
    ],
)
def test_who_forfeits_is_placed_behind_everybody_else(places, forfeits, expected):
    outcome = final(Outcome(places, [0] * len(places), "completed"), forfeits)
    assert outcome["placements"] == expected
