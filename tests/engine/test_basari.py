"""Basari: the vectors of its rules and their edges, in positions laid out by hand."""

import re

import pytest

from engine.barter.gems import pack, unpack
from engine.game import IllegalMove, Outcome
from engine.games.basari import GAME
from engine.games.basari.cards import DECK, WORKERS
from engine.games.basari.moves import ACTIONS
from engine.games.basari.state import State
from engine.rng import Rng

EQUAL = "3.3.3.3"


def counts(text):
    return [*map(int, text.split("."))]


def numbers(text):
    return [*map(int, text.split())]


def position(gems, points="", workers="", ages="", cards="", pile="", **options):
    """A first round laid out by hand (`pile` from its top), where everybody chooses an action."""
    hands = [counts(hand) for hand in gems.split()]
    n = len(hands)
    state = State(n, GAME.resolve_options(n, options))
    state.stage = state.round = 1
    state.gems = [pack(hand) for hand in hands]
    state.supply = pack([22 - sum(colour) for colour in zip(*hands, strict=True)])
    state.cards = cards.split() or DECK[-n:]
    state.rows = [[card] for card in state.cards]
    lying = [card for card in DECK if card not in state.cards]
    state.pile = (pile.split() or lying)[::-1]
    state.workers = numbers(workers) or [WORKERS[card] for card in state.cards]
    state.points = numbers(points) or [0] * n
    state.age_rank = numbers(ages) or [*range(n)]
    state.decision, state.asked, state.moves = "CHOOSE_ACTION", tuple(range(n)), ACTIONS[n]
    return state


def do(state, *turns):
    """Play turns one after another; returns the steps told, each with the view after it."""
    steps = []

    def tell(kind, told, fields):
        assert told is state
        steps.append({"t": kind, **fields, "view": GAME.view(state)})

    for turn in turns:
        GAME.play(state, turn.split(", "), Rng(""), tell)
    return steps


def of(kind, steps):
    return [step for step in steps if step["t"] == kind]


def without_view(step):
    return {key: value for key, value in step.items() if key != "view"}


def holdings(step):
    return " ".join(".".join(map(str, seat["gems"])) for seat in step["view"]["seats"])


def test_actions_chosen_alone_bring_workers_points_and_gems_in_this_order():
    state = position(f"{EQUAL} {EQUAL} {EQUAL}", cards="B04 B11 B13", pile="B06 B07 B08 B09")
    steps = do(state, "workers, points, gems")
    acts = of("act", steps)
    assert [without_view(step) for step in acts] == [
        {"t": "act", "seat": 0, "action": "workers", "card": "B06"},
        {"t": "act", "seat": 1, "action": "points", "gained": 5},
        {"t": "act", "seat": 2, "action": "gems", "gained": [2, 0, 0, 1]},
    ]
    sarah, hanna, max_ = acts[-1]["view"]["seats"]
    assert (sarah["workers"], sarah["row"], sarah["card"]) == (5, ["B04", "B06"], "B04")
    assert (hanna["points"], max_["gems"]) == (5, [5, 3, 3, 4])
    assert acts[-1]["view"]["supply"] == [11, 13, 13, 12]
    assert without_view(steps[-1]) == {"t": "deal", "cards": ["B07", "B08", "B09"]}
    assert state.actions == [None] * 3


def test_offers_rise_until_one_is_accepted_and_the_offerer_acts():
    state = position(f"4.3.3.3 3.3.3.4 {EQUAL}", cards="B04 B11 B13")
    offers = ["offer 0.1.0.0", "offer 1.0.0.0", "offer 0.1.1.0", "offer 0.0.0.3"]
    steps = do(state, "points, points, gems", *offers, "accept")
    opening = {"action": "points", "seats": [0, 1], "opener": 0, "why": "red"}
    assert without_view(steps[1]) == {"t": "barter"} | opening
    told = [(step["seat"], step["by"], step["forced"]) for step in of("offer", steps)]
    reasons = ["opening", "value", "number", "number"]
    assert told == [(i % 2, reason, False) for i, reason in enumerate(reasons)]
    (accepted,) = of("accept", steps)
    assert [accepted[key] for key in ("seat", "gems", "to", "from")] == [0, [0, 0, 0, 3], 0, 1]
    assert holdings(accepted) == f"4.3.3.6 3.3.3.1 {EQUAL}"
    assert accepted["view"]["barter"] is None
    assert [of("act", steps)[0][key] for key in ("seat", "gained")] == [1, 5]


