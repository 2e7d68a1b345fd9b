"""Edel, Stein & Reich: the actions of a round, in positions laid out by hand."""

import re
from itertools import product

import pytest

from engine.barter.gems import pack
from engine.game import IllegalMove
from engine.games.edel_stein_reich import GAME
from engine.rng import Rng

ASIDE = {3: 6, 4: 2, 5: 0}
ROUNDS = {3: 8, 4: 7, 5: 6}
GEM_CARDS = [f"E{number:02}" for number in range(1, 31)]
EVENT_CARDS = [f"V{number:02}" for number in range(1, 40)]
EQUAL = "3.3.3.3"
NONE = "0.0.0.0"


def counts(text):
    return [*map(int, text.split("."))]


def numbers(text, n):
    return [*map(int, text.split())] or [0] * n


def lay(state, gems):
    """Give each seat these gems; the supply has the others."""
    hands = [counts(hand) for hand in gems.split()]
    state.gems = [*map(pack, hands)]
    state.supply = pack([22 - sum(colour) for colour in zip(*hands, strict=True)])


def position(gems, event="V11", *, money="", ages="", cards="", held="", pile="", **more):
    """A table laid out by hand where everybody chooses: `1.0.0.0` is a red gem, `/` parts seats.

    With a `pile` only those event cards lie face down, the first on top, and all others below them
    face up. `last` makes it the last round of its phase.
    """
    last, phase = more.pop("last", False), more.pop("phase", 1)
    n = len(gems.split())
    state = GAME.start(n, more, Rng("table"))
    lay(state, gems)
    state.phase, state.round = phase, ROUNDS[n] if last else 1
    state.money = numbers(money, n)
    state.age_rank = [*map(int, ages.split())] or [*range(n)]
    state.cards = cards.split() or GEM_CARDS[:n]
    rest = [card for card in GEM_CARDS if card not in state.cards]
    state.set_aside, rest = rest[: ASIDE[n]], rest[ASIDE[n] :]
    state.aside = state.set_aside[-1] if state.set_aside else None
    state.used, state.gem_pile = (rest, []) if last else ([], rest)
    state.event = event
    state.held = [part.split() for part in held.split("/")] if held else [[] for _ in range(n)]
    gone = {event, *held.split(), *pile.split()}
    rest = [card for card in EVENT_CARDS if card not in gone]
    state.event_pile, state.discards = (pile.split()[::-1], rest) if pile else (rest, [])
    return state


def do(state, *turns, rng=None):
    """Play turns one after another; returns the steps told, each with the view after it."""
    steps = []

    def tell(kind, table, fields):
        steps.append({"t": kind, **fields, "view": GAME.view(table, 0)})

    for turn in turns:
        GAME.play(state, turn.split(", "), rng or Rng(""), tell)
    return steps


def of(kind, steps):
    return [step for step in steps if step["t"] == kind]


def told(kind, steps):
    """What was told in the steps of a kind, without their views."""
    return [
        {key: step[key] for key in step if key not in ("t", "view")} for step in of(kind, steps)
    ]


def kinds(steps):
    return " ".join(step["t"] for step in steps)


def holdings(view):
    return " ".join(".".join(map(str, seat["gems"])) for seat in view["seats"])


def money(view):
    return [seat["money"] for seat in view["seats"]]


def test_two_who_want_the_same_barter_while_others_act_freely():
    state = position(" ".join([EQUAL] * 4), cards="E17 E24 E01 E02")
    steps = do(state, "money, money, event, gems", "offer 0.0.0.1", "accept", "open")
    assert kinds(steps) == "choose barter offer accept act source keep act deal"
    chosen = {"moves": ["money", "money", "event", "gems"], "forced": [False] * 4}
    assert told("choose", steps) == [chosen]
    assert told("act", steps) == [
        {"seat": 0, "action": "money", "gained": 6},
        {"seat": 3, "action": "gems", "gained": [2, 0, 0, 2]},
    ]


def test_three_who_want_the_same_get_nothing():
    state = position(" ".join([EQUAL] * 4))
    steps = do(state, "money, money, money, event")
    assert told("lapse", steps) == [{"action": "money", "seats": [0, 1, 2]}]
    assert kinds(steps) == "choose lapse"
    assert (state.decision, state.asked, money(GAME.view(state))) == ("EVENT_SOURCE", (3,), [0] * 4)


