"""The end of a match in which seats forfeited: what is told, and who is named the winner."""

import copy
import json

import pytest

from engine.record.ending import forfeiting_faults, name_winner
from engine.record.reading import RecordError, read
from engine.record.recorder import Answer, Record, Recorder, digest, write
from engine.record.redact import redact
from engine.record.verify import verify
from engine.registry import GAMES
from engine.rng import Rng
from tests.engine.tables import at_random, every_table
from tests.engine.test_golden import GOLDEN

FORMER = sorted((GOLDEN / "former").glob("*.json"))


def abandoned(game, seats, seed, leavers, moves=20, options=None) -> Record:
    """The record of a match at random in which some seats fail for good after some moves."""
    rng, pick, recorder = Rng(seed), Rng(f"{seed} moves"), Recorder(game)
    state = game.start(seats, options or {}, rng, recorder)
    asked_times, lost = 0, []
    while asked := game.to_move(state):
        asked_times += 1
        played = at_random(game, state, pick)
        for index, seat in enumerate(asked):
            if seat in leavers and asked_times > moves:
                if seat not in lost:
                    lost.append(seat)
                    recorder.note_fault(seat, "E308", "The process ended with exit status 1.")
                played[index] = game.fallback(state, seat)
                recorder.answers[seat] = Answer(fault="E308")
        game.play(state, played, rng, recorder)
    return write(
        recorder,
        options=game.resolve_options(seats, options),
        seed=seed,
        seats=[{"name": f"bot {seat}", "bot": None, "version": None} for seat in range(seats)],
        outcome=game.outcome(state),
        forfeits=lost,
    )


def first(record):
    """The seats placed first by the outcome."""
    return [seat for seat, place in enumerate(record["outcome"]["placements"]) if place == 1]


def named_winners(text):
    """The seats that a last sentence says have won."""
    before = text.split(" win")[0].split(" share the first place")[0].split(" miss")[0]
    return [seat for seat in range(5) if f"{{{seat}}}" in before.split("; ")[-1].split("so ")[-1]]


@every_table
def test_the_end_tells_the_outcome_and_a_winner_who_stayed(game, seats):
    options = {"max_turns_per_seat": 12} if game.slug == "edelsteinsuche" else {}
    for leaver in range(seats):
        record = abandoned(game, seats, f"leave {leaver}", {leaver}, options=options)
        end, outcome = record["steps"][-1], record["outcome"]
        assert outcome["forfeits"] == [leaver]
        assert outcome["placements"][leaver] == seats
        assert end["placements"] == outcome["placements"]
        assert end["scores"] == outcome["scores"]
        if "has all five" not in end["text"]:
            assert named_winners(end["text"]) == first(record)
        assert f"{{{leaver}}} forfeited" in end["text"] or f"{{{leaver}}} has all" in end["text"]
        verify(read(json.dumps(record)))


@every_table
def test_nobody_is_named_winner_if_all_forfeit(game, seats):
    options = {"max_turns_per_seat": 9} if game.slug == "edelsteinsuche" else {}
    record = abandoned(game, seats, "all leave", set(range(seats)), moves=9, options=options)
    verify(read(json.dumps(record)))
    assert record["outcome"]["forfeits"] == list(range(seats))
    assert "nobody wins" in record["steps"][-1]["text"]


SUCHE = GAMES["edelsteinsuche"]
ROWS = {"rows": [[{"card": "R1", "up": True}], [{"card": "E2", "up": False}], []]}


RUBIES = "{0} has all five Ruby cards face up"
OVER = "The turns are used up"
BOTH = "{1} and {2}"


@pytest.mark.parametrize(
    ("placements", "scores", "forfeits", "text"),
    [
        ([1, 2, 2], [0, -2, -2], [], f"{RUBIES} and wins."),
        ([1, 2, 3], [0, -2, -2], [2], f"{RUBIES} and wins; {{2}} forfeited."),
        (
            *([3, 1, 1], [0, -2, -2], [0]),
            f"{RUBIES} but forfeited, so {{1}} and {{2}} share the first place.",
        ),
        ([3, 1, 2], [0, -2, -3], [0], f"{RUBIES} but forfeited, so {{1}} wins."),
        (
            *([1, 2, 2], [0, -2, -2], [0, 1, 2]),
            f"{RUBIES}, but all seats forfeited, so nobody wins.",
        ),
        (
            *([3, 1, 1], [-1, -2, -2], [0]),
            f"{OVER}; {BOTH} are each 2 cards short and share the first place; {{0}} forfeited.",
        ),
        ([2, 1, 3], [-3, -2, -4], [], f"{OVER}; {{1}} is only 2 cards short and wins."),
    ],
)
def test_the_end_of_a_series_in_words(placements, scores, forfeits, text):
    reason = "limit" if all(scores) else "series"
    step = {"t": "end", "placements": placements, "scores": scores, "reason": reason}
    assert SUCHE.narrate(step | {"forfeits": forfeits}, ROWS) == text