@pytest.mark.parametrize(
    ("offer", "standing", "higher"),
    [
        pytest.param("1.0.0.3", "0.4.0.0", True, id="same number, more red"),
        pytest.param("0.0.0.3", "2.0.0.0", True, id="more gems, colour does not matter"),
        pytest.param("1.1.0.0", "1.0.1.0", True, id="same red, more yellow"),
        pytest.param("0.1.0.1", "0.0.2.0", True, id="more yellow beats green"),
        pytest.param("0.1.0.1", "0.1.0.1", False, id="equal is not higher"),
        pytest.param("1.0.0.0", "0.0.0.2", False, id="fewer gems are never higher"),
    ],
)
def test_a_reply_must_beat_the_standing_offer_by_number_then_by_value(offer, standing, higher):
    state = position("6.6.6.6 5.5.5.5 0.0.0.0")
    do(state, "gems, gems, points", f"offer {standing}")
    assert (f"offer {offer}" in GAME.options(state, 1)) is higher
    assert GAME.options(state, 1)[0] == "accept"


@pytest.mark.parametrize(
    ("gems", "points", "workers", "ages", "why"),
    [
        ("4.0.0.0 3.9.9.9", "0 9", "1 9", "0 1", "red"),
        ("3.4.0.0 3.3.9.9", "0 9", "1 9", "0 1", "yellow"),
        ("3.3.4.0 3.3.3.9", "0 9", "1 9", "0 1", "green"),
        ("3.3.3.4 3.3.3.3", "0 9", "1 9", "0 1", "blue"),
        ("3.3.3.3 3.3.3.3", "9 5", "1 9", "0 1", "points"),
        ("3.3.3.3 3.3.3.3", "5 5", "9 8", "0 1", "workers"),
        ("3.3.3.3 3.3.3.3", "5 5", "9 9", "1 0", "age"),
    ],
)
@pytest.mark.parametrize("opener", [0, 1])
def test_the_one_with_the_most_opens_by_the_first_key_that_differs(
    gems, points, workers, ages, why, opener
):
    def seated(first_and_second, third):
        return " ".join([*first_and_second.split()[:: -1 if opener else 1], third])

    state = position(
        seated(gems, "0.0.0.0"), seated(points, "0"), seated(workers, "1"), seated(ages, "2")
    )
    (begun,) = of("barter", do(state, "points, points, gems"))
    assert (begun["opener"], begun["why"]) == (opener, why)
    assert (state.decision, state.asked) == ("BARTER_OPEN", (opener,))


def test_each_action_is_settled_before_the_next_begins():
    state = position(f"{EQUAL} {EQUAL} {EQUAL} 2.9.9.9", ages="0 1 2 3")
    steps = do(state, "gems, gems, points, points", "offer 1.0.0.0", "accept", "offer 1.0.0.0")
    barters = [(step["action"], step["opener"]) for step in of("barter", steps)]
    assert barters == [("points", 2), ("gems", 1)]
    assert [step["t"] for step in steps] == "choose barter offer accept act barter offer".split()


def test_an_opener_with_a_single_gem_must_offer_it():
    state = position(f"0.1.0.0 0.0.9.9 {EQUAL}")
    steps = do(state, "points, points, gems")
    opening = {"t": "offer", "seat": 0, "move": "offer 0.1.0.0", "forced": True, "by": "opening"}
    assert without_view(of("offer", steps)[0]) == opening
    assert (state.decision, state.asked) == ("BARTER_REPLY", (1,))


def test_the_only_gem_of_both_changes_hands_without_asking():
    state = position(f"0.1.0.0 0.0.1.0 {EQUAL}")
    steps = do(state, "points, points, gems")
    assert [step["t"] for step in steps] == "choose barter offer accept act act deal".split()
    assert (steps[3]["seat"], steps[3]["forced"], steps[4]["seat"]) == (1, True, 0)


