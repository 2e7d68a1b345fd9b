"""Edel, Stein & Reich: its decks, its set-up, and what holds in every game that is played."""

import csv
import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine.game import BadSetup
from engine.games.edel_stein_reich import GAME
from engine.rng import Rng
from tests.engine.test_esr_actions import ASIDE, EQUAL, EVENT_CARDS, GEM_CARDS, ROUNDS, do, position

GEMS = ("red", "yellow", "green", "blue")


def table(name):
    with (Path(__file__).parent / "decks" / name).open() as file:
        return [*csv.DictReader(file)]


def random_game(seed, seats, tell=None, **options):
    """Yield the same position before each random decision, and at the end."""
    choice, rng = Random(seed), Rng(str(seed))
    state = GAME.start(seats, options, rng, tell)
    while state.asked:
        yield state
        moves = [GAME.options(state, seat) for seat in state.asked]
        GAME.play(state, [all_[choice.randrange(len(all_))] for all_ in moves], rng, tell)
    yield state


tables = pytest.mark.parametrize("seats", GAME.seats)
games = given(seed=st.integers(0, 2**32))
few = settings(max_examples=6, deadline=None)


def test_the_gem_cards_are_those_of_the_table_and_have_its_totals():
    rows = table("esr_gem_cards.csv")
    assert [row["id"] for row in rows] == GEM_CARDS
    for row in rows:
        money, gems = int(row["money"]), [int(row[colour]) for colour in GEMS]
        assert GAME.catalogue[row["id"]] == {"type": "gems", "money": money, "gems": gems}
        worth = sum(count * value for count, value in zip(gems, (14, 12, 10, 8), strict=True))
        assert (int(row["gems"]), int(row["gem_value"])) == (sum(gems), worth)
        assert int(row["card_index"]) == worth + 8 * money


@pytest.mark.parametrize(
    ("money", "cards", "sizes", "gems"),
    [
        (4, 8, {4: 7, 3: 1}, [9, 9, 7, 6]),
        (5, 8, {4: 1, 3: 7}, [7, 6, 7, 5]),
        (6, 7, {3: 4, 2: 3}, [4, 5, 3, 6]),
        (7, 7, {2: 7}, [2, 2, 5, 5]),
    ],
)
def test_cards_with_more_money_have_fewer_gems(money, cards, sizes, gems):
    found = [card["gems"] for card in GAME.catalogue.values() if card.get("money") == money]
    assert len(found) == cards
    assert Counter(map(sum, found)) == sizes
    assert [sum(column) for column in zip(*found, strict=True)] == gems


def test_the_event_cards_are_those_of_the_table():
    kinds = []
    for row in table("esr_event_cards.csv"):
        first, last = EVENT_CARDS.index(row["first_id"]), EVENT_CARDS.index(row["last_id"])
        assert last - first + 1 == int(row["copies"])
        kinds += [(row["kind"], row["timing"])] * int(row["copies"])
    cards = [GAME.catalogue[card] for card in EVENT_CARDS]
    assert [(card["kind"], card["timing"]) for card in cards] == kinds
    assert Counter(timing for _, timing in kinds) == {"scoring": 25, "immediate": 14}
    assert [*GAME.catalogue] == GEM_CARDS + EVENT_CARDS


