"""Edel, Stein & Reich: the event cards, each use of them, and the pile they come from."""

import re
from collections import Counter

import pytest

from engine.game import IllegalMove
from engine.games.edel_stein_reich import GAME
from engine.rng import Rng
from tests.engine.test_esr_actions import (
    EQUAL,
    EVENT_CARDS,
    NONE,
    do,
    holdings,
    kinds,
    money,
    of,
    position,
    told,
)

FIRST_TAKES_EVENT = "event, money, money, money"
ADJUST_RED_BLUE, ADJUST_YELLOW_GREEN = "V26", "V27"
SWAP, HALF_VALUE, STRIP, TAKE_THREE, HALVE = "V28", "V32", "V34", "V36", "V38"
CERTIFICATE = "V11"
FOUR = " ".join([EQUAL] * 4)
HOARD = f"22.22.22.22 {NONE} {NONE} {NONE}"


def with_card(gems, card, **more):
    """A position where the first of four seats has just got this open card."""
    state = position(gems, card, **more)
    do(state, FIRST_TAKES_EVENT, "open")
    return state


def test_a_seat_is_asked_for_the_open_or_the_hidden_card():
    state = position(FOUR)
    do(state, FIRST_TAKES_EVENT)
    assert (state.decision, [*GAME.options(state, 0)]) == ("EVENT_SOURCE", ["open", "hidden"])
    assert GAME.fallback(state, 0) == "open"
    assert GAME.illegal_reason(state, 0, "take") == "'take' is not a move here; say open or hidden."


def test_an_open_scoring_card_is_kept_without_asking():
    state = position(FOUR, "V05", held="V12 / / /")
    steps = do(state, FIRST_TAKES_EVENT, "open")
    assert kinds(steps) == "choose lapse source keep deal"
    source = {"seat": 0, "move": "open", "forced": False, "card": "V05", "reshuffled": False}
    assert told("source", steps) == [source]
    assert told("keep", steps) == [{"seat": 0, "card": "V05"}]
    taken, kept, dealt = (step["view"] for step in steps[2:])
    assert (taken["event"], taken["seats"][0]["held"]) == (None, ["V12"])
    assert kept["seats"][0]["held"] == ["V12", "V05"]
    assert dealt["event_discards"] == []


def test_a_hidden_card_replaces_the_open_one_which_goes_under_the_pile_at_once():
    state = position(FOUR, SWAP, pile="V20 V21 V22")
    before = GAME.view(state, 0)
    steps = do(state, FIRST_TAKES_EVENT, "hidden")
    assert kinds(steps) == "choose lapse source keep deal"
    source = {"seat": 0, "move": "hidden", "forced": False, "card": "V20", "reshuffled": False}
    assert told("source", steps) == [source]
    taken = of("source", steps)[0]["view"]
    assert (taken["event"], taken["event_pile"]) == (None, before["event_pile"])
    assert taken["event_discards"] == [*before["event_discards"], SWAP]
    assert steps[-1]["view"]["seats"][0]["held"] == ["V20"]
    assert steps[-1]["view"]["event_discards"] == taken["event_discards"]


def test_a_hidden_immediate_card_is_used_or_declined_and_nothing_else():
    state = position(FOUR, CERTIFICATE, pile="V36 V21 V22")
    steps = do(state, FIRST_TAKES_EVENT, "hidden")
    assert (state.decision, state.asked) == ("EVENT_USE", (0,))
    assert [*GAME.options(state, 0)] == ["decline", "take R", "take Y", "take G", "take B"]
    assert steps[-1]["view"]["using"] == "V36"
    steps = do(state, "decline")
    declined = {"seat": 0, "move": "decline", "forced": False, "card": "V36"}
    assert told("use", steps) == [declined]
    used = steps[0]["view"]
    assert used["event_discards"][-2:] == [CERTIFICATE, "V36"]
    assert (used["using"], holdings(used), used["seats"][0]["held"]) == (None, FOUR, [])


