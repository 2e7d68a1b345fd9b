"""Edel, Stein & Reich: the scoring of a phase, the start of the next one, and the final places."""

import pytest
from hypothesis import given, settings, strategies as st

from engine.game import Outcome
from engine.games.edel_stein_reich import GAME
from engine.rng import Rng
from tests.engine.test_esr_actions import (
    EQUAL,
    GEM_CARDS,
    NONE,
    do,
    holdings,
    kinds,
    lay,
    money,
    of,
    position,
    told,
)

SCALED = {"V01": 8, "V02": 7, "V03": 6, "V04": 5}
PER_GEM = ["V05", "V06", "V07", "V08"]
EVERY_SOLE = ("V09", "V10")


def scored(gems, held="", **more):
    """The steps of a scoring after a last round in which nobody got anything."""
    state = position(gems, "V39", held=held, last=True, **more)
    return do(state, ", ".join(["money"] * state.n))


def test_the_scoring_example_of_the_rules():
    gems = "2.2.7.1 2.7.3.1 2.3.7.0 2.4.2.2"
    steps = scored(gems, "V05 V11 V12 / V13 / V01 V14 / V06 V04")
    assert kinds(steps) == "choose lapse score score score score certificates phase deal"
    red, yellow, green, blue = told("score", steps)
    assert red == {
        "colour": "R", "paid": [3, 3, 3, 3], "bonus": [2, 0, 0, 0], "returned": [2, 2, 2, 2]
    }  # fmt: skip
    assert yellow == {
        "colour": "Y", "paid": [0, 12, 0, 0], "bonus": [0, 0, 0, 4], "returned": [0, 4, 0, 0]
    }  # fmt: skip
    assert green == {
        "colour": "G", "paid": [5, 0, 5, 0], "bonus": [0, 0, 0, 0], "returned": [2, 0, 2, 0]
    }  # fmt: skip
    assert blue == {
        "colour": "B", "paid": [0, 0, 0, 8], "bonus": [0, 0, 0, 5], "returned": [0, 0, 0, 1]
    }  # fmt: skip
    assert told("certificates", steps) == [{"held": [2, 1, 1, 0], "paid": [10, 4, 4, 0]}]
    after = of("certificates", steps)[0]["view"]
    assert money(after) == [20, 19, 12, 20]
    assert holdings(after) == "0.2.5.1 0.3.3.1 0.3.5.0 0.4.2.1"
    assert after["supply"] == [22, 10, 7, 19]
    assert [seat["held"] for seat in after["seats"]] == [[], [], [], []]
    under = ["V01", "V04", "V05", "V06", "V11", "V12", "V13", "V14", "V39"]
    assert sorted(after["event_discards"]) == under


def test_with_the_flat_bonus_the_example_pays_seven_for_blue():
    steps = scored("2.2.7.1 2.7.3.1 2.3.7.0 2.4.2.2", "/ / / V04", majority_bonus="flat7")
    assert [step["bonus"] for step in of("score", steps)] == [[0] * 4] * 3 + [[0, 0, 0, 7]]


@pytest.mark.parametrize("variant", ["scaled", "flat7"])
@pytest.mark.parametrize(("colour", "card"), [*enumerate(SCALED)])
def test_a_colour_bonus_is_paid_to_its_holder_if_it_leads_this_colour_alone(colour, card, variant):
    steps = scored("5.5.5.5 3.3.3.3 3.3.3.3", f"{card} / /", majority_bonus=variant)
    bonus = [step["bonus"] for step in of("score", steps)]
    amount = SCALED[card] if variant == "scaled" else 7
    assert bonus == [[amount if c == colour else 0, 0, 0] for c in range(4)]