def test_an_opener_without_gems_leaves_the_action_to_the_other_for_free():
    state = position(f"0.0.0.0 0.0.0.0 {EQUAL}", points="9 5 0", cards="B04 B11 B13")
    steps = do(state, "points, points, gems")
    assert [step["t"] for step in steps[1:4]] == ["barter", "free_win", "act"]
    assert (steps[1]["opener"], steps[1]["view"]["barter"]["to_answer"]) == (0, 0)
    assert without_view(steps[2]) == {"t": "free_win", "seat": 1, "action": "points"}
    assert steps[2]["view"]["barter"] is None
    assert state.points == [9, 10, 0]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_after_the_last_offer_allowed_the_answer_is_to_accept(limit):
    state = position(f"4.3.3.3 {EQUAL} {EQUAL}", max_offers=limit)
    offers = ["offer 0.0.0.1", "offer 0.0.1.0", "offer 0.1.0.0"][:limit]
    (accepted,) = of("accept", do(state, "points, points, gems", *offers))
    assert (accepted["seat"], accepted["forced"]) == (limit % 2, True)


def test_three_who_choose_the_same_get_nothing():
    state = position(" ".join([EQUAL] * 4), cards="B01 B02 B03 B04")
    steps = do(state, "gems, gems, points, gems")
    assert without_view(steps[2]) == {"t": "lapse", "action": "gems", "seats": [0, 1, 3]}
    assert (state.points, [*map(unpack, state.gems)]) == ([0, 0, 4, 0], [[3] * 4] * 4)


def test_gems_missing_in_the_supply_are_not_replaced():
    state = position("20.3.3.1 1.3.3.1 0.3.3.20", cards="B01 B02 B03")
    *_, acted = of("act", do(state, "gems, points, workers"))
    assert acted["gained"] == [1, 1, 0, 0]
    assert acted["view"]["supply"] == [0, 12, 13, 0]


def test_alone_the_free_choice_trades_one_gem_for_two():
    state = position(" ".join([EQUAL] * 5))
    steps = do(state, "points, points, points, gems, free", "trade B RR")
    assert [step["t"] for step in steps] == "choose lapse act free deal".split()
    assert [steps[3][key] for key in ("seat", "move", "forced")] == [4, "trade B RR", False]
    assert unpack(state.gems[4]) == [5, 3, 3, 2]


@pytest.mark.parametrize(
    ("hand", "hoard", "offered"),
    [
        pytest.param("0.0.0.0", "3.3.3.3", [], id="no gem, no trade"),
        pytest.param("0.0.0.1", "22.22.22.21", [("trade B B", True)], id="only that gem"),
        pytest.param("0.0.0.1", "21.22.22.21", [("trade B RB", True)], id="one besides it"),
    ],
)
def test_the_free_choice_alone_takes_what_is_there(hand, hoard, offered):
    state = position(f"{hand} {hoard} 0.0.0.0 0.0.0.0 0.0.0.0")
    steps = of("free", do(state, "free, workers, points, points, points"))
    assert [(step["move"], step["forced"]) for step in steps] == offered


def test_together_the_free_choice_goes_from_the_most_to_the_fewest():
    state = position("2.3.3.3 4.0.0.0 2.3.3.4 1.9.9.9 0.0.0.0")
    steps = do(state, "free, free, free, workers, free", *["pick B"] * 2)
    assert (state.asked, state.picking) == ((0,), [0, 4])
    steps += do(state, "pick R", "pick R")
    assert [step["seat"] for step in of("free", steps)] == [1, 2, 0, 4]


@pytest.mark.parametrize(("blue", "picks"), [(22, []), (21, [0]), (20, [0, 1])])
def test_picks_are_forced_by_a_last_colour_and_end_with_the_supply(blue, picks):
    state = position(f"0.0.0.0 0.0.0.0 0.0.0.0 22.22.22.{blue} 0.0.0.0", workers="5 4 3 2 1")
    steps = of("free", do(state, "free, free, free, workers, points"))
    told = [(step["seat"], step["move"], step["forced"]) for step in steps]
    assert told == [(seat, "pick B", True) for seat in picks]


@pytest.mark.parametrize(
    ("workers", "choices", "ends"),
    [
        pytest.param("14 14 14", "points, points, gems", False, id="14 go on"),
        pytest.param("15 1 1", "points, gems, gems", True, id="15 by the deal"),
        pytest.param("14 1 1", "workers, points, gems", True, id="15 by drawing"),
        pytest.param("13 1 1", "workers, points, gems", False, id="14 by drawing"),
    ],
)
def test_a_stage_ends_after_the_round_in_which_somebody_has_15_workers(workers, choices, ends):
    state = position(f"4.3.3.3 {EQUAL} {EQUAL}", workers=workers, pile="B11 B12 B21 B22")
    steps = do(state, choices)
    if state.decision == "BARTER_OPEN":
        steps += do(state, GAME.fallback(state, state.asked[0]), "accept")
    after_acting = [step["t"] for step in steps][-7:]
    scoring = ["score"] * 4 + ["workers", "stage", "deal"]
    assert (after_acting == scoring) is ends
    assert len(of("act", steps)) == len(set(choices.split(", ")))
    assert (state.stage, state.round) == ((2, 1) if ends else (1, 2))