def test_two_pairs_barter_one_after_the_other_and_the_free_choice_comes_last():
    state = position(" ".join([EQUAL] * 5))
    steps = do(state, "gems, gems, money, money, free", "offer 1.0.0.0", "accept")
    assert [(step["action"], step["seats"]) for step in of("barter", steps)] == [
        ("money", [2, 3]), ("gems", [0, 1])
    ]  # fmt: skip
    do(state, "decline", "decline")
    assert (state.decision, state.asked) == ("FREE_TRADE", (4,))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_every_choice_of_actions_is_resolved_in_order_and_by_the_number_of_choosers(n):
    actions = ["money", "event", "gems", "free"][: 4 if n == 5 else 3]
    for moves in product(actions, repeat=n):
        state = position(" ".join([EQUAL] * n))
        steps = do(state, ", ".join(moves))
        while steps[-1]["t"] != "deal":
            answer = "offer 0.0.0.1" if state.decision == "BARTER_OPEN" else None
            steps += do(state, answer or GAME.fallback(state, state.asked[0]))
        expected = ["choose"]
        for action in actions:
            choosers = moves.count(action)
            performed = ["source", "keep"] if action == "event" else ["act"]
            if action == "free":
                expected += ["free"] * choosers
            elif choosers > 2:
                expected.append("lapse")
            elif choosers:
                expected += ["barter", "offer", "accept"] * (choosers == 2) + performed
        assert kinds(steps).split() == [*expected, "deal"], moves
        assert told("lapse", steps) == [
            {"action": action, "seats": [seat for seat in range(n) if moves[seat] == action]}
            for action in actions[:3]
            if moves.count(action) > 2
        ]


def test_an_event_carried_out_before_changes_who_opens_the_next_barter():
    state = position(f"{EQUAL} 2.3.3.3 {EQUAL} 0.3.3.3 {EQUAL}", "V28")
    steps = do(state, "event, gems, gems, money, free", "open", "swap R 1 Y")
    (begun,) = told("barter", steps)
    assert begun == {"action": "gems", "seats": [1, 2], "opener": 1, "why": "yellow"}


def test_gems_are_taken_from_the_supply_that_the_event_left():
    state = position("0.3.3.3 1.3.3.3 17.3.3.3", "V36", cards="E09 E10 E11")
    steps = do(state, "event, gems, money", "open", "take R")
    assert [step["gained"] for step in of("act", steps)] == [5, [1, 0, 0, 1]]


def test_gems_missing_in_the_supply_are_not_replaced():
    state = position("20.3.2.1 1.3.3.1 0.3.17.3", cards="E01 E02 E03")
    *_, acted = of("act", do(state, "gems, money, event", "open"))
    assert acted["gained"] == [1, 0, 0, 1]
    assert holdings(acted["view"]) == "21.3.2.2 1.3.3.1 0.3.17.3"
    assert acted["view"]["supply"] == [0, 13, 0, 16]


def test_alone_the_free_choice_trades_one_gem_for_two():
    state = position(" ".join([EQUAL] * 5))
    steps = do(state, "money, money, money, event, free", "open", "trade B RR")
    assert told("free", steps) == [{"seat": 4, "move": "trade B RR", "forced": False}]
    dealt = steps[-1]["view"]
    assert holdings(dealt) == f"{EQUAL} {EQUAL} {EQUAL} {EQUAL} 5.3.3.2"
    assert dealt["supply"] == [5, 7, 7, 8]


@pytest.mark.parametrize(
    ("hand", "hoard", "trades"),
    [
        pytest.param("0.0.0.1", "20.22.22.20", "RR RB BB", id="what is given may be taken back"),
        pytest.param("0.0.0.1", "21.21.22.21", "RY RB YB", id="one of each colour"),
        pytest.param("0.0.0.2", "21.22.22.20", "RB", id="the last gem and the one given"),
        pytest.param("0.0.0.1", "22.22.22.21", "B", id="an empty supply has only the gem given"),
        pytest.param(NONE, EQUAL, "", id="without a gem nothing happens"),
    ],
)
def test_a_lone_free_choice_takes_two_gems_of_what_is_there(hand, hoard, trades):
    state = position(f"{hand} {hoard} {NONE} {NONE} {NONE}")
    steps = do(state, "free, money, money, money, event", "open")
    expected = [f"trade B {take}" for take in trades.split()]
    if len(expected) > 1:
        assert (state.decision, [*GAME.options(state, 0)]) == ("FREE_TRADE", expected)
    else:
        forced = [{"seat": 0, "move": move, "forced": True} for move in expected]
        assert told("free", steps) == forced
        assert steps[-1]["t"] == "deal"