GREENS = "0.0.5.0 0.0.5.0 0.0.3.0 0.0.1.0"


@pytest.mark.parametrize(
    ("card", "gems", "move", "after"),
    [
        pytest.param("V26", f"1.7.2.6 {FOUR[8:]}", "use", "4.7.2.4", id="take red, return blue"),
        pytest.param("V26", f"1.7.2.5 {FOUR[8:]}", "use", "4.7.2.4", id="return one blue"),
        pytest.param("V26", "1.7.2.6 10.3.3.3 9.3.3.3 0.3.3.3", "use", "3.7.2.4", id="few red"),
        pytest.param("V26", f"4.1.9.4 {FOUR[8:]}", "use", "4.1.9.4", id="four of both"),
        pytest.param("V26", f"{NONE} {FOUR[8:]}", "use", "4.0.0.4", id="from nothing"),
        pytest.param(
            "V27", f"1.7.2.6 {FOUR[8:]}", "use", "1.4.4.6", id="return yellow, take green"
        ),
        pytest.param("V27", "1.7.2.6 3.3.19.3 0.3.0.3 3.3.0.3", "use", "1.4.3.6", id="few green"),
        pytest.param("V36", "3.3.3.3 6.4.4.4 6.5.5.5 5.5.5.5", "take R", "5.3.3.3", id="take two"),
        pytest.param(
            "V37", "3.3.3.3 6.4.4.4 6.5.5.5 5.5.5.5", "take Y", "3.6.3.3", id="take three"
        ),
        pytest.param("V36", f"3.3.3.3 {FOUR[8:]}", "take B", "3.3.3.6", id="three of many"),
        pytest.param("V30", "2.2.2.3 3.3.3.3 3.1.1.1 3.3.3.3", "swap B 2 R", "3.2.2.2", id="swap"),
    ],
)
def test_an_immediate_card_changes_the_gems_of_its_seat(card, gems, move, after):
    state = with_card(gems, card)
    supply, others = GAME.view(state)["supply"], gems.split()[1:]
    (used, *_) = do(state, move)
    assert told("use", [used]) == [{"seat": 0, "move": move, "forced": False, "card": card}]
    own, *left = holdings(used["view"]).split()
    assert own == after
    assert left == (others if "swap" not in move else ["3.3.3.3", "2.1.1.2", "3.3.3.3"])
    gems_now = [seat["gems"] for seat in used["view"]["seats"]]
    assert used["view"]["supply"] == [22 - sum(column) for column in zip(*gems_now, strict=True)]
    assert "swap" not in move or used["view"]["supply"] == supply
    assert used["view"]["event_discards"] == [card]


def test_strip_takes_the_named_gem_of_every_opponent():
    state = with_card(FOUR, STRIP)
    used = do(state, "strip 1G 2G 3R")[0]["view"]
    assert holdings(used) == "3.3.3.3 3.3.2.3 3.3.2.3 2.3.3.3"
    assert used["supply"] == [11, 10, 12, 10]


def test_when_everyone_halves_odd_numbers_return_the_smaller_half():
    state = with_card("7.5.3.1 8.2.0.9 1.1.1.1 0.0.6.11", HALVE)
    used = do(state, "use")[0]["view"]
    assert holdings(used) == "4.3.2.1 4.1.0.5 1.1.1.1 0.0.3.6"
    assert used["supply"] == [13, 17, 16, 9]