def test_a_stage_pays_majorities_and_workers_and_takes_gems_back():
    state = position("5.2.4.1 3.6.4.1 2.2.1.1", workers="15 14 17", cards="B01 B02 B03")
    steps = do(state, "points, points, points")
    assert [without_view(step) for step in of("score", steps)] == [
        {"t": "score", "colour": "R", "paid": [14, 0, 0], "returned": [3, 0, 0]},
        {"t": "score", "colour": "Y", "paid": [0, 12, 0], "returned": [0, 3, 0]},
        {"t": "score", "colour": "G", "paid": [5, 5, 0], "returned": [2, 2, 0]},
        {"t": "score", "colour": "B", "paid": [2, 2, 2], "returned": [1, 1, 1]},
    ]
    (paid,) = of("workers", steps)
    assert (paid["count"], paid["paid"]) == ([15, 14, 17], [12, 0, 12])
    assert holdings(paid) == "2.2.2.0 3.3.2.0 2.2.1.0"
    assert [seat["points"] for seat in paid["view"]["seats"]] == [33, 19, 14]
    first = of("score", steps)[0]["view"]["seats"]
    assert [(seat["card"], seat["action"]) for seat in first] == [(None, None)] * 3
    assert [seat["row"] for seat in paid["view"]["seats"]] == [["B01"], ["B02"], ["B03"]]
    (stage,) = of("stage", steps)
    assert (stage["stage"], stage["view"]["round"], stage["view"]["pile"]) == (2, 0, 39)
    assert [(seat["row"], seat["workers"]) for seat in stage["view"]["seats"]] == [([], 0)] * 3


def test_a_colour_nobody_has_is_not_paid():
    state = position("0.1.0.0 0.0.0.0 0.0.0.0", workers="15 1 1")
    red, *_ = of("score", do(state, "points, points, points"))
    assert (red["paid"], red["returned"]) == ([0, 0, 0], [0, 0, 0])


@pytest.mark.parametrize(
    ("points", "scores", "places"),
    [
        ("62 62 49", [80, 80, 61], [1, 1, 3]),
        ("43 62 68", [61, 80, 80], [3, 1, 1]),
        ("1 1 7", [19, 19, 19], [1, 1, 1]),
        ("1 2 9", [19, 20, 21], [3, 2, 1]),
    ],
)
def test_equal_points_share_a_place_whatever_gems_are_left(points, scores, places):
    state = position("0.5.0.0 0.5.0.0 0.4.0.0", points, workers="15 15 15")
    state.stage = 3
    assert GAME.outcome(state) is None
    *_, end = do(state, "gems, gems, gems")
    assert without_view(end) == {"t": "end", "placements": places, "scores": scores}
    assert holdings(end) == "0.3.0.0 0.3.0.0 0.4.0.0"
    assert GAME.outcome(state) == Outcome(places, scores, "completed")
    assert GAME.to_move(state) == ()
    assert all(seat["row"] for seat in end["view"]["seats"])
    with pytest.raises(ValueError, match="over"):
        GAME.play(state, ["points"] * 3, Rng(""))


def test_a_seat_without_a_card_gains_nothing_and_the_stage_ends():
    state = position(f"{EQUAL} {EQUAL} {EQUAL} {EQUAL}", pile="B01 B02")
    steps = do(state, "points, points, points, points", "workers, gems, points, points")
    assert of("deal", steps)[0]["cards"] == ["B01", "B02", None, None]
    assert of("act", steps)[0]["card"] is None
    steps = do(state, "offer 0.0.0.1", "accept")
    assert [step["gained"] for step in of("act", steps)] == [0, [2, 0, 2, 0]]
    assert of("workers", steps)[0]["paid"] == [0] * 4
    assert (state.stage, len(state.pile)) == (2, 35)
    state = position(f"{EQUAL} {EQUAL} {EQUAL}", pile="B01 B02")
    do(state, "gems, gems, gems")
    assert of("act", do(state, "points, workers, gems"))[-1]["gained"] == [0, 0, 0, 0]