def test_trades_are_listed_by_the_colour_given_then_by_those_taken():
    state = position(f"1.0.0.1 {EQUAL} {EQUAL} {EQUAL} {EQUAL}")
    do(state, "free, money, money, money, event", "open")
    takes = "RR RY RG RB YY YG YB GG GB BB".split()
    assert [*GAME.options(state, 0)] == [f"trade {give} {take}" for give in "RB" for take in takes]


@pytest.mark.parametrize(
    ("gems", "money", "ages", "order"),
    [
        pytest.param(f"4.3.3.3 2.3.3.3 {EQUAL} {EQUAL}", "", "", [1, 2, 0], id="fewest red first"),
        pytest.param(f"{EQUAL} {EQUAL} 3.3.3.2 {EQUAL}", "9 8 9", "", [2, 1, 0], id="then money"),
        pytest.param(f"{EQUAL} {EQUAL} {EQUAL} {EQUAL}", "", "2 0 1", [1, 2, 0], id="then age"),
    ],
)
def test_several_pick_one_gem_each_in_the_order_that_held_before_the_first(
    gems, money, ages, order
):
    state = position(f"{gems} {EQUAL}", money=money and f"{money} 0 0", ages=ages and f"{ages} 3 4")
    do(state, "free, free, free, money, event", "open")
    assert GAME.view(state, 0)["picking"] == order
    steps = do(state, "pick B", "pick B", "pick R")
    picked = zip(order, ["pick B", "pick B", "pick R"], strict=True)
    assert told("free", steps) == [{"seat": s, "move": m, "forced": False} for s, m in picked]


def test_the_order_of_picks_does_not_follow_the_gems_picked():
    state = position(f"0.3.3.3 1.0.0.0 1.9.9.9 {EQUAL} {EQUAL}")
    do(state, "free, free, free, money, event", "open", "pick R", "pick R")
    assert (state.decision, state.asked) == ("FREE_PICK", (2,))
    assert holdings(GAME.view(state)) == f"1.3.3.3 2.0.0.0 1.9.9.9 {EQUAL} {EQUAL}"


def test_the_free_choice_is_never_blocked():
    state = position(" ".join([EQUAL] * 5), ages="4 3 2 1 0")
    steps = do(state, "free, free, free, free, free", *["pick Y"] * 5)
    assert [step["seat"] for step in of("free", steps)] == [4, 3, 2, 1, 0]
    assert state.supply >> 10 & 31 == 2


@pytest.mark.parametrize(("blue", "pickers"), [(22, []), (21, [0]), (20, [0, 1]), (19, [0, 1, 2])])
def test_a_last_colour_is_picked_without_asking_until_the_supply_is_empty(blue, pickers):
    state = position(f"{NONE} {NONE} {NONE} 22.22.22.{blue} {NONE}")
    steps = do(state, "free, free, free, money, event", "open")
    forced = [{"seat": seat, "move": "pick B", "forced": True} for seat in pickers]
    assert told("free", steps) == forced
    assert steps[-1]["t"] == "deal"
    assert GAME.view(state, 0)["picking"] == []


def test_only_colours_in_the_supply_are_picked_in_rank_order():
    state = position(f"{EQUAL} {EQUAL} 16.3.3.3 {NONE} {NONE}")
    do(state, "money, event, gems, free, free", "open")
    assert [*GAME.options(state, 3)] == ["pick Y", "pick G", "pick B"]