@pytest.mark.parametrize(
    ("gems", "colour", "paid", "returned"),
    [
        pytest.param(GREENS, "G", [2, 2, 0, 0], [2, 2, 0, 0], id="two share ten halves"),
        pytest.param("0.0.5.0 0.0.4.0 0.0.3.0 0.0.1.0", "G", [5, 0, 0, 0], [3, 0, 0, 0], id="sole"),
        pytest.param(f"{NONE} 4.0.0.0 1.0.0.0 {NONE}", "R", [0, 7, 0, 0], [0, 2, 0, 0], id="other"),
        pytest.param(f"1.0.0.0 1.0.0.0 1.0.0.0 {NONE}", "R", [2, 2, 2, 0], [1, 1, 1, 0], id="ones"),
        pytest.param("0.3.0.0 0.3.0.0 0.3.0.0 0.3.0.0", "Y", [1] * 4, [2] * 4, id="four share six"),
        pytest.param(
            f"0.0.0.1 {NONE} {NONE} {NONE}", "B", [4, 0, 0, 0], [1, 0, 0, 0], id="one gem"
        ),
    ],
)
def test_a_colour_is_scored_at_half_its_value_with_full_returns(gems, colour, paid, returned):
    state = with_card(gems, HALF_VALUE, held="V01 V05 V09 / V07 V03 / V10 / V04 V08 V11")
    (used, *_) = do(state, f"score {colour}")
    use = {"seat": 0, "move": f"score {colour}", "forced": False, "card": HALF_VALUE}
    assert told("use", [used]) == [{**use, "paid": paid, "returned": returned}]
    assert money(used["view"]) == paid
    before = [int(hand.split(".")["RYGB".index(colour)]) for hand in gems.split()]
    after = [seat["gems"]["RYGB".index(colour)] for seat in used["view"]["seats"]]
    assert after == [had - back for had, back in zip(before, returned, strict=True)]
    assert used["view"]["supply"]["RYGB".index(colour)] == 22 - sum(after)
    assert used["view"]["seats"][3]["held"] == ["V04", "V08", "V11"]


@pytest.mark.parametrize(
    ("card", "gems", "moves"),
    [
        (SWAP, f"1.0.0.1 0.1.0.1 {NONE} 1.0.1.0",
         "swap R 1 Y; swap R 1 B; swap B 1 Y; swap R 3 G; swap B 3 R; swap B 3 G"),
        (STRIP, f"9.9.9.9 1.0.0.1 {NONE} 0.1.1.0",
         "strip 1R 3Y; strip 1R 3G; strip 1B 3Y; strip 1B 3G"),
        (HALF_VALUE, f"1.0.0.0 0.0.0.1 {NONE} 0.2.0.0", "score R; score Y; score B"),
        (TAKE_THREE, f"22.0.0.0 0.0.9.22 {NONE} {NONE}", "take Y; take G"),
        (HALVE, f"{NONE} {NONE} {NONE} {NONE}", "use"),
        (ADJUST_RED_BLUE, f"4.0.0.4 {NONE} {NONE} {NONE}", "use"),
        (ADJUST_YELLOW_GREEN, f"{NONE} 22.22.22.22 {NONE} {NONE}", "use"),
    ],
)  # fmt: skip
def test_a_card_may_be_declined_or_used_completely(card, gems, moves):
    state = with_card(gems, card)
    assert (state.decision, state.asked) == ("EVENT_USE", (0,))
    assert [*GAME.options(state, 0)] == ["decline", *moves.split("; ")]
    assert GAME.fallback(state, 0) == "decline"


@pytest.mark.parametrize(
    ("card", "moves"),
    [(SWAP, "swap R 0 B; swap R 1 Y; swap R 3 G"), (STRIP, "strip 0B 1Y 3G")],
)
def test_opponents_sit_on_both_sides_of_who_uses_a_card(card, moves):
    state = position("0.0.0.1 0.1.0.0 1.0.0.0 0.0.1.0", card)
    do(state, "money, money, event, money", "open")
    assert [*GAME.options(state, 2)] == ["decline", *moves.split("; ")]


