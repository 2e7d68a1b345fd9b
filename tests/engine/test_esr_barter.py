"""Edel, Stein & Reich: the barter between two who chose the same action."""

import re
from itertools import product

import pytest
from hypothesis import assume, given, settings, strategies as st

from engine.game import IllegalMove
from engine.games.edel_stein_reich import GAME
from engine.rng import Rng
from tests.engine.test_esr_actions import (
    EQUAL,
    NONE,
    counts,
    do,
    holdings,
    kinds,
    money,
    of,
    position,
    told,
)


@pytest.mark.parametrize(
    ("action", "turns", "performer", "gained"),
    [
        pytest.param("money", ["accept"], 0, 4, id="the opener's money"),
        pytest.param("money", ["offer 1.0.0.0", "accept"], 1, 7, id="the other's money"),
        pytest.param("gems", ["accept"], 0, [1, 1, 2, 0], id="the opener's gems"),
        pytest.param("gems", ["offer 1.0.0.0", "accept"], 1, [1, 0, 1, 0], id="the other's gems"),
    ],
)
def test_whose_offer_was_accepted_acts_with_its_own_card(action, turns, performer, gained):
    state = position(" ".join([EQUAL] * 5), cards="E04 E24 E01 E02 E03")
    steps = do(state, f"{action}, {action}, event, event, event", "offer 0.0.0.1", *turns)
    assert told("act", steps) == [{"seat": performer, "action": action, "gained": gained}]
    assert told("accept", steps)[0]["to"] == 1 - performer


def test_the_winner_of_a_barter_for_the_event_chooses_its_source():
    state = position(f"{EQUAL} {EQUAL} {EQUAL}")
    do(state, "event, event, gems", "offer 0.0.0.1", "offer 0.1.0.0", "accept")
    assert (state.decision, state.asked) == ("EVENT_SOURCE", (1,))


def test_offers_rise_by_number_or_value_until_one_is_accepted():
    miriam, peter = 0, 1
    state = position(f"{EQUAL} 3.3.4.3 5.5.5.5", cards="E01 E17 E02", money="2 3 0")
    offers = ["1.0.0.0", "0.0.0.2", "0.1.1.0", "1.0.0.1", "0.0.3.0", "1.0.0.2"]
    steps = do(state, "money, money, gems", *(f"offer {offer}" for offer in offers), "accept")
    assert told("barter", steps)[0] == {
        "action": "money", "seats": [0, 1], "opener": miriam, "why": "green"
    }  # fmt: skip
    reasons = ["opening", "number", "value", "value", "number", "value"]
    assert told("offer", steps) == [
        {"seat": turn % 2, "move": f"offer {offer}", "forced": False, "by": reason}
        for turn, (offer, reason) in enumerate(zip(offers, reasons, strict=True))
    ]
    for turn, step in enumerate(of("offer", steps)):
        assert holdings(step["view"]) == f"{EQUAL} 3.3.4.3 5.5.5.5"
        assert step["view"]["barter"] == {
            "action": "money", "seats": [0, 1], "opener": miriam, "offer": counts(offers[turn]),
            "by": turn % 2, "to_answer": 1 - turn % 2, "offers": turn + 1
        }  # fmt: skip
    moved = {"gems": [1, 0, 0, 2], "to": miriam, "from": peter}
    assert told("accept", steps) == [{"seat": 0, "move": "accept", "forced": False, **moved}]
    accepted, acted = of("accept", steps)[0]["view"], of("act", steps)[0]["view"]
    assert (accepted["barter"], accepted["supply"]) == (None, [11, 11, 10, 11])
    assert holdings(accepted) == "4.3.3.5 2.3.4.1 5.5.5.5"
    assert money(acted) == [2, 9, 0]