def test_the_table_is_cleared_when_the_next_round_is_dealt():
    state = position(f"{EQUAL} {EQUAL} {EQUAL}", "V30", cards="E01 E02 E03")
    chosen, *_, last, dealt = (step["view"] for step in do(state, "gems, gems, gems"))
    for view in (chosen, last):
        assert [(seat["card"], seat["action"]) for seat in view["seats"]] == [
            ("E01", "gems"), ("E02", "gems"), ("E03", "gems")
        ]  # fmt: skip
        assert (view["event"], view["used_cards"], view["event_discards"]) == ("V30", [], [])
    assert [seat["action"] for seat in dealt["seats"]] == [None] * 3
    assert (dealt["round"], dealt["used_cards"]) == (2, ["E01", "E02", "E03"])
    assert (dealt["event_discards"], dealt["event_pile"]) == (["V30"], 38)


ALONE = ["money, money, money, event, free", "open"]
TOGETHER = ["money, money, money, free, free"]
FIVE = f"{EQUAL} {EQUAL} {EQUAL} 0.3.3.3 0.3.3.0"
ONE_RED_LEFT = FIVE.replace("3.3.3.3", "7.3.3.3")
NO_RED_LEFT = ONE_RED_LEFT.replace("7", "8", 1)


@pytest.mark.parametrize(
    ("gems", "turns", "decision", "move"),
    [
        (FIVE, [], "CHOOSE_ACTION", "money"),
        (FIVE, ALONE, "FREE_TRADE", "trade G RR"),
        (ONE_RED_LEFT, ALONE, "FREE_TRADE", "trade G RY"),
        (NO_RED_LEFT, ALONE, "FREE_TRADE", "trade G YY"),
        (f"{FIVE[:-7]}1.0.0.0", ALONE, "FREE_TRADE", "trade R RR"),
        (FIVE, TOGETHER, "FREE_PICK", "pick R"),
        (NO_RED_LEFT, TOGETHER, "FREE_PICK", "pick Y"),
    ],
)
def test_a_seat_that_failed_takes_money_or_the_highest_gems(gems, turns, decision, move):
    state = position(gems)
    do(state, *turns)
    seat = state.asked[-1]
    assert state.decision == decision
    assert GAME.fallback(state, seat) == move
    assert move in GAME.options(state, seat)


@pytest.mark.parametrize(
    ("gems", "turns", "move", "reason"),
    [
        (f"{EQUAL} {EQUAL} {EQUAL}", [], "free", "'free' is not a move here; say money, event or"),
        (FIVE, [], "pass", "'pass' is not a move here; say money, event, gems or free."),
        (FIVE, ALONE, "trade R RY", "You have no red gem to give."),
        (FIVE, ALONE, "trade G R", "You take two gems, not 1."),
        (FIVE, ALONE, "trade G RRR", "You take two gems, not 3."),
        (FIVE, ALONE, "trade G YR", "Write the colours you take in rank order: 'trade G RY'."),
        (FIVE, ALONE, "pick R", "say what you give and take, such as 'trade B RY'."),
        (ONE_RED_LEFT, ALONE, "trade G RR", "The supply has 1 red to take."),
        (NO_RED_LEFT, ALONE, "trade G RY", "The supply has no red to take."),
        (NO_RED_LEFT, TOGETHER, "pick R", "There is no red gem left in the supply."),
        (FIVE, TOGETHER, "trade B RY", "say 'pick' and a colour, such as 'pick R'."),
    ],
)
def test_a_choice_that_is_not_allowed_is_refused_with_the_reason(gems, turns, move, reason):
    state = position(gems)
    do(state, *turns)
    before = GAME.view(state, 0)
    assert reason in str(GAME.illegal_reason(state, state.asked[-1], move))
    assert move not in GAME.options(state, state.asked[-1])
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        GAME.play(state, [move] * len(state.asked), Rng(""))
    assert GAME.view(state, 0) == before


def test_all_seats_choose_at_once():
    state = position(FIVE)
    assert GAME.to_move(state) == (0, 1, 2, 3, 4)
    with pytest.raises(ValueError, match="5 seats are asked, 4 moves were given"):
        GAME.play(state, ["money"] * 4, Rng(""))


@pytest.mark.parametrize(("n", "free"), [(3, []), (4, []), (5, ["free"])])
def test_only_five_seats_have_the_free_choice(n, free):
    state = position(" ".join([EQUAL] * n))
    assert [*GAME.options(state, n - 1)] == ["money", "event", "gems", *free]