@pytest.mark.parametrize(
    ("card", "gems"),
    [
        pytest.param(SWAP, f"{NONE} {EQUAL} {EQUAL} {EQUAL}", id="nothing to give"),
        pytest.param(SWAP, f"{EQUAL} {NONE} {NONE} {NONE}", id="nothing to get"),
        pytest.param(SWAP, f"2.0.0.0 2.0.0.0 1.0.0.0 {NONE}", id="only one colour on the table"),
        pytest.param(STRIP, f"{EQUAL} {NONE} {NONE} {NONE}", id="no opponent with a gem"),
        pytest.param(HALF_VALUE, f"{NONE} {NONE} {NONE} {NONE}", id="no gem to be scored"),
        pytest.param(TAKE_THREE, HOARD, id="empty supply"),
    ],
)
def test_a_card_without_a_legal_use_is_declined_without_asking(card, gems):
    state = position(gems, card)
    steps = do(state, FIRST_TAKES_EVENT, "open")
    assert kinds(steps) == "choose lapse source use deal"
    forced = {"seat": 0, "move": "decline", "forced": True, "card": card}
    assert told("use", steps) == [forced]
    assert steps[-1]["view"]["event_discards"] == [card]
    assert holdings(steps[-1]["view"]) == gems


TWO_RICH = f"1.0.0.1 0.1.0.0 {NONE} 0.0.1.0"


@pytest.mark.parametrize(
    ("card", "move", "reason"),
    [
        (SWAP, "swap B 1 B", "A swap needs two different colours."),
        (SWAP, "swap Y 1 R", "You have no yellow gem to give."),
        (SWAP, "swap R 1 G", "Seat 1 has no green gem to take."),
        (SWAP, "swap R 2 B", "Seat 2 has no blue gem to take."),
        (SWAP, "swap R 0 B", "You can swap with seat 1, 2 or 3."),
        (SWAP, "swap R 4 B", "You can swap with seat 1, 2 or 3."),
        (SWAP, "swap R 1", "say 'decline', or what you give, to whom, and what you take"),
        (SWAP, "use", "'use' is not a move here"),
        (STRIP, "strip 1Y", "for every opponent with gems, seats ascending."),
        (STRIP, "strip 3G 1Y", "for every opponent with gems, seats ascending."),
        (STRIP, "strip 1Y 2R 3G", "for every opponent with gems, seats ascending."),
        (STRIP, "strip 0R 1Y 3G", "for every opponent with gems, seats ascending."),
        (STRIP, "strip 1R 3G", "Name one colour that they hold"),
        (STRIP, "use", "say 'decline', or 'strip' with seats and colours"),
        (HALF_VALUE, "score X", "say 'decline' or 'score' and a colour"),
        (TAKE_THREE, "take RY", "say 'decline' or 'take' and a colour"),
        (TAKE_THREE, "take", "say 'decline' or 'take' and a colour"),
        (HALVE, "halve", "'halve' is not a move here; say 'use' or 'decline'."),
        (ADJUST_RED_BLUE, "use R", "say 'use' or 'decline'."),
        (ADJUST_YELLOW_GREEN, "hidden", "say 'use' or 'decline'."),
    ],
)
def test_another_use_is_refused_with_the_reason(card, move, reason):
    state = with_card(TWO_RICH, card)
    before = GAME.view(state, 0)
    assert reason in str(GAME.illegal_reason(state, 0, move))
    assert move not in GAME.options(state, 0)
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        GAME.play(state, [move], Rng(""))
    assert GAME.view(state, 0) == before


@pytest.mark.parametrize(
    ("card", "gems", "move", "reason"),
    [
        (HALF_VALUE, TWO_RICH.replace("1.0", "0.0"), "score R", "Nobody has a red gem to be score"),
        (TAKE_THREE, f"22.0.0.0 {NONE} {NONE} {NONE}", "take R", "There is no red gem left in the"),
    ],
)
def test_a_colour_that_is_not_there_cannot_be_named(card, gems, move, reason):
    assert reason in str(GAME.illegal_reason(with_card(gems, card), 0, move))


def in_pile(state):
    """The event cards of the pile, face down and face up, however they lie."""
    return Counter(state.event_pile) + Counter(state.discards)


BLOCKED = "money, money, money, money"