@pytest.mark.parametrize(
    ("offer", "standing", "higher"),
    [
        pytest.param("1.0.0.3", "0.4.0.0", True, id="same number, more red"),
        pytest.param("0.0.0.3", "2.0.0.0", True, id="more gems, colour does not matter"),
        pytest.param("1.1.0.0", "1.0.1.0", True, id="same red, more yellow"),
        pytest.param("0.1.0.1", "0.0.2.0", True, id="yellow and blue beat two green"),
        pytest.param("0.0.1.1", "0.0.0.2", True, id="green beats blue"),
        pytest.param("0.1.0.1", "0.1.0.1", False, id="equal is not higher"),
        pytest.param("1.0.0.0", "0.0.0.2", False, id="fewer gems are never higher"),
    ],
)
def test_a_reply_must_beat_the_standing_offer_by_number_then_by_value(offer, standing, higher):
    state = position("5.5.5.5 6.6.6.6 0.0.0.0")
    do(state, "gems, gems, money", f"offer {standing}")
    assert (f"offer {offer}" in GAME.options(state, 1)) is higher
    assert (GAME.illegal_reason(state, 1, f"offer {offer}") is None) is higher


hands = st.tuples(*[st.integers(0, 3)] * 4)


@given(hands, hands, st.data())
@settings(max_examples=40, deadline=None)
def test_the_options_are_a_word_and_all_higher_offers_of_own_gems_from_low_to_high(a, b, data):
    assume(sum(a) and a <= b)

    def above(standing, own):
        parts = product(*(range(count + 1) for count in own))
        higher = [part for part in parts if (sum(part), part) > (sum(standing), standing)]
        in_order = sorted(higher, key=lambda part: (sum(part), part))
        return ["offer " + ".".join(map(str, part)) for part in in_order]

    def listed(seat):
        options = GAME.options(state, seat)
        assert [options[i] for i in range(len(options))] == [*options]
        return [*options]

    state = position(f"{'.'.join(map(str, a))} {'.'.join(map(str, b))} {EQUAL}")
    do(state, "gems, gems, money")
    assert listed(0) == ["decline", *above((0, 0, 0, 0), a)]
    offer = data.draw(st.sampled_from(listed(0)[1:]))
    answers = above(tuple(counts(offer.removeprefix("offer "))), b)
    steps = do(state, offer)
    assert bool(of("accept", steps)) is (not answers)
    if answers:
        assert listed(1) == ["accept", *answers]


@pytest.mark.parametrize(
    ("gems", "money", "ages", "why"),
    [
        ("2.9.9.9 3.0.0.0", "9 0", "1 0", "red"),
        ("3.2.9.9 3.3.0.0", "9 0", "1 0", "yellow"),
        ("3.3.2.9 3.3.3.0", "9 0", "1 0", "green"),
        ("3.3.3.2 3.3.3.3", "9 0", "1 0", "blue"),
        (f"{EQUAL} {EQUAL}", "9 12", "2 0", "money"),
        (f"{EQUAL} {EQUAL}", "9 9", "0 2", "age"),
    ],
)
@pytest.mark.parametrize("opener", [0, 1])
@pytest.mark.parametrize("action", ["money", "event", "gems"])
def test_the_one_with_the_fewest_opens_by_the_first_key_that_differs(
    gems, money, ages, why, opener, action
):
    def seated(first_and_second, others):
        return " ".join([*first_and_second.split()[:: -1 if opener else 1], others])

    state = position(
        seated(gems, f"{NONE} {NONE} {NONE}"),
        money=seated(money, "0 0 0"),
        ages=seated(ages, "3 4 " + ("1" if "2" in ages else "2")),
    )
    steps = do(state, f"{action}, {action}, free, free, free")
    assert told("barter", steps) == [
        {"action": action, "seats": [0, 1], "opener": opener, "why": why}
    ]
    assert (state.decision, state.asked) == ("BARTER_OPEN", (opener,))
    assert GAME.view(state)["barter"] == {
        "action": action, "seats": [0, 1], "opener": opener, "offer": None,
        "by": None, "to_answer": opener, "offers": 0
    }  # fmt: skip


