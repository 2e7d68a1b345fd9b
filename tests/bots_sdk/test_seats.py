"""No seat is better than another because of the order in which a house bot looks at things.

Every bot that thinks quickly, and every size of table, at least once; `make bench BENCH=seats` has
all bots, all tables and more deals.
"""

import pytest

from tests.bots_sdk.seat_shares import allowed_difference, shares_at_random, shares_of_bot

DEALS = 400
SAMPLE = [
    *(("edelsteinsuche", name, 4) for name in ("greedy", "hedwig", "magpie", "mole")),
    ("edelsteinsuche", "greedy", 3),
    ("edelsteinsuche", "mole", 2),
    *(("basari", name, seats) for name, seats in (("karim", 3), ("greedy", 4), ("samira", 5))),
    *(("edel-stein-reich", name, seats) for name, seats in (("zita", 3), ("anton", 4))),
    ("edel-stein-reich", "greedy", 5),
]
COMPARISONS = sum(seats for _, _, seats in SAMPLE)


@pytest.mark.parametrize(("game", "name", "seats"), SAMPLE)
def test_a_house_bot_plays_as_well_at_every_seat(game, name, seats):
    at_random = shares_at_random(game, seats, DEALS)
    for seat, share in enumerate(shares_of_bot(game, name, seats, DEALS)):
        allowed = allowed_difference(share, at_random[seat], DEALS, COMPARISONS)
        assert abs(share - at_random[seat]) <= allowed, f"seat {seat}"