@pytest.mark.parametrize(
    ("gems", "held", "paid", "bonus"),
    [
        pytest.param("0.5.0.0 0.3.0.0", "V02", 12, 7, id="sole yellow majority with its bonus"),
        pytest.param("0.5.0.0 0.5.0.0", "V02", 6, 0, id="a tie has no bonus"),
        pytest.param("0.3.0.0 0.5.0.0", "V02 V09", 0, 0, id="no bonus without the majority"),
        pytest.param("5.0.0.3 3.0.0.3", "V09", 18, 4, id="every sole majority: red, not blue"),
        pytest.param("5.0.0.3 3.0.0.3", "V09 V10", 18, 8, id="both cards"),
        pytest.param("5.4.0.0 3.0.0.0", "V10", 26, 8, id="two sole majorities"),
        pytest.param("5.0.0.0 3.0.0.0", "V01 V05 V09 V10", 14, 21, id="bonuses add up"),
        pytest.param("2.0.0.0 3.0.0.0", "V05", 0, 2, id="per gem without the majority"),
        pytest.param("3.0.0.0 3.0.0.0", "V05", 7, 3, id="per gem in a tie"),
        pytest.param("0.0.6.0 0.0.3.0", "V07", 10, 6, id="per gem before half of them go back"),
        pytest.param("0.0.0.6 0.0.0.3", "V05 V06 V07", 8, 0, id="per gem of other colours"),
    ],
)
def test_held_cards_pay_at_the_scoring(gems, held, paid, bonus):
    steps = scored(f"{gems} {NONE}", f"{held} / /")
    scores = of("score", steps)
    assert sum(step["paid"][0] for step in scores) == paid
    assert sum(step["bonus"][0] for step in scores) == bonus
    assert money(steps[-1]["view"])[0] == paid + bonus


@pytest.mark.parametrize(
    ("hands", "paid", "returned"),
    [
        pytest.param([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], id="nobody has a gem"),
        pytest.param([1, 0, 0, 0], [14, 0, 0, 0], [1, 0, 0, 0], id="one gem is enough"),
        pytest.param([0, 6, 5, 5], [0, 14, 0, 0], [0, 3, 0, 0], id="half of six"),
        pytest.param([4, 4, 7, 6], [0, 0, 14, 0], [0, 0, 4, 0], id="half of seven, rounded up"),
        pytest.param([1, 1, 0, 0], [7, 7, 0, 0], [1, 1, 0, 0], id="a tie with one each"),
        pytest.param([2, 0, 2, 1], [7, 0, 7, 0], [2, 0, 2, 0], id="a tie with two each"),
        pytest.param([0, 5, 5, 5], [0, 4, 4, 4], [0, 2, 2, 2], id="three share"),
        pytest.param([3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], id="all share"),
    ],
)
def test_the_majority_of_a_colour_is_paid_and_returns_gems(hands, paid, returned):
    steps = scored(" ".join(f"{red}.0.0.0" for red in hands))
    red, *rest = told("score", steps)
    assert red == {"colour": "R", "paid": paid, "bonus": [0] * 4, "returned": returned}
    assert [(step["colour"], step["paid"]) for step in rest] == [(c, [0] * 4) for c in "YGB"]
    left = [had - back for had, back in zip(hands, returned, strict=True)]
    view = of("score", steps)[0]["view"]
    assert [seat["gems"][0] for seat in view["seats"]] == left
    assert view["supply"][0] == 22 - sum(left)