def test_after_a_decline_the_other_may_give_one_gem_and_act():
    state = position(f"3.0.3.3 3.0.3.4 {EQUAL}", cards="E01 E30 E02")
    steps = do(state, "money, money, gems", "decline")
    assert told("decline", steps) == [{"seat": 0, "move": "decline", "forced": False}]
    assert GAME.view(state)["barter"]["to_answer"] == 1
    assert state.decision == "BARTER_SINGLE"
    offers = ["decline", "offer 0.0.0.1", "offer 0.0.1.0", "offer 1.0.0.0"]
    assert [*GAME.options(state, 1)] == offers
    steps = do(state, "offer 0.0.0.1")
    made = {"seat": 1, "move": "offer 0.0.0.1", "forced": False, "by": "single"}
    assert told("offer", steps) == [made]
    assert steps[0]["view"]["barter"]["offers"] == 1
    moved = {"gems": [0, 0, 0, 1], "to": 0, "from": 1}
    assert told("accept", steps) == [{"seat": 0, "move": "accept", "forced": True, **moved}]
    assert holdings(steps[1]["view"]) == f"3.0.3.4 3.0.3.3 {EQUAL}"
    assert told("act", steps)[0] == {"seat": 1, "action": "money", "gained": 7}


@pytest.mark.parametrize("action", ["money", "gems"])
def test_after_two_declines_nobody_acts(action):
    state = position(" ".join([EQUAL] * 5))
    do(state, f"{action}, {action}, event, event, event")
    first, second, lapsed, *_, dealt = do(state, "decline", "decline")
    assert (first["t"], second["t"], dealt["t"]) == ("decline", "decline", "deal")
    assert (first["view"]["barter"]["to_answer"], second["view"]["barter"]) == (1, None)
    assert told("lapse", [lapsed]) == [{"action": action, "seats": [0, 1]}]
    assert holdings(dealt["view"]) == " ".join([EQUAL] * 5)
    assert money(dealt["view"]) == [0] * 5


def test_an_event_that_two_declined_stays_open_until_the_round_ends():
    state = position(f"{EQUAL} {EQUAL} {EQUAL} {EQUAL}", "V30")
    steps = do(state, "event, event, gems, money", "decline", "decline")
    assert kinds(steps[2:]) == "barter decline decline lapse act deal"
    *before, dealt = [step["view"] for step in steps]
    assert all(view["event"] == "V30" and not view["event_discards"] for view in before)
    assert dealt["event_discards"] == ["V30"]


def test_an_opener_without_gems_declines_without_being_asked():
    state = position(f"{NONE} 0.1.0.0 {EQUAL}")
    steps = do(state, "money, money, gems")
    assert told("decline", steps) == [{"seat": 0, "move": "decline", "forced": True}]
    assert (state.decision, state.asked) == ("BARTER_SINGLE", (1,))


def test_two_without_gems_both_decline_without_being_asked():
    state = position(f"{NONE} {NONE} {EQUAL}", ages="2 0 1")
    steps = do(state, "money, money, gems")
    assert [(step["seat"], step["forced"]) for step in of("decline", steps)] == [
        (1, True), (0, True)
    ]  # fmt: skip
    assert kinds(steps) == "choose barter decline decline lapse act deal"


@pytest.mark.parametrize(
    ("gems", "offer", "forced"),
    [
        pytest.param("0.3.0.0 2.0.0.0", "0.3.0.0", True, id="too few gems"),
        pytest.param("2.0.0.0 2.0.0.0", "2.0.0.0", True, id="as many of equal value"),
        pytest.param("1.0.2.0 1.1.0.0", "0.0.2.0", False, id="one higher offer is left"),
        pytest.param("0.2.0.0 1.0.0.1", "0.2.0.0", False, id="equally many of higher value"),
    ],
)
def test_who_cannot_offer_more_accepts_without_being_asked(gems, offer, forced):
    state = position(f"{gems} {EQUAL}", cards="E01 E02 E03")
    steps = do(state, "money, money, gems", f"offer {offer}")
    assert [step["forced"] for step in of("accept", steps)] == [True] * forced
    assert (state.decision == "BARTER_REPLY") is not forced


