"""The modules for bots that search: worth of gems, choices of others, fair offers."""

import re
from pathlib import Path

import pytest

from bots_sdk import View, house
from bots_sdk.box import SDK
from bots_sdk.offers import Offer
from bots_sdk.search import equilibrium, habits, haggling, holdings, prices
from bots_sdk.testing import Position
from engine.barter.gems import pack
from engine.registry import GAMES
from runners.local import LocalPlayer, load
from runners.match import play
from runners.plugins.discovery import kits
from runners.seeds import seat_seed
from runners.upload.source import outline_own

PAGE = Path(__file__).parents[2] / "docs" / "searching.md"
MAX_LINES = 40


def searcher_of_the_page():
    section = PAGE.read_text(encoding="utf-8").split("\n## A searcher in 40 lines\n")[1]
    (block,) = re.findall(
        r"^```python\n(.*?)^```$", section.split("\n## ")[0], re.MULTILINE | re.DOTALL
    )
    return block


def test_the_searcher_of_the_page_is_short_and_could_be_uploaded():
    source = searcher_of_the_page()
    assert len(source.splitlines()) <= MAX_LINES
    outline = outline_own(source)
    assert not outline.problems
    assert outline.games == ("basari",)


def test_the_searcher_of_the_page_beats_greedy():
    searcher, greedy = load(searcher_of_the_page()), load(house.files("basari")["greedy"])
    wins = 0
    for deal in range(12):
        seed = f"page {deal}"
        players = [
            program(seat_seed(seed, seat)) for seat, program in enumerate((searcher, *[greedy] * 2))
        ]
        result = play(GAMES["basari"], players, seed)
        assert result.faults == []
        wins += result.outcome.placements[0] == 1
    assert wins >= 7


def test_everything_of_the_search_is_in_the_box():
    folder = SDK.folder / "search"
    files = {f"search/{path.name}" for path in folder.glob("*.py")}
    assert files == {name for name in SDK.in_box if name.startswith("search/")}


@pytest.mark.parametrize("slug", GAMES)
def test_a_kit_has_every_file_it_names(slug):
    kit = kits()[slug]
    for name in (*kit.in_box, "starter.py", "rl.py", "kit.py"):
        assert (kit.folder / name).is_file(), name


def test_more_gems_make_a_majority_more_likely_and_late_all_the_more():
    hands = [pack([4, 0, 0, 0]), pack([2, 0, 0, 0]), pack([2, 0, 0, 0])]
    early, late = (
        holdings.add_gems([0.0] * 3, hands, holdings.majority_weights(left), 0.0)[0]
        for left in (8, 1)
    )
    assert sum(early) == pytest.approx(1)
    assert early[0] > early[1] == early[2]
    assert late[0] > early[0]


def test_gems_add_their_colours_value_to_the_worth_of_all_seats_together():
    worths = [10.0, 0.0, 0.0]
    holdings.add_gems(worths, [pack([1, 1, 1, 1])] * 3, holdings.majority_weights(3), 0.0)
    assert sum(worths) == pytest.approx(10 + 14 + 12 + 10 + 8)
    assert worths[1] == worths[2] == pytest.approx(worths[0] - 10)


def test_leads_add_up_to_nothing_and_a_decisive_lead_hardly_grows():
    assert sum(holdings.leads([5.0, 9.0, 1.0], 20.0)) == pytest.approx(0)
    near, far = (holdings.leads([lead, 0.0], 20.0)[0] for lead in (60.0, 600.0))
    assert far - near < 1


def test_players_who_answer_each_other_leave_the_action_that_is_contested():
    """Alone, `rich` brings 4 and `poor` 1; together nobody gets anything."""
    payoffs = {
        (one, other): (0.0, 0.0)
        if one == other
        else tuple(4.0 if a == "rich" else 1.0 for a in (one, other))
        for one in ("rich", "poor")
        for other in ("rich", "poor")
    }
    simple, clever = (
        equilibrium.respond(payoffs, ["rich", "poor"], iterations)[0] for iterations in (1, 6)
    )
    assert simple["rich"] + simple["poor"] == pytest.approx(1)
    assert 0.5 < clever["rich"] < simple["rich"]
    values, _ = equilibrium.expected_values(payoffs, [simple, {"rich": 1.0, "poor": 0.0}])
    assert values == {"rich": 0.0, "poor": pytest.approx(1)}


def test_a_model_that_predicts_well_is_trusted_more():
    payoffs = {(a, b): (float(a == "x"), float(b == "x")) for a in "xy" for b in "xy"}
    models = equilibrium.OpponentModels()
    seats = [View(), View()]
    models.learn(View(seats=seats, news=[]), "xy")
    models.predict(payoffs, "xy")
    stubborn = View(t="choose", moves=["x", "y"])
    models.learn(View(seats=seats, news=[stubborn] * 5), "xy")
    first, second = models.predict(payoffs, "xy")
    assert models.trust[1]["steady"] > models.trust[1]["clever"]
    assert second["y"] > 0.5 > first["y"]


