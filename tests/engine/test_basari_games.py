"""Basari: its deck, and what holds in every game: nothing lost, nothing told, nothing biased."""

import csv
import json
import re
from importlib import resources
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine.barter.gems import unpack
from engine.game import BadSetup
from engine.games.basari import GAME
from engine.games.basari.cards import DECK, WORKERS
from engine.rng import Rng


def random_game(seed, seats, tell=None, **options):
    """Yield the same position before each random decision, and at the end."""
    choice, rng = Random(seed), Rng(str(seed))
    state = GAME.start(seats, options, rng, tell)
    while state.asked:
        yield state
        moves = [GAME.options(state, seat) for seat in state.asked]
        GAME.play(state, [all_[choice.randrange(len(all_))] for all_ in moves], rng, tell)
    yield state


games = given(seed=st.integers(0, 2**32), seats=st.sampled_from(GAME.seats))
few = settings(max_examples=15, deadline=None)


@pytest.mark.parametrize(
    ("seats", "chosen", "reason"),
    [
        (2, {}, "played by 3, 4 or 5 seats, not 2"),
        (3, {"max_offers": 0}, "a number from 1 to 1000"),
        (3, {"deck": "printed"}, "the only deck is 'house'"),
        (3, {"majority_bonus": "flat7"}, "has no option 'majority_bonus'"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused(seats, chosen, reason):
    with pytest.raises(BadSetup, match=reason):
        GAME.start(seats, chosen, Rng(""))


def test_the_deck_is_the_one_of_the_table_and_has_its_totals():
    with (Path(__file__).parent / "decks" / "basari_bazaar_cards.csv").open() as table:
        rows = [*csv.DictReader(table)]
    assert [row["id"] for row in rows] == DECK == [*GAME.catalogue]
    for row in rows:
        gems = [int(row[colour]) for colour in ("red", "yellow", "green", "blue")]
        workers, points = int(row["workers"]), int(row["points"])
        assert GAME.catalogue[row["id"]] == {
            "type": "bazaar", "workers": workers, "points": points, "gems": gems
        }  # fmt: skip
        worth = sum(count * value for count, value in zip(gems, (14, 12, 10, 8), strict=True))
        assert (int(row["gems"]), int(row["gem_value"])) == (sum(gems), worth)
        assert int(row["card_index"]) == worth + 8 * points + 4 * workers
    cards = GAME.catalogue.values()
    assert (len(cards), sum(card["workers"] for card in cards)) == (39, 96)
    assert sum(card["points"] for card in cards) == 213
    assert [sum(column) for column in zip(*(c["gems"] for c in cards), strict=True)] == [28] * 4
    sizes = [sum(card["gems"]) for card in cards]
    assert [sizes.count(size) for size in (4, 3, 2)] == [10, 14, 15]


@pytest.mark.parametrize("seats", GAME.seats)
def test_chance_draws_the_ages_then_the_order_of_the_cards_dealt_from_the_top(seats):
    rng, ages, pile = Rng("chance"), [*range(seats)], DECK[:]
    rng.shuffle(ages)
    rng.shuffle(pile)
    seen = GAME.view(GAME.start(seats, {}, Rng("chance")), 0)
    assert (seen["age_rank"], seen["supply"]) == (ages, [22 - 3 * seats] * 4)
    for card, seat in zip(pile, seen["seats"], strict=False):
        assert (seat["card"], seat["row"]) == (card, [card])
        assert (seat["gems"], seat["points"], seat["workers"]) == ([3] * 4, 0, WORKERS[card])


@few
@games
def test_nothing_is_lost_and_nobody_is_asked_without_a_choice(seed, seats):
    decisions = 0
    for state in random_game(seed, seats):
        decisions += len(state.asked)
        vectors = map(unpack, [state.supply, *state.gems])
        assert [sum(colour) for colour in zip(*vectors, strict=True)] == [22] * 4
        lying = [card for row in state.rows for card in row]
        assert sorted(lying + state.pile) == DECK
        assert state.workers == [sum(WORKERS[card] for card in row) for row in state.rows]
        assert all(len(GAME.options(state, seat)) > 1 for seat in state.asked)
        assert all(
            GAME.illegal_reason(state, s, GAME.fallback(state, s)) is None for s in state.asked
        )
        assert state.round <= 9
    assert decisions <= GAME.max_decisions(seats, state.options)
    assert state.stage == 3


FIELDS = {
    "start": "",
    "stage": "stage",
    "deal": "cards",
    "choose": "moves forced",
    "lapse": "action seats",
    "barter": "action seats opener why",
    "offer": "seat move forced by",
    "accept": "seat move forced gems to from",
    "free_win": "seat action",
    "act": "seat action gained",
    "free": "seat move forced",
    "score": "colour paid returned",
    "workers": "count paid",
    "end": "placements scores",
}


@few
@games
def test_the_steps_carry_the_fields_of_the_record_and_read_as_sentences(seed, seats):
    names = "Ann Bea Cem Dan Eve".split()
    kinds = []

    def tell(kind, state, fields):
        kinds.append(kind)
        expected = FIELDS[kind].replace("gained", "card" if "card" in fields else "gained")
        assert " ".join(fields) == expected
        seen = GAME.view(state)
        assert json.loads(json.dumps([fields, seen])) == [fields, seen]
        text = GAME.narrate({"t": kind, **fields}, seen).format(*names)
        assert re.fullmatch(r"[A-Z][^{}]*\.", text), text
        if kind == "start":
            assert (seen["stage"], seen["round"], seen["pile"]) == (0, 0, 39)

    *_, told = random_game(seed, seats, tell)
    *_, silent = random_game(seed, seats)
    assert GAME.view(told) == GAME.view(silent)
    assert kinds.count("barter") == kinds.count("accept") + kinds.count("free_win")
    assert [kinds.count(kind) for kind in ("stage", "score", "workers", "end")] == [3, 12, 3, 1]


@pytest.mark.parametrize(
    ("kind", "fields", "text"),
    [
        ("free_win", {"seat": 1, "action": "gems"}, "so {1} performs the action for free."),
        ("act", {"seat": 0, "action": "workers", "card": None}, "{0} finds no card to draw."),
        ("act", {"seat": 0, "action": "workers", "card": "B01"}, "1 worker and now has 3."),
        ("deal", {"cards": ["B35", None, "B01"]}, "{1} finds no card; {2} gets 1 worker (7 in all"),
        ("workers", {"count": [9, 9, 9], "paid": [0, 0, 0]}, "Nobody has 15 workers"),
    ],
)
def test_rare_steps_read_as_sentences_too(kind, fields, text):
    seen = GAME.view(GAME.start(3, {}, Rng("")))
    for seat, workers in enumerate([3, 3, 7]):
        seen["seats"][seat]["workers"] = workers
    assert text in GAME.narrate({"t": kind, **fields}, seen)


@few
@games
def test_a_copy_is_independent(seed, seats):
    for state in random_game(seed, seats):
        copy, seen = GAME.clone(state), GAME.view(state, 0)
        assert GAME.view(copy, 0) == seen
        if state.asked:
            GAME.play(copy, [GAME.fallback(copy, s) for s in copy.asked], Rng(""))
        assert GAME.view(state, 0) == seen


@few
@games
def test_a_position_imagined_by_any_seat_looks_the_same_to_it_and_can_be_played(seed, seats):
    for turn, state in enumerate(random_game(seed, seats, max_offers=5)):
        for seat in range(seats):
            seen = json.loads(json.dumps(GAME.view(state, seat)))
            imagined = GAME.imagine(seen, Rng(f"{seed} {turn}"))
            assert GAME.view(imagined, seat) == seen
            assert [*GAME.options(imagined, seat)] == [*GAME.options(state, seat)]
            assert sorted(imagined.pile) == sorted(state.pile)
            assert imagined.plan == state.plan
        while turn % 5 == 0 and imagined.asked:
            moves = [GAME.fallback(imagined, s) for s in imagined.asked]
            GAME.play(imagined, moves, Rng(f"{turn}"))
        assert turn % 5 or GAME.outcome(imagined) is not None


def test_imagined_piles_lie_in_any_order_equally_often():
    state = GAME.start(3, {}, Rng("uniform"))
    seen, rng = GAME.view(state, 1), Rng("order")
    piles = [GAME.imagine(seen, rng).pile for _ in range(3600)]
    for place in (0, 17, -1):
        found = [pile[place] for pile in piles]
        assert all(60 <= found.count(card) <= 140 for card in state.pile)
    # Neighbours are as often in one order as in the other.
    first, second = state.pile[:2]
    ahead = sum(pile.index(first) < pile.index(second) for pile in piles)
    assert 1680 <= ahead <= 1920


def test_views_show_no_order_of_the_pile_and_no_choice_before_all_have_chosen():
    state = GAME.start(4, {}, Rng("hidden"))
    seen = GAME.view(state, 2)
    assert [*seen] == [
        *"stage round supply pile age_rank seats barter".split(),
        *"seat decision asked picking offers_left variant".split(),
    ]
    assert [*seen["seats"][0]] == "gems points workers row card action".split()
    assert seen["pile"] == 35
    state.pile.reverse()
    assert GAME.view(state, 2) == seen
    public = GAME.view(state)
    assert public == {key: seen[key] for key in public}


def test_the_rules_for_people_name_all_that_a_bot_meets():
    state = GAME.start(5, {}, Rng("page"))
    seen = GAME.view(state, 0)
    decisions = "CHOOSE_ACTION BARTER_OPEN BARTER_REPLY FREE_TRADE FREE_PICK".split()
    met = [*seen, *seen["seats"][0], *GAME.options_allowed, *GAME.options(state, 0), *decisions]
    page = (resources.files(GAME.package) / "RULES.md").read_text(encoding="utf-8")
    assert [word for word in met if f"`{word}`" not in page] == []