@pytest.mark.parametrize("limit", [1, 2, 3, 60])
def test_after_the_last_offer_allowed_the_other_must_accept(limit):
    options = {} if limit == 60 else {"max_offers": limit}
    state = position(f"{EQUAL} {EQUAL} {EQUAL}", **options)
    steps = do(state, "money, money, gems", "offer 0.0.0.1")
    while not of("accept", steps):
        steps += do(state, GAME.options(state, state.asked[0])[1])
    assert len(of("offer", steps)) == limit
    (accepted,) = of("accept", steps)
    assert (accepted["seat"], accepted["forced"]) == (limit % 2, True)


TWO_BARTER = "money, money, event, event, event"
POOR_AND_RICH = f"1.0.2.0 3.0.0.9 {NONE} {NONE} {NONE}"


@pytest.mark.parametrize(
    ("turns", "decision", "move"),
    [
        ([], "BARTER_OPEN", "decline"),
        (["decline"], "BARTER_SINGLE", "decline"),
        (["offer 0.0.1.0"], "BARTER_REPLY", "accept"),
    ],
)
def test_a_seat_that_failed_declines_or_accepts(turns, decision, move):
    state = position(POOR_AND_RICH)
    do(state, TWO_BARTER, *turns)
    assert state.decision == decision
    assert GAME.fallback(state, state.asked[0]) == move


@pytest.mark.parametrize(
    ("turns", "move", "reason"),
    [
        ([], "offer 0.0.0.0", "An offer needs at least one gem."),
        ([], "offer 2.0.0.0", "The offer needs 2 red and you have 1."),
        ([], "offer 1.1.0.0", "The offer needs 1 yellow and you have 0."),
        ([], "offer 0.0.3.0", "The offer needs 3 green and you have 2."),
        ([], "accept", "say 'decline' or 'offer R.Y.G.B' with four counts."),
        ([], "offer 1.0.0", "'offer 1.0.0' is not a move here"),
        ([], "offer 1.0.0.0.0", "is not a move here"),
        ([], "offer 01.0.0.0", "is not a move here"),
        ([], "offer +1.0.0.0", "is not a move here"),
        ([], "offer 1.0.0.0 ", "is not a move here"),
        (["decline"], "accept", "say 'decline', or offer one gem that you have."),
        (["decline"], "offer 0.0.0.2", "offer one gem that you have."),
        (["decline"], "offer 0.1.0.0", "offer one gem that you have."),
        (["offer 1.0.0.0"], "decline", "say 'accept' or 'offer R.Y.G.B' with four counts."),
        (["offer 1.0.0.0"], "offer 0.0.1.1", "The offer needs 1 green and you have 0."),
        (
            ["offer 1.0.0.0"],
            "offer 1.0.0.0",
            "1 red is on the table; a higher offer needs more gems, or one of higher value.",
        ),
        (
            ["offer 1.0.0.0", "offer 0.0.0.2"],
            "offer 1.0.0.0",
            "2 blue is on the table; a higher offer needs more gems, or two of higher value.",
        ),
        (
            ["offer 1.0.1.0"],
            "offer 0.0.0.2",
            "1 red and 1 green are on the table; a higher offer needs more gems, or two",
        ),
    ],
)
def test_a_move_that_is_not_allowed_is_refused_with_the_reason(turns, move, reason):
    state = position(POOR_AND_RICH)
    do(state, TWO_BARTER, *turns)
    (seat,), before = state.asked, GAME.view(state, 0)
    assert reason in str(GAME.illegal_reason(state, seat, move))
    assert move not in GAME.options(state, seat)
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        GAME.play(state, [move], Rng(""))
    assert GAME.view(state, 0) == before


def test_only_the_seat_that_is_asked_may_answer():
    state = position(POOR_AND_RICH)
    do(state, TWO_BARTER)
    assert GAME.to_move(state) == (0,)
    assert GAME.illegal_reason(state, 1, "accept") == "It is not your turn."
    assert GAME.illegal_reason(state, 0, "decline") is None
    assert [*GAME.options(state, 1)] == []
    with pytest.raises(ValueError, match="1 seats are asked, 2 moves were given"):
        GAME.play(state, ["decline", "decline"], Rng(""))
