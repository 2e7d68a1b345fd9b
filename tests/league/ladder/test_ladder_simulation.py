"""Ten bots whose strengths are known: what the ladder's rule makes of them, beside others.

`make bench BENCH=ladder` does the same with 100 and 1,000 bots and more seeds.
"""

from functools import cache

import pytest

from league.ladder.matchmaking.shares import Need
from tests.bench import ladder

SEEDS = 10


@cache
def results(name):
    scenarios = {one.name: one for one in (ladder.ALL_KINDS, *ladder.ARRIVALS)}
    return {
        rule: [ladder.simulate(scenarios[name], 10, rule, seed) for seed in range(SEEDS)]
        for rule in ladder.RULES
    }


@pytest.mark.parametrize("peer", ["chance", "former"])
@pytest.mark.parametrize("name", ["new versions, always last", "newcomers of all kinds"])
def test_arrivals_find_their_places_sooner_than_by_other_rules(name, peer):
    _, most = ladder.interval(ladder.differences(results(name), peer, "placed"))
    assert most < 0


@pytest.mark.parametrize("peer", ["chance", "former"])
@pytest.mark.parametrize(
    "name", ["all kinds at once", "new versions, always last", "newcomers of all kinds"]
)
def test_ranks_are_never_surely_worse_than_by_other_rules(name, peer):
    least, _ = ladder.interval(ladder.differences(results(name), peer, "error"))
    assert least <= 0


@pytest.mark.parametrize(
    "name", ["all kinds at once", "new versions, always last", "newcomers of all kinds"]
)
def test_no_bot_has_more_than_its_share(name):
    for result in results(name)["ours"]:
        assert result.busiest <= 0.5
        assert result.unfair <= 3


def test_the_former_rule_gave_most_matches_to_a_hopeless_bot():
    assert max(one.busiest for one in results("new versions, always last")["former"]) > 0.7


@pytest.mark.parametrize("order", ["as made", "at random", "by time"])
def test_ladders_share_workers_equally_however_long_their_matches_are(order):
    needs = dict.fromkeys(("short", "medium", "long"), Need.USERS) | {"house": Need.HOUSE}
    durations = {"short": 0.05, "medium": 0.5, "long": 3.0, "house": 0.1}
    finished = ladder.share_workers(durations, needs, 600, order)
    of_users = sum(finished[game] for game in ("short", "medium", "long"))
    assert min(finished[game] for game in ("short", "medium", "long")) >= of_users / 6