@pytest.mark.parametrize(
    ("seats", "chosen", "reason"),
    [
        (2, {}, "played by 3, 4 or 5 seats, not 2"),
        (6, {}, "played by 3, 4 or 5 seats, not 6"),
        (3, {"max_offers": 0}, "max_offers cannot be 0: it is a number from 1 to 1000"),
        (3, {"max_offers": True}, "max_offers cannot be True: it is a number from 1 to 1000"),
        (3, {"majority_bonus": "flat"}, "it is 'scaled' or 'flat7'"),
        (3, {"event_reshuffle": True}, "it is 'eager' or 'lazy'"),
        (3, {"deck": "printed"}, "the only deck is 'house'"),
        (3, {"rounds": 8}, "has no option 'rounds'"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused(seats, chosen, reason):
    with pytest.raises(BadSetup, match=reason):
        GAME.start(seats, chosen, Rng(""))


def test_what_is_not_chosen_is_played_as_the_rules_say():
    assert GAME.resolve_options(3) == {
        "majority_bonus": "scaled", "max_offers": 60, "event_reshuffle": "eager", "deck": "house"
    }  # fmt: skip


@pytest.mark.parametrize(("n", "aside", "rounds"), [(3, 6, 8), (4, 2, 7), (5, 0, 6)])
def test_everybody_starts_with_three_gems_of_each_colour(n, aside, rounds):
    steps = []
    state = GAME.start(n, {}, Rng("set up"), lambda t, s, f: steps.append((t, f, GAME.view(s))))
    (_, _, view), (_, phase, begun), (_, deal, dealt) = steps
    assert [t for t, _, _ in steps] == ["start", "phase", "deal"]
    seat = {"gems": [3] * 4, "money": 0, "held": [], "card": None, "action": None}
    assert sorted(view["age_rank"]) == [*range(n)]
    assert view | {"age_rank": None} == {
        "phase": 0, "round": 0, "supply": [22 - 3 * n] * 4, "event": None, "aside": None,
        "gem_pile": 30, "event_pile": 39, "age_rank": None, "seats": [seat] * n, "barter": None
    }  # fmt: skip
    assert phase == {"phase": 1, "returned": [[0] * 4] * n, "aside": begun["aside"]}
    assert (begun["phase"], begun["round"], begun["gem_pile"]) == (1, 0, n * rounds)
    assert (begun["event_pile"], begun["aside"] is None) == (39, aside == 0)
    assert deal == {"cards": [s["card"] for s in dealt["seats"]], "event": dealt["event"],
                    "reshuffled": False}  # fmt: skip
    assert (dealt["round"], dealt["gem_pile"], dealt["event_pile"]) == (1, n * (rounds - 1), 38)
    assert n * rounds + aside == 30
    assert (state.decision, state.asked) == ("CHOOSE_ACTION", tuple(range(n)))


def shuffled(items, rng):
    items = [*items]
    for i in range(len(items) - 1, 0, -1):
        j = rng.below(i + 1)
        items[i], items[j] = items[j], items[i]
    return items


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_seed_alone_decides_what_is_dealt(n):
    steps = []
    rng = Rng("seed")
    state = GAME.start(n, {}, rng, lambda t, _, fields: steps.append((t, fields)))
    while state.asked:
        GAME.play(state, ["money"] * n, rng, lambda t, _, fields: steps.append((t, fields)))
    phases, deals = ([fields for t, fields in steps if t == kind] for kind in ("phase", "deal"))
    again = Rng("seed")
    assert state.age_rank == shuffled(range(n), again)
    events = shuffled(EVENT_CARDS, again)
    assert [deal["event"] for deal in deals] == events[: 3 * ROUNDS[n]]
    for phase in range(3):
        pile = shuffled(GEM_CARDS, again)
        assert phases[phase]["aside"] == (pile[ASIDE[n] - 1] if ASIDE[n] else None)
        dealt = [deal["cards"] for deal in deals[phase * ROUNDS[n] : (phase + 1) * ROUNDS[n]]]
        assert [card for cards in dealt for card in cards] == pile[ASIDE[n] :]


def test_a_reshuffled_event_pile_follows_from_the_seed_too():
    state = position(f"{EQUAL} {EQUAL} {EQUAL}", "V11", pile="V20")
    below = [*GAME.view(state, 0)["event_discards"], "V11"]
    steps = do(state, *["gems, gems, gems"] * 5, rng=Rng("seed"))
    dealt = [step["event"] for step in steps if step["t"] == "deal"]
    assert dealt == ["V20", *shuffled(below, Rng("seed"))[:4]]


@tables
@few
@games
def test_nothing_is_lost_and_nobody_is_asked_without_a_choice(seed, seats):
    decisions = 0
    for state in random_game(seed, seats):
        decisions += len(state.asked)
        view = GAME.view(state, 0)
        vectors = [view["supply"], *(seat["gems"] for seat in view["seats"])]
        assert [sum(colour) for colour in zip(*vectors, strict=True)] == [22] * 4
        assert min(map(min, vectors)) >= 0
        cards = [card for card in state.cards if card]
        assert sorted(cards + state.used + state.set_aside + state.gem_pile) == GEM_CARDS
        held = [card for cards in state.held for card in cards]
        lying = [card for card in (state.event, state.using) if card]
        assert sorted(held + lying + state.event_pile + state.discards) == EVENT_CARDS
        assert all(len(GAME.options(state, seat)) > 1 for seat in state.asked)
        assert all(
            GAME.illegal_reason(state, s, GAME.fallback(state, s)) is None for s in state.asked
        )
        assert (GAME.outcome(state) is None) is bool(state.asked)
    assert decisions <= GAME.max_decisions(seats, state.options)


FIELDS = {
    "start": "",
    "phase": "phase returned aside",
    "deal": "cards event reshuffled",
    "choose": "moves forced",
    "lapse": "action seats",
    "barter": "action seats opener why",
    "offer": "seat move forced by",
    "decline": "seat move forced",
    "accept": "seat move forced gems to from",
    "act": "seat action gained",
    "source": "seat move forced card reshuffled",
    "keep": "seat card",
    "use": "seat move forced card",
    "free": "seat move forced",
    "score": "colour paid bonus returned",
    "certificates": "held paid",
    "end": "placements scores",
}
PUBLIC = {*"phase round supply event aside gem_pile event_pile age_rank seats barter".split()}
OF_A_SEAT = {*"gems money held card action".split()}
OWN = {*"seat decision asked used_cards event_discards using picking offers_left variant".split()}


@tables
@few
@games
def test_the_steps_are_those_of_the_record_and_read_as_sentences(seed, seats):
    told = Counter()

    def tell(kind, state, fields):
        told[kind] += 1
        scored = str(fields.get("move")).startswith("score ")
        assert {*fields} == {*FIELDS[kind].split(), *["paid", "returned"] * scored}
        seen = GAME.view(state)
        assert json.loads(json.dumps([fields, seen])) == [fields, seen]
        text = GAME.narrate({"t": kind, **fields}, seen).format(*"ABCDE")
        assert re.fullmatch(r"[A-Z“][^{}]*\.", text), text
        assert (seen["barter"] is None) or kind in ("barter", "offer", "decline")
        assert kind not in ("source", "keep", "use") or seen["event"] is None

    *_, loud = random_game(seed, seats, tell)
    *_, silent = random_game(seed, seats)
    assert GAME.view(loud, 0) == GAME.view(silent, 0)
    rounds = {3: 24, 4: 21, 5: 18}[seats]
    assert (told["deal"], told["choose"], told["end"]) == (rounds, rounds, 1)
    assert (told["phase"], told["score"], told["certificates"]) == (3, 12, 3)


@tables
@few
@games
def test_a_copy_is_independent(seed, seats):
    for state in random_game(seed, seats):
        copy, seen = GAME.clone(state), GAME.view(state, 0)
        assert GAME.view(copy, 0) == seen
        piles = state.gem_pile[:], state.event_pile[:]
        while copy.asked and copy.round == state.round:
            moves = [GAME.options(copy, seat) for seat in copy.asked]
            GAME.play(copy, [all_[len(all_) - 1] for all_ in moves], Rng(""))
        assert GAME.view(state, 0) == seen
        assert (state.gem_pile, state.event_pile) == piles


@tables
@few
@games
def test_a_view_has_the_public_table_and_for_a_seat_what_it_is_asked(seed, seats):
    for state in random_game(seed, seats):
        public = GAME.view(state)
        assert {*public} == PUBLIC
        assert all({*s} == OF_A_SEAT for s in public["seats"])
        for seat in range(seats):
            seen = GAME.view(state, seat)
            assert {*seen} == PUBLIC | OWN
            assert {key: seen[key] for key in PUBLIC} == public
            asked = [seat, state.decision, list(state.asked)]
            assert [seen["seat"], seen["decision"], seen["asked"]] == asked
            assert seen["variant"] == GAME.resolve_options(seats)
        if state.decision == "CHOOSE_ACTION":
            assert all(s["action"] is None for s in public["seats"])


@tables
@few
@games
def test_what_lies_face_down_shows_in_no_view(seed, seats):
    for state in random_game(seed, seats):
        before = [GAME.view(state, seat) for seat in (None, *range(seats))]
        other, shuffle = GAME.clone(state), Random(seed).shuffle
        shuffle(other.event_pile)
        unseen = other.set_aside[:-1] + other.gem_pile
        shuffle(unseen)
        below = len(other.set_aside[:-1])
        other.set_aside = unseen[:below] + other.set_aside[-1:]
        other.gem_pile = unseen[below:]
        assert [GAME.view(other, seat) for seat in (None, *range(seats))] == before


def rest_of_round(state):
    """What is told from here to the end of the round if every move is the fallback."""
    steps = []
    state = GAME.clone(state)
    while state.asked and not {"deal", "score"} & {step[0] for step in steps}:
        moves = [GAME.fallback(state, seat) for seat in state.asked]
        GAME.play(state, moves, Rng(""), lambda t, _, fields: steps.append((t, fields)))
    return [step for step in steps if step[0] not in ("score", "certificates", "phase", "deal")]


@pytest.mark.parametrize("options", [{"max_offers": 5}, {"event_reshuffle": "lazy"}])
@tables
@few
@games
def test_an_imagined_position_looks_the_same_to_its_seat_and_can_be_played(seed, seats, options):
    for turn, state in enumerate(random_game(seed, seats, **options)):
        for seat in range(seats):
            seen = json.loads(json.dumps(GAME.view(state, seat)))
            imagined = GAME.imagine(seen, Rng(f"{seed} {turn}"))
            assert GAME.view(imagined, seat) == seen
            moves, real = GAME.options(imagined, seat), GAME.options(state, seat)
            assert [*moves][:50] == [*real][:50]
            assert len(moves) == len(real)
            assert sorted(imagined.event_pile) == sorted(state.event_pile)
            face_down = sorted(imagined.gem_pile + imagined.set_aside)
            assert face_down == sorted(state.gem_pile + state.set_aside)
        assert rest_of_round(imagined) == rest_of_round(state)
        while turn % 7 == 0 and imagined.asked:
            GAME.play(imagined, [GAME.fallback(imagined, s) for s in imagined.asked], Rng(""))
        assert turn % 7 or GAME.outcome(imagined) is not None


@pytest.mark.parametrize("n", [3, 5])
def test_every_unseen_card_is_as_likely_to_be_imagined_next(n):
    state = position(" ".join([EQUAL] * n))
    blocked = ", ".join(["gems"] * n)
    do(state, blocked, blocked)
    seen, rng = GAME.view(state, 1), Rng("imagine")
    places = {place: Counter() for place in ("event", *range(n))}
    for _ in range(1500):
        imagined = GAME.imagine(seen, rng)
        (deal,) = [step for step in do(imagined, blocked) if step["t"] == "deal"]
        places["event"][deal["event"]] += 1
        for seat, card in enumerate(deal["cards"]):
            places[seat][card] += 1
    gem_cards = {*state.gem_pile, *state.set_aside[:-1]}
    for place, found in places.items():
        unseen = {*state.event_pile} if place == "event" else gem_cards
        assert set(found) == unseen
        expected, freedom = 1500 / len(unseen), len(unseen) - 1
        spread = sum((count - expected) ** 2 / expected for count in found.values())
        assert spread < freedom + 5 * (2 * freedom) ** 0.5
