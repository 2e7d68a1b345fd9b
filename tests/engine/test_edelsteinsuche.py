"""Edelsteinsuche: the vectors of its rules, its edges, and what holds in every game."""

import json
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from engine.game import PUBLIC, BadSetup, IllegalMove, Outcome, ask
from engine.games.edelsteinsuche import GAME
from engine.games.edelsteinsuche.cards import CARDS, title
from engine.games.edelsteinsuche.moves import TURNS
from engine.games.edelsteinsuche.state import State, list_choices
from engine.rng import Rng

DEAL = "O1 R2 S3 E4 O5 / R1 S2 E3 O4 R5 / S1 E2 O3 R4 S5 / E1 O2 R3 S4 E5"
TWO_EMERALDS = "O2 E1 R2 S2 O3 / R3 S3 O4 R4 E3 / O1 E2* R1 S1 E5* / E4 O5 R5 S4 S5"
ONE_OPAL_MISSING = "O1* O2* O3* O4* R1 / R2 O5 R3 R4 R5 / S1 S2 S3 S4 S5 / E1 E2 E3 E4 E5"


def position(rows, types, seat, **options):
    """A table laid out by hand (`*` = face up), where a seat begins the first turn."""
    n = len(types)
    state = State(n, GAME.resolve_options(n, options))
    state.dealer, state.active, state.types = (seat - 1) % n, seat, list(types)
    lying = [card for row in rows.split("/") for card in row.split()]
    state.cards = [card[:2] for card in lying]
    state.up = [card.endswith("*") for card in lying]
    for place in (place for place, shown in enumerate(state.up) if shown):
        state.knowers[place] = (1 << n) - 1
        state.missing[place // 5] -= 1
    list_choices(state)
    ask(state, "TURN_START", seat, TURNS)
    return state


def do(state, moves):
    """Play moves written one after another; returns the steps told."""
    steps = []
    for move in filter(None, moves.split("; ")):
        GAME.play(state, [move], Rng(""), lambda t, _, told: steps.append({"t": t, **told}))
    return steps


def rows(state):
    lying = [card + "*" * up for card, up in zip(state.cards, state.up, strict=True)]
    return " / ".join(" ".join(lying[at : at + 5]) for at in (0, 5, 10, 15))


def knowers(state, row, slot):
    """Who knows which card there, by the known table."""
    known = [table[row][slot - 1] for table in GAME.view(state)["known"]]
    return {seat: card for seat, card in enumerate(known) if card}


def random_game(seed, seats, tell=None, **options):
    """Yield the one position of a game before each random move, and at the end."""
    choice, rng = Random(seed), Rng(str(seed))
    state = GAME.start(seats, options, rng, tell)
    while state.asked:
        yield state
        moves = GAME.options(state, state.asked[0])
        GAME.play(state, [moves[choice.randrange(len(moves))]], rng, tell)
    yield state


def finish(state):
    while state.asked:
        GAME.play(state, [GAME.fallback(state, state.asked[0])], Rng(""))
    return GAME.outcome(state)


def legal(seen, decision):
    """The moves of the active seat, read from the rules: words, then rows and slots ascending."""
    own = seen["active"]
    words = {"TURN_START": ["normal", "unique"], "UNIQUE_MORE": ["stop", "continue"]}
    if decision in words:
        return words[decision]
    down = [[slot for slot in range(1, 6) if not row[slot - 1]["up"]] for row in seen["rows"]]
    if decision == "DRAW":
        return [f"draw {row}.{slot}" for row in range(4) if row != own for slot in down[row]]
    show = ["show"] if seen["hand"][0] == seen["seats"][own]["type"] else []
    return show + [f"hide {slot}" for slot in down[own]]


def in_random_games(test):
    games = given(seed=st.integers(0, 2**32), seats=st.sampled_from(GAME.seats))
    return settings(max_examples=12, deadline=None)(games(test))


def test_a_card_hidden_in_the_own_row_sends_the_covered_card_to_the_gap():
    state = position(DEAL, "OSER", 0)
    do(state, "normal; draw 1.2; hide 3")
    assert rows(state) == DEAL.replace("R2 S3", "R2 S2").replace("R1 S2", "R1 S3")
    assert knowers(state, 0, 3) == {0: "S2", 1: "S2"}
    assert knowers(state, 1, 2) == {0: "S3", 1: "S3"}


def test_a_card_of_the_own_type_is_shown_on_its_number_and_known_to_all():
    before = DEAL.replace("R4 S5", "S4 S5").replace("R3 S4", "R3 R4")
    state = position(before, "OSER", 1)
    do(state, "normal; draw 2.4; show")
    assert rows(state) == before.replace("O3 S4", "O3 O4").replace("E3 O4", "E3 S4*")
    assert knowers(state, 1, 4) == dict.fromkeys(range(4), "S4")
    assert knowers(state, 2, 4) == {1: "O4", 2: "O4"}


def test_three_exchanges_of_a_unique_move_can_complete_the_series():
    state = position(TWO_EMERALDS, "OSER", 2)
    steps = do(state, "unique; draw 0.2; show; continue; draw 1.5; show; continue; draw 3.1; show")
    shown = "O2 O1 R2 S2 O3 / R3 S3 O4 R4 R1 / E1* E2* E3* E4* E5* / S1 O5 R5 S4 S5"
    assert rows(state) == shown
    assert GAME.outcome(state) == Outcome([2, 2, 1, 2], [-5, -5, 0, -5], "series")
    assert list(steps[-1].values()) == ["end", [2, 2, 1, 2], [-5, -5, 0, -5], "series"]
    assert GAME.to_move(state) == ()


def test_an_own_row_card_travels_out_and_back_within_a_unique_move():
    before = "R1 R2 O1 S2 E3 / E1 E2 S1 S3 S4 / O2 O3 O4 O5 R3 / R4 R5 E4 E5 S5"
    state = position(before, "OSER", 0)
    do(state, "unique; draw 1.1; hide 3; continue; draw 1.1; show")
    assert rows(state) == before.replace("R1 R2 O1", "O1* R2 E1").replace("/ E1", "/ R1")


@pytest.mark.parametrize(
    ("rows", "before", "seat", "move", "reason"),
    [
        (TWO_EMERALDS, "normal", 3, "draw 2.2", "slot 2 of row 2 lies face up"),
        (TWO_EMERALDS, "normal", 2, "draw 2.1", "cannot draw from your own row"),
        (TWO_EMERALDS, "normal; draw 0.2", 2, "hide 2", "Your slot 2 lies face up"),
        (TWO_EMERALDS, "normal; draw 0.1", 2, "show", "drew Opal 2; you show Emerald cards only"),
        (TWO_EMERALDS, "normal; draw 0.2", 2, "show 3", "Emerald 1 is shown in slot 1"),
        (TWO_EMERALDS, "normal; draw 0.2", 2, "hide 6", "a slot from 1 to 5"),
        (TWO_EMERALDS, "normal; draw 0.2", 2, "draw 0.2", "place it in your row before"),
        (DEAL, "", 0, "draw 1.1", "say normal or unique"),
        (DEAL, "", 1, "normal", "not your turn"),
        (DEAL, "normal", 0, "unique", "announced at the start of a turn"),
        (DEAL, "normal", 0, "draw 4.1", "no row 4"),
        (DEAL, "normal", 0, "draw 1.0", "no slot 0"),
        (DEAL, "normal", 0, "draw ١.1", "say row and slot"),
        (DEAL, "unique; draw 1.1; hide 1", 0, "draw 1.1", "say stop or continue"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(rows, before, seat, move, reason):
    state = position(rows, "OSER", seat if before else 0)
    do(state, before)
    seen = GAME.view(state)
    assert reason in str(GAME.illegal_reason(state, seat, move))
    assert move not in GAME.options(state, seat)
    if seat in state.asked:
        with pytest.raises(IllegalMove, match=reason):
            GAME.play(state, [move], Rng(""))
    assert GAME.view(state) == seen


@pytest.mark.parametrize("exchanges", [1, 2, 3])
def test_a_unique_move_is_played_once_for_up_to_three_exchanges(exchanges):
    state = position(DEAL, "OSER", 0)
    steps = do(state, "unique; " + "; continue; ".join(["draw 1.1; hide 1"] * exchanges))
    begun = {"t": "turn", "seat": 0, "move": "unique", "forced": False}
    assert steps[0] == begun | {"prospector": "O"}
    if exchanges < 3:
        assert do(state, "stop") == [{"t": "more", "seat": 0, "move": "stop", "forced": False}]
    else:
        assert "at most three exchanges" in str(GAME.illegal_reason(state, 0, "continue"))
    assert GAME.to_move(state) == (1,)
    steps = do(state, "; ".join(f"normal; draw {row}.5; hide 5" for row in (0, 1, 1)))
    assert steps[-1] == begun | {"move": "normal", "forced": True}
    assert "one in a game" in str(GAME.illegal_reason(state, 0, "unique"))
    assert [*GAME.view(state, 3)["seats"][0].values()] == ["O", True, True, 5]


def test_the_only_placement_is_made_without_asking():
    state = position(ONE_OPAL_MISSING, "OSER", 0)
    steps = [(step["move"], step["forced"]) for step in do(state, "normal; draw 2.1")]
    assert steps == [("normal", False), ("draw 2.1", False), ("hide 5", True)]
    assert GAME.to_move(state) == (1,)


def test_the_steps_carry_the_fields_of_the_record_in_order():
    state = position(DEAL, "OSER", 0)
    steps = do(state, "normal; draw 1.2")
    assert GAME.view(state)["rows"][1][1] == {"card": None, "up": False}
    steps += do(state, "hide 3")
    fields = ["t seat move forced", "t seat move forced card for"]
    assert [*map(" ".join, steps)] == [*fields, "t seat move forced slot card out to for"]
    assert (steps[1]["card"], steps[1]["for"]) == ("S2", {"card": [0, 1]})
    assert [steps[2][name] for name in ("slot", "card", "out", "to")] == [3, "S2", "S3", [1, 2]]
    assert steps[2]["for"] == {"card": [0, 1], "out": [0, 1]}
    assert do(state, "normal; draw 0.3; show")[2]["for"] == {"out": [0, 1]}


@pytest.mark.parametrize("seats", GAME.seats)
def test_without_a_series_the_game_ends_after_the_turns_of_all_and_within_its_bound(seats):
    state = GAME.start(seats, {"max_turns_per_seat": 3}, Rng("long"))
    decisions = 0
    while state.asked:
        assert GAME.outcome(state) is None
        moves = [move for move in GAME.options(state, state.asked[0]) if move != "show"]
        last = {"unique", "continue"} & {*moves} and state.turn >= 2 * seats
        GAME.play(state, [moves[-1 if last else 0]], Rng(""))
        decisions += 1
    assert state.turn == 3 * seats
    assert GAME.outcome(state) == Outcome([1] * seats, [-5] * seats, "limit")
    assert decisions == GAME.max_decisions(seats, state.options)


@pytest.mark.parametrize(
    ("missing", "places", "reason"),
    [
        pytest.param([0, 2, 5, 1], [1, 3, 4, 2], "series", id="all different"),
        pytest.param([0, 3, 3, 5], [1, 2, 2, 4], "series", id="equals share, then one is skipped"),
        pytest.param([2, 4, 2], [1, 3, 1], "limit", id="the best may share the first place"),
    ],
)
def test_places_go_by_missing_cards(missing, places, reason):
    state = State(len(missing), GAME.resolve_options(len(missing)))
    state.missing = missing
    assert GAME.outcome(state) == Outcome(places, [-cards for cards in missing], reason)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("dealer", [None, 1])
def test_the_deal_is_dealer_then_prospectors_then_rows(seats, dealer):
    rng, prospectors, cards = Rng("deal"), list("ORSE"), CARDS[:]
    expected = rng.below(seats) if dealer is None else dealer
    rng.shuffle(prospectors)
    rng.shuffle(cards)
    told: list[Any] = []
    state = GAME.start(seats, {"dealer": dealer}, Rng("deal"), lambda *step: told.extend(step))
    assert told == ["start", state, {"dealer": expected}]
    assert (state.types, state.cards) == (prospectors[:seats], cards)
    assert state.asked == (state.active,) == ((expected + 1) % seats,)
    for place, card in enumerate(cards):
        owner = {place // 5: card} if place < 5 * seats else {}
        assert knowers(state, place // 5, place % 5 + 1) == owner


@pytest.mark.parametrize("given", [{"dealer": 3}, {"dealer": 4}, {"max_turns_per_seat": 0}])
def test_a_dealer_without_a_seat_or_a_game_without_turns_is_refused(given):
    with pytest.raises(BadSetup, match=f"{next(iter(given))} cannot be"):
        GAME.start(3, given, Rng(""))


@in_random_games
def test_every_asked_seat_has_a_choice_and_exactly_the_moves_of_the_rules(seed, seats):
    for state in random_game(seed, seats):
        seen = GAME.view(state)
        for q, one in enumerate(seen["seats"]):
            shown = {s: slot["card"] for s, slot in enumerate(seen["rows"][q], 1) if slot["up"]}
            assert shown == {s: f"{one['type']}{s}" for s in shown}
            assert one["missing"] == 5 - len(shown)
        assert not any(slot["up"] for row in seen["rows"][seats:] for slot in row)
        for seat in state.asked:
            moves = legal(seen, state.decision)
            assert list(GAME.options(state, seat)) == moves
            assert len(moves) > 1
            assert GAME.fallback(state, seat) == moves[0]
            assert not any(GAME.illegal_reason(state, seat, move) for move in moves)
            assert GAME.options(state, (seat + 1) % seats) == ()
    assert GAME.outcome(state)


@in_random_games
def test_knowledge_follows_the_rule_of_each_exchange(seed, seats):
    known: list[Any] = []

    def tell(kind, state, step):
        if kind == "start":
            known[:] = GAME.view(state)["known"]
        if kind == "place":
            a, t, (r, s) = step["seat"], step["slot"] - 1, (step["to"][0], step["to"][1] - 1)
            for q, table in enumerate(known):
                sees_card = q == a or step["move"] == "show" or table[r][s]
                sees_out = q in (a, r) or table[a][t]
                table[a][t] = step["card"] if sees_card else None
                table[r][s] = step["out"] if sees_out else None
        assert GAME.view(state)["known"] == known

    list(random_game(seed, seats, tell))


@in_random_games
def test_a_hidden_card_is_told_for_exactly_those_who_see_it(seed, seats):
    def tell(kind, state, step):
        views = [GAME.view(state, seat) for seat in range(seats)]
        if kind == "draw":
            assert step["card"] == GAME.view(state)["hand"]
            assert step["for"]["card"] == [q for q in range(seats) if views[q]["hand"]]
        if kind == "place":
            for field, at in {"card": (step["seat"], step["slot"]), "out": step["to"]}.items():
                cards = [seen["rows"][at[0]][at[1] - 1]["card"] for seen in views]
                knowing = step["for"].get(field, [*range(seats)])
                assert cards == [step[field] if q in knowing else None for q in range(seats)]

    list(random_game(seed, seats, tell, max_turns_per_seat=12))


@in_random_games
def test_a_view_shows_what_its_seat_knows_and_depends_on_nothing_else(seed, seats):
    for state in random_game(seed, seats, max_turns_per_seat=15):
        for seat in (*range(seats), PUBLIC):
            seen, other = GAME.view(state, seat), GAME.clone(state)
            bit = 1 << seat if seat != PUBLIC else 0
            known = {p for p in range(20) if state.up[p] or state.knowers[p] & bit}
            lying = [slot["card"] for row in seen["rows"] for slot in row]
            assert {p for p in range(20) if lying[p]} == known - {state.source}
            if seat == state.active:
                known.add(state.source)
            hidden = [p for p in range(20) if p not in known]
            for place, to in zip(hidden, Random(seed).sample(hidden, len(hidden)), strict=True):
                other.cards[to] = state.cards[place]
            told = {q for q in range(seats) if q == seat or state.unique_used[q]}
            other.types = [gem if q in told else "?" for q, gem in enumerate(state.types)]
            assert GAME.view(other, seat) == seen


def empty(part):
    for inner in part.values() if isinstance(part, dict) else part:
        if isinstance(inner, dict | list):
            empty(inner)
    part.clear()


@in_random_games
def test_views_are_plain_data_and_copies(seed, seats):
    for state in random_game(seed, seats, max_turns_per_seat=5):
        for seat in (None, PUBLIC, *range(seats)):
            seen = GAME.view(state, seat)
            before = json.dumps(seen)
            assert json.loads(before) == seen
            empty(seen)
            finish(GAME.clone(state))
            assert json.dumps(GAME.view(state, seat)) == before


@in_random_games
def test_an_imagined_position_fits_the_view_and_can_be_played_on(seed, seats):
    for number, state in enumerate(random_game(seed, seats, max_turns_per_seat=25)):
        for seat in range(seats):
            seen = json.loads(json.dumps(GAME.view(state, seat)))
            imagined = GAME.imagine(seen, Rng(f"{seed}-{number}"))
            assert GAME.view(imagined, seat) == seen
            assert (sorted(imagined.cards), len({*imagined.types})) == (sorted(CARDS), seats)
            if state.asked:
                assert list(imagined.moves) == legal(GAME.view(imagined), state.decision)
                assert len(imagined.moves) > 1
            if number % 10 == 0:
                assert finish(imagined)


def test_what_a_seat_cannot_know_is_imagined_evenly_also_a_card_in_a_hand():
    state = position(DEAL, "OSER", 0)
    do(state, "normal; draw 1.2")
    rng, cards, pairs, types = Rng("even"), Counter[Any](), Counter[Any](), Counter[Any]()
    for _ in range(3000):
        imagined = GAME.imagine(GAME.view(state, 2), rng)
        cards.update((p, card) for p, card in enumerate(imagined.cards) if p // 5 != 2)
        pairs[tuple(imagined.cards[:2])] += 1
        types["".join(imagined.types)] += 1
    assert {gems[2] for gems in types} == {"E"}
    for counts, cells in ((cards, 15 * 15), (pairs, 15 * 14), (types, 6)):
        assert len(counts) == cells
        even = counts.total() / cells
        # Chi-square is about one for each cell; here with four standard deviations of room.
        assert sum((n - even) ** 2 / even for n in counts.values()) < cells + 4 * (2 * cells) ** 0.5


def test_shown_cards_tell_a_prospector_and_a_last_choice_tells_the_hand():
    state = position(ONE_OPAL_MISSING, "OSE", 0)
    do(state, "normal; draw 1.2")
    imagined = [GAME.imagine(GAME.view(state, 2), Rng(str(n))) for n in range(50)]
    assert {"".join(one.types) for one in imagined} == {"ORE", "OSE"}
    assert {GAME.view(one)["hand"] for one in imagined} == {"O5"}


@in_random_games
def test_every_step_is_a_sentence_that_gives_no_hidden_card_away(seed, seats):
    def tell(kind, state, fields):
        text = GAME.narrate({"t": kind, **fields}, GAME.view(state))
        assert re.fullmatch(r"[A-Z{][^.]*[^ .]\.", text)
        hidden = fields.get("for", {})
        assert {*re.findall(r"{(\w+)}", text)} - {*map(str, range(seats))} == {*hidden}
        assert not any(title(fields[card]) in text for card in hidden)

    list(random_game(seed, seats, tell, max_turns_per_seat=40))


def test_sentences_can_be_followed_without_the_board():
    state = position(ONE_OPAL_MISSING, "OS", 0)
    steps = do(state, "normal; draw 3.2; normal; draw 0.5; hide 1; normal; draw 1.2; show")
    assert [GAME.narrate(step, GAME.view(state)) for step in (steps[1], steps[4], steps[-1])] == [
        "{0} draws {card} from slot 2 of avatar row 3.",
        "{1} draws {card} from slot 5 of {0}'s row.",
        "{0} has all five Opal cards face up and wins.",
    ]