@pytest.mark.parametrize(
    ("held", "paid"),
    [
        ([2, 1, 1, 2], [10, 0, 0, 10]),
        ([3, 1, 1, 0], [10, 4, 4, 0]),
        ([2, 1, 0, 0], [10, 4, 0, 0]),
        ([1, 0, 0, 0], [10, 0, 0, 0]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        ([1, 1, 1, 1], [10, 10, 10, 10]),
        ([3, 2, 1, 0], [10, 4, 0, 0]),
        ([0, 1, 3, 1], [0, 4, 10, 4]),
    ],
    ids=str,
)
def test_most_certificates_are_paid_and_second_most_unless_first_is_shared(held, paid):
    certificates = iter(f"V{number}" for number in range(11, 26))
    cards = " / ".join(" ".join(next(certificates) for _ in range(count)) for count in held)
    steps = scored(f"{NONE} {NONE} {NONE} {NONE}", cards)
    assert told("certificates", steps) == [{"held": held, "paid": paid}]
    assert money(of("certificates", steps)[0]["view"]) == paid


def test_the_most_certificates_are_no_sole_majority():
    steps = scored(f"{NONE} {NONE} {NONE}", "V09 V11 / /")
    assert money(steps[-1]["view"]) == [10, 0, 0]


def by_the_rules(gems, held):
    """Money and gems after a phase scoring, worked out as the rules tell it."""
    gems, pay = [[*hand] for hand in gems], [0] * len(gems)
    for c, value in enumerate((14, 12, 10, 8)):
        most = max(hand[c] for hand in gems)
        leaders = [seat for seat, hand in enumerate(gems) if most and hand[c] == most]
        for seat, cards in enumerate(held):
            pay[seat] += value // len(leaders) if seat in leaders else 0
            pay[seat] += gems[seat][c] if PER_GEM[c] in cards else 0
            if leaders == [seat]:
                pay[seat] += sum(4 for card in cards if card in EVERY_SOLE)
                pay[seat] += (8, 7, 6, 5)[c] if [*SCALED][c] in cards else 0
        for seat in leaders:
            gems[seat][c] -= -(-most // 2) if len(leaders) == 1 else min(2, most)
    certificates = [sum("V11" <= card <= "V25" for card in cards) for cards in held]
    for seat, own in enumerate(certificates):
        better = [other for other in certificates if other > own]
        if own and not better:
            pay[seat] += 10
        elif own and len(better) == 1:
            pay[seat] += 4
    return pay, gems


@st.composite
def tables(draw):
    n = draw(st.sampled_from([3, 4, 5]))
    hand = st.lists(st.integers(0, 22 // n), min_size=4, max_size=4)
    gems = draw(st.lists(hand, min_size=n, max_size=n))
    cards = draw(st.permutations([f"V{number:02}" for number in range(1, 26)]))
    ends = sorted(draw(st.lists(st.integers(0, 12), min_size=n, max_size=n)))
    return gems, [cards[a:b] for a, b in zip([0, *ends], ends, strict=False)]


@given(tables())
@settings(max_examples=60, deadline=None)
def test_a_phase_is_scored_as_the_rules_tell_it(table):
    gems, held = table
    hands = " ".join(".".join(map(str, hand)) for hand in gems)
    steps = scored(hands, " / ".join(" ".join(cards) for cards in held))
    after = of("certificates", steps)[0]["view"]
    assert (money(after), [seat["gems"] for seat in after["seats"]]) == by_the_rules(gems, held)
    steps = of("score", steps) + of("certificates", steps)
    paid = [step["paid"] for step in steps] + [step["bonus"] for step in steps[:4]]
    assert [sum(column) for column in zip(*paid, strict=True)] == money(after)


def test_the_last_round_is_cleared_away_before_the_first_score():
    (first, *_) = of("score", scored(f"{EQUAL} {EQUAL} {EQUAL}"))
    view = first["view"]
    assert [(seat["card"], seat["action"]) for seat in view["seats"]] == [(None, None)] * 3
    assert (view["event"], view["event_discards"], view["event_pile"]) == (None, ["V39"], 39)
    assert (view["gem_pile"], len(view["used_cards"])) == (0, 24)


def relaid(gems, phase=1, money=""):
    """The steps after a scoring which left exactly these gems and this money."""
    state = position(gems, "V39", last=True, phase=phase)
    steps = []

    def tell(kind, table, fields):
        if kind == "certificates":
            lay(table, gems)
            table.money = [*map(int, money.split())] or table.money
        steps.append({"t": kind, **fields, "view": GAME.view(table, 0)})

    GAME.play(state, ["money"] * state.n, Rng("phase"), tell)
    return state, steps


@pytest.mark.parametrize(
    ("gems", "returned", "after", "supply"),
    [
        pytest.param(
            "8.5.7.4 0.6.6.5 9.5.9.4",
            [[1, 0, 1, 0], [0, 0, 1, 0], [1, 0, 1, 0]],
            "7.5.6.4 0.6.5.5 8.5.8.4",
            [7, 6, 3, 9],
            id="red with five left and green with none",
        ),
        pytest.param(
            f"16.0.0.0 0.17.1.16 {NONE}",
            [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]],
            f"16.0.0.0 0.16.1.16 {NONE}",
            [6, 6, 21, 6],
            id="six left are enough",
        ),
    ],
)
@pytest.mark.parametrize("phase", [1, 2])
def test_a_phase_starts_with_a_gem_back_of_every_scarce_colour(
    gems, returned, after, supply, phase
):
    _, steps = relaid(gems, phase)
    (begun,) = of("phase", steps)
    assert (begun["phase"], begun["returned"]) == (phase + 1, returned)
    assert (holdings(begun["view"]), begun["view"]["supply"]) == (after, supply)


@pytest.mark.parametrize(("n", "pile"), [(3, 24), (4, 28), (5, 30)])
def test_a_phase_starts_with_all_gem_cards_shuffled_anew(n, pile):
    steps = scored(" ".join([EQUAL] * n))
    begun, dealt = steps[-2:]
    view = begun["view"]
    assert (view["round"], view["gem_pile"], view["used_cards"]) == (0, pile, [])
    assert (view["aside"], begun["aside"] is None) == (begun["aside"], n == 5)
    assert view["event"] is None
    assert (dealt["view"]["round"], dealt["view"]["gem_pile"]) == (1, pile - n)
    assert set(dealt["cards"]) | {begun["aside"]} <= {*GEM_CARDS, None}


@pytest.mark.parametrize(
    ("gems", "money", "places"),
    [
        pytest.param(
            "3.3.3.3 4.2.2.2 8.8.7.7 4.3.3.2",
            "60 60 55 60",
            [2, 3, 4, 1],
            id="example of the rules",
        ),
        pytest.param(f"{NONE} 9.9.9.9 {EQUAL}", "61 60 59", [1, 2, 3], id="money before all gems"),
        pytest.param("0.0.0.5 4.0.0.0 1.1.1.1", "60 60 60", [1, 2, 3], id="then all gems left"),
        pytest.param("2.0.0.3 1.4.0.0 1.3.1.0", "60 60 60", [1, 2, 3], id="then red, then yellow"),
        pytest.param("1.1.2.1 1.1.1.2 1.1.0.3", "60 60 60", [1, 2, 3], id="then green"),
        pytest.param("1.1.2.1 1.1.2.1 9.9.9.9", "60 60 59", [1, 1, 3], id="leaders share"),
        pytest.param("1.1.2.1 1.1.2.1 1.1.2.1", "60 60 60", [1, 1, 1], id="all share"),
        pytest.param("1.1.2.1 1.1.2.1 9.9.9.9", "60 60 61", [2, 2, 1], id="the last share"),
    ],
)
def test_places_go_by_money_then_by_the_gems_left(gems, money, places):
    state, steps = relaid(gems, 3, money)
    scores = [*map(int, money.split())]
    assert kinds(steps).endswith("certificates end")
    assert told("end", steps) == [{"placements": places, "scores": scores}]
    assert GAME.outcome(state) == Outcome(places, scores, "completed")
    assert GAME.to_move(state) == ()
    assert [*GAME.options(state, 0)] == []
    with pytest.raises(ValueError, match="over"):
        GAME.play(state, ["money"] * len(scores), Rng(""))


def test_the_last_scoring_is_paid_and_its_returns_are_gone_before_the_places():
    state = position("0.0.0.0 5.0.0.0 1.4.0.0", money="20 6 8", last=True, phase=3)
    assert GAME.outcome(state) is None
    *_, end = do(state, "gems, gems, gems")
    assert holdings(end["view"]) == "0.0.0.0 2.0.0.0 1.2.0.0"
    assert (end["placements"], end["scores"]) == ([3, 2, 1], [20, 20, 20])