def test_the_pile_is_shuffled_as_soon_as_a_face_up_card_lies_on_top():
    state = position(FOUR, CERTIFICATE, pile="V20 V21", held="V30 / / V31 /")
    first, second = of("deal", do(state, BLOCKED, BLOCKED))
    assert (first["event"], first["reshuffled"]) == ("V20", False)
    assert len(first["view"]["event_discards"]) == 35
    assert (second["event"], second["reshuffled"]) == ("V21", True)
    assert (second["view"]["event_discards"], second["view"]["event_pile"]) == ([], 36)
    assert in_pile(state) == Counter({*EVENT_CARDS} - {"V30", "V31", "V21"})
    (third,) = of("deal", do(state, BLOCKED))
    assert (third["reshuffled"], third["view"]["event_discards"]) == (False, ["V21"])


def test_a_lazy_pile_is_shuffled_only_when_a_card_is_needed():
    state = position(FOUR, CERTIFICATE, pile="V20", held="V30 / / V31 /", event_reshuffle="lazy")
    first, second = of("deal", do(state, BLOCKED, BLOCKED))
    assert (first["event"], first["reshuffled"]) == ("V20", False)
    assert len(first["view"]["event_discards"]) == 36
    assert (second["reshuffled"], second["view"]["event_discards"]) == (True, [])
    assert in_pile(state) == Counter({*EVENT_CARDS} - {"V30", "V31", second["event"]})


@pytest.mark.parametrize("drawn", ["V20", SWAP])
def test_a_hidden_draw_shuffles_the_put_away_card_in_but_not_the_card_drawn(drawn):
    state = position(FOUR, CERTIFICATE, pile=drawn, held="V30 / / /")
    (source,) = of("source", do(state, FIRST_TAKES_EVENT, "hidden"))
    assert (source["card"], source["reshuffled"]) == (drawn, True)
    assert (source["view"]["event_discards"], source["view"]["event_pile"]) == ([], 37)
    if drawn == SWAP:
        assert in_pile(state) == Counter({*EVENT_CARDS} - {"V30", SWAP})
        assert do(state, "decline")[0]["view"]["event_discards"] == [SWAP]


def test_a_lazy_hidden_draw_shuffles_first_if_it_must():
    state = position(FOUR, CERTIFICATE, pile="V20", held="V30 / / /", event_reshuffle="lazy")
    do(state, BLOCKED, FIRST_TAKES_EVENT)
    (source,) = of("source", do(state, "hidden"))
    assert (source["reshuffled"], source["view"]["event_discards"]) == (True, [])
    assert source["view"]["event_pile"] == 37
    assert source["card"] not in in_pile(state)


def test_every_card_is_as_likely_to_come_next_after_a_shuffle():
    state, rng = position(FOUR, CERTIFICATE, pile="V20"), Rng("pile")
    next_cards = Counter()
    for _ in range(1900):
        copy = GAME.clone(state)
        next_cards[of("deal", do(copy, BLOCKED, BLOCKED, rng=rng))[1]["event"]] += 1
    assert set(next_cards) == {*EVENT_CARDS} - {"V20"}
    assert sum((count - 50) ** 2 / 50 for count in next_cards.values()) < 80


@pytest.mark.parametrize("when", ["eager", "lazy"])
@pytest.mark.parametrize(("n", "draws"), [(3, 48), (4, 42), (5, 36)])
def test_the_pile_is_shuffled_once_after_39_draws_and_never_by_five_seats(n, draws, when):
    flags, rng = [], Rng(f"{n}{when}")

    def tell(kind, _, fields):
        if "reshuffled" in fields:
            flags.append(fields["reshuffled"])

    state = GAME.start(n, {"event_reshuffle": when}, rng, tell)
    actions = ["event", "money", "gems", "gems", "gems"][:n]
    while state.asked:
        moves = actions if len(state.asked) > 1 else [GAME.fallback(state, state.asked[0])]
        GAME.play(state, ["hidden"] if moves == ["open"] else moves, rng, tell)
    assert len(flags) == draws
    shuffled_at = [draw for draw, flag in enumerate(flags, 1) if flag]
    assert shuffled_at == ([] if n == 5 else [39 if when == "eager" else 40])