def test_the_last_card_of_the_pile_ends_the_stage():
    state = position(f"{EQUAL} {EQUAL} {EQUAL}", pile="B01")
    assert of("act", do(state, "workers, points, gems"))[0]["card"] == "B01"
    assert (state.stage, state.round) == (2, 1)


BARTER = "points, points, gems"
TRADE = "points, points, points, workers, free"
PICK = "points, points, points, free, free"
PAIR = "4.0.2.0 3.0.0.9 0.0.0.0"
FIVE = f"{EQUAL} {EQUAL} {EQUAL} 0.3.3.3 0.3.3.0"
ONE_RED_LEFT = FIVE.replace("3.3.3.3", "7.3.3.3")
NO_RED_LEFT = ONE_RED_LEFT.replace("7", "8", 1)


@pytest.mark.parametrize(
    ("gems", "turns", "decision", "move"),
    [
        (PAIR, [], "CHOOSE_ACTION", "points"),
        (PAIR, [BARTER], "BARTER_OPEN", "offer 0.0.1.0"),
        (PAIR, [BARTER, "offer 1.0.0.0"], "BARTER_REPLY", "accept"),
        (FIVE, [TRADE], "FREE_TRADE", "trade G RR"),
        (ONE_RED_LEFT, [TRADE], "FREE_TRADE", "trade G RY"),
        (NO_RED_LEFT, [TRADE], "FREE_TRADE", "trade G YY"),
        (FIVE, [PICK], "FREE_PICK", "pick R"),
        (NO_RED_LEFT, [PICK], "FREE_PICK", "pick Y"),
    ],
)
def test_the_move_for_a_seat_that_failed_is_the_one_of_the_rules(gems, turns, decision, move):
    state = position(gems)
    do(state, *turns)
    assert state.decision == decision
    assert GAME.fallback(state, state.asked[0]) == move
    assert move in GAME.options(state, state.asked[0])


@pytest.mark.parametrize(
    ("gems", "turns", "move", "reason"),
    [
        (f"{EQUAL} {EQUAL} {EQUAL}", [], "free", "say workers, points or gems"),
        (FIVE, [], "money", "say workers, points, gems or free"),
        (PAIR, [BARTER], "decline", "say 'offer R.Y.G.B' with four counts"),
        (PAIR, [BARTER], "accept", "'accept' is not a move here"),
        (PAIR, [BARTER], "offer 0.0.0.0", "at least one gem"),
        (PAIR, [BARTER], "offer 0.1.0.0", "needs 1 yellow and you have 0"),
        (PAIR, [BARTER, "offer 1.0.0.0"], "decline", "say 'accept' or 'offer"),
        (PAIR, [BARTER, "offer 1.0.0.0"], "offer 1.0.0.0", "1 red is on the"),
        (FIVE, [TRADE], "trade R RY", "You have no red gem to give"),
        (FIVE, [TRADE], "trade G R", "You take two gems, not 1"),
        (FIVE, [TRADE], "trade G YR", "rank order: 'trade G RY'"),
        (FIVE, [TRADE], "pick R", "such as 'trade B RY'"),
        (NO_RED_LEFT, [PICK], "pick R", "no red gem left in the supply"),
        (FIVE, [PICK], "trade B RY", "such as 'pick R'"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(gems, turns, move, reason):
    state = position(gems)
    do(state, *turns)
    seen = GAME.view(state, 0)
    seat = state.asked[0]
    assert reason in str(GAME.illegal_reason(state, seat, move))
    assert move not in GAME.options(state, seat)
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        GAME.play(state, [move] * len(state.asked), Rng(""))
    assert GAME.view(state, 0) == seen


def test_only_a_seat_that_is_asked_may_move():
    state = position(PAIR)
    do(state, BARTER)
    assert GAME.illegal_reason(state, 1, "accept") == "It is not your turn."
    assert GAME.illegal_reason(state, 0, "offer 4.0.2.0") is None
    assert [*GAME.options(state, 1)] == []
    with pytest.raises(ValueError, match="1 seats are asked, 2 moves were given"):
        GAME.play(state, ["offer 1.0.0.0"] * 2, Rng(""))