@pytest.mark.parametrize("path", FORMER, ids=lambda path: path.stem)
def test_a_record_of_the_former_rules_stays_true_as_it_is(path):
    record = read(path.read_bytes())
    game = GAMES[record["game"]]
    assert record["rules"] in game.former_rules
    assert record["rules"] != game.rules
    verify(record)
    assert digest(record) == record["digest"]


@pytest.mark.parametrize("path", FORMER, ids=lambda path: path.stem)
@pytest.mark.parametrize("seat", [None, -1, 0])
def test_people_are_told_the_right_winner_of_a_former_record(path, seat):
    record = read(path.read_bytes())
    copied = copy.deepcopy(record) if seat is None else redact(record, seat)
    text = name_winner(copied)["steps"][-1]["text"]
    forfeits = record["outcome"]["forfeits"]
    if not forfeits:
        assert text == record["steps"][-1]["text"]
    elif len(forfeits) == len(record["seats"]):
        assert "nobody wins" in text
    else:
        assert named_winners(text) == first(record)
        assert named_winners(record["steps"][-1]["text"]) == forfeits
    assert record == read(path.read_bytes())


def test_a_former_record_must_tell_the_places_of_the_game_itself():
    record = read((GOLDEN / "former/basari-winner-forfeits.json").read_bytes())
    record["steps"][-1]["placements"] = record["outcome"]["placements"]
    record["digest"] = digest(record)
    with pytest.raises(RecordError) as refused:
        verify(record)
    assert refused.value.place == f"steps[{len(record['steps']) - 1}].placements"


def test_a_record_of_another_game_is_left_alone():
    record = read(FORMER[0].read_bytes()) | {"game": "chess"}
    assert name_winner(record) is record


def own_places(record):
    """The end as it was told by the former rules."""
    record["steps"][-1]["placements"] = [1, 2, 3]
    return f"steps[{len(record['steps']) - 1}].placements"


def pardoned(record):
    record["outcome"]["forfeits"] = []
    return "outcome.forfeits"


def accused(record):
    record["outcome"]["forfeits"] = [0, 1]
    return "outcome.forfeits"


def soften(record):
    """Let the fault be one that costs a move only."""
    for step in record["steps"]:
        if "moves" in step:
            step["fault"] = ["E303" if code else None for code in step["fault"]]
        elif "fault" in step:
            step["fault"] = "E303"
    record["faults"][0]["code"] = "E303"


def forfeit_by_one_soft_fault(record):
    soften(record)
    marked = [s["i"] for s in record["steps"] if s.get("fault") and any(s["fault"])]
    return f"steps[{marked[1]}].fault"


def listed_twice(record):
    record["faults"].append(dict(record["faults"][0]))
    return "faults[1]"


def one_soft_fault_three_times(record):
    soften(record)
    record["faults"] *= 3
    return "faults[1]"


def unmarked(record):
    last = [s for s in record["steps"] if "moves" in s and s["fault"][0]][-1]
    last["fault"][0] = None
    return f"steps[{last['i']}].fault"


@pytest.mark.parametrize(
    "tamper",
    [
        *(own_places, pardoned, accused, forfeit_by_one_soft_fault, listed_twice),
        *(one_soft_fault_three_times, unmarked),
    ],
)
def test_forfeits_follow_from_the_faults(tamper):
    record = abandoned(GAMES["basari"], 3, "leave 1", {0})
    place = tamper(record)
    record["digest"] = digest(record)
    with pytest.raises(RecordError) as refused:
        verify(record)
    assert refused.value.place == place


def test_a_hard_fault_forfeits_and_so_does_the_third_soft_one():
    faults = [
        {"seat": seat, "code": code} for seat, code in [(0, "E303"), (1, "E301"), (2, "E302")]
    ]
    assert list(forfeiting_faults(faults)) == [2]
    third = [*faults, *faults, {"seat": 1, "code": "E306"}]
    assert forfeiting_faults(third) == {2: faults[2], 1: third[-1]}
