"""The rounds of the barter games, also of a match that goes on: a wall knows no later steps."""

import pytest

from engine.barter.rounds import action_rounds
from engine.registry import GAMES
from tests.engine.tables import recorded

TABLES = [(slug, seats) for slug in ("edel-stein-reich", "basari") for seats in (3, 4, 5)]


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_once_choices_are_revealed_it_is_known_what_becomes_of_them(slug, seats):
    contested = set()
    for seed in ("fates", "fortunes", "futures"):
        steps = recorded(GAMES[slug], seats, seed)["steps"]
        whole = action_rounds(steps)
        chosen = [step["i"] for step in steps if step["t"] == "choose"]
        for at, later in zip(chosen, whole, strict=True):
            revealed = [fate for fate in later.fates if fate.i == at]
            assert action_rounds(steps[: at + 1])[-1].fates == revealed
            contested |= {(fate.kind, len(fate.seats)) for fate in revealed}
    assert contested >= {("barter", 2), ("cancelled", 3)}
