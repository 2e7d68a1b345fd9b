"""Redacted copies hold exactly what their seat may know, and insight tells nobody too much."""

import copy
import json

import pytest

from engine.game import PUBLIC
from engine.games.edelsteinsuche.cards import CARDS, title
from engine.games.edelsteinsuche.insight import exchanges_to_win
from engine.games.edelsteinsuche.state import State, list_choices
from engine.record.insight import insight
from engine.record.patch import apply
from engine.record.reading import RecordError, check_form
from engine.record.redact import HIDDEN_DETAIL, redact
from engine.registry import GAMES
from tests.engine.tables import every_table, recorded

SUCHE = GAMES["edelsteinsuche"]


def watched(game, seats, seed, options=None):
    """A record, and after each step what every seat and the public could see of the table."""
    seen = []

    def look(state, _):
        spectator = game.view(state)
        views = {s: game.view(state, s) for s in (*range(seats), PUBLIC)}
        seen.append({s: {key: view[key] for key in spectator} for s, view in views.items()})

    return recorded(game, seats, seed, options, look), seen


def reduced(record):
    view = copy.deepcopy(record["steps"][0]["view"])
    yield copy.deepcopy(view)
    for step in record["steps"][1:]:
        apply(view, step["set"])
        yield copy.deepcopy(view)


@every_table
def test_the_steps_of_a_copy_add_up_to_what_that_seat_could_see(game, seats):
    record, seen = watched(game, seats, "redacted")
    whole = copy.deepcopy(record)
    for seat in (*range(seats), PUBLIC):
        redacted = redact(record, seat)
        assert redacted["redacted"] == ("public" if seat == PUBLIC else seat)
        assert {"seed", "digest"}.isdisjoint(redacted)
        for i, view in enumerate(reduced(redacted)):
            assert view == seen[i][seat], f"step {i}"
    assert record == whole, "the record itself must not change"


@pytest.mark.parametrize("seats", SUCHE.seats)
def test_no_step_of_a_copy_names_a_card_its_seat_does_not_know(seats):
    record, seen = watched(SUCHE, seats, "names", {"max_turns_per_seat": 20})
    for seat in (*range(seats), PUBLIC):
        for step, views in zip(redact(record, seat)["steps"], seen, strict=True):
            known = json.dumps(views[seat])
            told = json.dumps(step)
            # A drawn card is in the hand until it is placed; a shown one lies in a row.
            for card in CARDS:
                if f'"{card}"' in told or title(card) in step["text"]:
                    assert f'"{card}"' in known, f"step {step['i']} names {card} to {seat}"


def test_who_knows_a_card_stays_in_the_copy_as_all_moves_are_public():
    record = recorded(SUCHE, 3, "for")
    for before, after in zip(record["steps"], redact(record, 1)["steps"], strict=True):
        assert after.get("for") == before.get("for")


def test_a_copy_of_a_game_without_hidden_cards_shows_the_same_table():
    record = recorded(GAMES["basari"], 3, "open")
    steps = redact(record, PUBLIC)["steps"]
    assert [step.get("set") for step in steps] == [step.get("set") for step in record["steps"]]


def test_notes_are_for_the_seat_that_wrote_them():
    record = recorded(GAMES["edel-stein-reich"], 3, "notes")
    choice = next(step for step in record["steps"] if step["t"] == "choose")
    choice["note"] = ["mine", None, "yours"]
    answer = next(step for step in record["steps"] if step["t"] == "offer")
    answer["note"] = "a plan"
    for seat in range(3):
        steps = redact(record, seat)["steps"]
        own = [note if s == seat else None for s, note in enumerate(choice["note"])]
        assert steps[choice["i"]].get("note") == (own if any(own) else None)
        assert ("note" in steps[answer["i"]]) is (seat == answer["seat"])
    assert "note" not in json.dumps(redact(record, PUBLIC))


def test_why_a_move_was_refused_may_name_a_hidden_card_and_is_for_its_seat_only():
    record = recorded(SUCHE, 2, "faults")
    fault = {"step": 3, "seat": 1, "code": "E301", "detail": "You drew Sapphire 4; …"}
    record["faults"] = [fault]
    assert redact(record, 1)["faults"] == [fault]
    for other in (0, PUBLIC):
        assert redact(record, other)["faults"] == [fault | {"detail": HIDDEN_DETAIL}]