def test_habits_come_to_count_as_much_as_wishes():
    wishes = {"gems": 1.0, "points": 0.0}
    watcher = habits.Habits()
    assert watcher.guess(0, wishes) == wishes
    watcher.watch(View(news=[View(t="choose", moves=["points"])] * habits.PATIENCE))
    assert watcher.guess(0, wishes) == {"gems": 0.5, "points": 0.5}


@pytest.mark.parametrize(
    ("chances", "share"),
    [
        pytest.param([0.0, 0.0], 1.0, id="nobody else comes"),
        pytest.param([1.0, 0.0], 0.5, id="one other comes"),
        pytest.param([1.0, 1.0], 0.0, id="three get nothing"),
        pytest.param([0.5, 0.0], 0.75, id="perhaps one comes"),
    ],
)
def test_the_share_of_an_action_depends_on_who_else_comes(chances, share):
    guesses = [{"gems": chance} for chance in chances]
    assert habits.expected_share("gems", guesses) == share


def test_only_what_exactly_one_other_wants_leads_to_a_barter():
    assert habits.wished_by_one(["points", "gems", "free"], ["gems", "points", "points"]) == [
        "gems"
    ]
    assert habits.as_chances({"gems": 3.0, "free": 1.0}) == {"gems": 0.75, "free": 0.25}


def in_a_barter(*offers):
    """The view of the seat that decides in a barter of seats 0 and 1."""
    position = Position.start("basari", seats=3).play("points", "points", "gems")
    for offer in offers:
        position = position.play(offer)
    return position.view(), position.options()


def test_a_gem_is_worth_most_where_the_race_is_close():
    view = View(seats=[View(gems=[3, 0, 3, 3]), View(gems=[3, 5, 2, 3])])
    table = prices.GemPrices(view, 3)
    assert table.gem(0, "R") > table.gem(0, "Y")
    assert prices.GemPrices(view, 1).gem(0, "R") > table.gem(0, "R")
    assert table.gems(0, Offer(1, 0, 2)) == table.gem(0, "R") + 2 * table.gem(0, "G")
    assert table.best_gem(0) == table.gem(0, "R")
    assert table.trade(0, "trade B RG") == sum(table.gem(0, c) for c in "RG") - table.gem(0, "B")


def test_a_fair_offer_is_the_cheapest_the_other_can_hardly_refuse():
    view, options = in_a_barter()
    table = prices.GemPrices(view, view.stage)
    offer = table.fair_offer(options, lambda seat: 10.0)
    assert offer in options
    other = sum(view.barter.seats) - view.seat
    assert table.gems(other, Offer.parse(offer)) >= prices.FAIR_PART * 10
    assert table.fair_offer(options, lambda seat: 0.1) is None


def test_an_offer_as_good_as_acting_is_accepted():
    view, options = in_a_barter("offer 3.0.0.0")
    table = prices.GemPrices(view, view.stage)
    assert table.answer(options, lambda seat: 5.0) == "accept"
    view, options = in_a_barter("offer 0.0.0.1")
    assert prices.GemPrices(view, view.stage).answer(options, lambda seat: 9.0) in options[1:]


@pytest.mark.parametrize(
    ("offer", "limit", "move"),
    [
        pytest.param("offer 1.0.0.0", 2.0, "accept", id="enough"),
        pytest.param("offer 0.0.0.1", 3.0, "offer 0.0.0.2", id="one gem more"),
        pytest.param("offer 0.0.0.1", 2.0, "accept", id="one gem more costs too much"),
    ],
)
def test_an_answer_by_the_list_stays_below_its_limit(offer, limit, move):
    assert prices.answer_by_list(*in_a_barter(offer), limit) == move


def test_haggling_goes_up_step_by_step_until_there_are_enough_gems():
    assert prices.raise_a_little(*in_a_barter("offer 0.0.0.1"), 2) == "offer 0.0.1.0"
    assert prices.raise_a_little(*in_a_barter("offer 0.0.0.2"), 2) == "accept"


def test_small_offers_are_all_that_a_hand_allows():
    assert {str(offer) for offer in prices.small_offers([0, 0, 1, 2])} == {
        *("offer 0.0.0.1", "offer 0.0.0.2", "offer 0.0.1.0", "offer 0.0.1.1", "offer 0.0.1.2")
    }


def test_somebody_who_does_not_care_accepts_every_other_time():
    assert haggling.likelihood(0) == 0.5
    assert 0 < haggling.likelihood(-1e9) < haggling.likelihood(-1) < haggling.likelihood(1e9) <= 1


@pytest.mark.parametrize("slug", ["basari", "edel-stein-reich"])
def test_a_search_in_a_hurry_still_answers(slug):
    searcher = LocalPlayer(house.files(slug)["searcher"], "hurry")._bot
    position = Position.start(slug, seats=5)
    view = position.view()
    view.update(time_left_ms=1, news=[])
    assert searcher.search.rounds_allowed(view) < searcher.search.budget
    assert searcher.decide(view, position.options()) in position.options()