def test_a_copy_is_not_mistaken_for_a_record_and_a_false_record_is_not_copied():
    record = recorded(SUCHE, 2, "false")
    with pytest.raises(RecordError, match="hides cards"):
        check_form(redact(record, 0) | {"seed": "", "digest": ""})
    for spoil, place in (
        (lambda r: r.update(rules="0.9"), "rules"),
        (lambda r: r.update(game="chess"), "game"),
        (lambda r: r.update(options={"dealer": 9}), "options"),
        (lambda r: r["steps"][2].update(move="draw 9.9"), r"steps\[2\]\.move"),
        (lambda r: r["steps"].pop(), r"steps\["),
        (lambda r: r["steps"][1].update(t="more"), r"steps\[1\]"),
        (lambda r: r["steps"][1].pop("move"), r"steps\[1\]"),
    ):
        spoilt = copy.deepcopy(record)
        spoil(spoilt)
        with pytest.raises(RecordError, match=place):
            redact(spoilt, 0)


@pytest.mark.parametrize("slug", ["edel-stein-reich", "basari"])
def test_if_scored_now_is_what_the_next_scoring_pays(slug):
    record = recorded(GAMES[slug], 4, "scored")
    scored = insight(record)["scored"]
    money = "money" if slug == "edel-stein-reich" else "points"
    views = list(reduced(record))
    for i, step in enumerate(record["steps"]):
        if step["t"] in ("certificates", "workers", "end"):
            assert scored[i] == [seat[money] for seat in views[i]["seats"]]
    assert len(scored) == len(record["steps"])


def test_the_last_round_of_a_stage_is_announced_before_the_scoring():
    record = recorded(GAMES["basari"], 3, "last round")
    remarks = insight(record, PUBLIC)["remarks"]
    views = list(reduced(record))
    assert [remark["kind"] for remark in remarks] == ["last-round"] * 3
    for remark in remarks:
        workers = [seat["workers"] for seat in views[remark["i"]]["seats"]]
        assert workers[remark["seat"]] == max(workers) >= 15
        assert f"{max(workers)} workers: the stage ends after this round" in remark["text"]


def lying(rows, types, up=(), knows=None):
    """A position of seat 0 with these rows; `knows` are the cards it has seen elsewhere."""
    state = State(len(types), SUCHE.resolve_options(len(types)))
    state.types = list(types)
    state.cards = " ".join(rows).split()
    for at, card in enumerate(state.cards):
        state.up[at] = card in up
        if knows is None or card in knows:
            state.knowers[at] |= 1
    list_choices(state)
    return state


@pytest.mark.parametrize(
    ("row", "rest", "needed"),
    [
        pytest.param("O1 O2 O3 S2 E3", ("R1 O4 E5 R4 O5",), 2, id="two in another row"),
        pytest.param("O1 O2 O3 O4 E3", ("R1 S2 E5 R4 O5",), 3, id="one lies in its own slot"),
        pytest.param("O1 O2 O3 O5 E3", ("R1 O4 E5 R4 S5",), 2, id="sent out by the way"),
        pytest.param("O1 O2 O3 O5 O4", ("R1 S2 E5 R4 S5",), 3, id="two wait for each other"),
    ],
)
def test_the_exchanges_that_complete_a_series_are_counted(row, rest, needed):
    rows = [row, *rest, "S1 E2 R3 S4 S3", "E1 R2 S5 E4 R5"]
    state = lying(rows, "OSE", up=("O1", "O2", "O3"))
    assert exchanges_to_win(state, 0) == needed


def test_who_does_not_know_where_a_card_is_cannot_plan_to_win():
    rows = ["O1 O2 O3 S2 E3", "R1 O4 E5 R4 O5", "S1 E2 R3 S4 S3", "E1 R2 S5 E4 R5"]
    state = lying(rows, "OSE", up=("O1", "O2", "O3"), knows={"O4"})
    state.knowers[9] = 0
    assert exchanges_to_win(state, 0) is None


def test_a_missed_win_is_told_to_its_seat_and_to_those_who_see_everything():
    record = recorded(SUCHE, 3, "x")
    remarks = insight(record)["remarks"]
    assert remarks
    for remark in remarks:
        turn = record["steps"][remark["i"]]
        assert (turn["t"], turn["seat"]) == ("turn", remark["seat"])
        assert remark["kind"] == "missed-win"
        assert insight(record, remark["seat"])["remarks"].count(remark) == 1
    for seat in (PUBLIC, 0, 1, 2):
        assert all(remark["seat"] == seat for remark in insight(record, seat)["remarks"])
