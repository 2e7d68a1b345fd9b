"""How many live connections there may be."""

from contextlib import ExitStack

import pytest
from prometheus_client import REGISTRY

from league.stage.live.bounds import MAX_WALLS_OF_ADDRESS, Bounds, TooMany

HALL, HOME = "192.0.2.1", "192.0.2.2"


@pytest.mark.parametrize(
    ("admitted", "refused"),
    [
        pytest.param([(HALL, "gala")] * 5, (HOME, "gala"), id="too many altogether"),
        pytest.param([(HALL, "gala")] * 3, (HALL, "gala"), id="too many of an address"),
    ],
)
def test_connections_are_counted_altogether_and_for_each_address(admitted, refused):
    bounds = Bounds(5, max_of_address=3 if refused[0] == HALL else 5)
    with ExitStack() as stack:
        for one in admitted:
            stack.enter_context(bounds.admit(*one))
        assert bounds.count == REGISTRY.get_sample_value("karat_live_connections") == len(admitted)
        with pytest.raises(TooMany), bounds.admit(*refused):
            pass
    assert bounds.count == REGISTRY.get_sample_value("karat_live_connections") == 0
    with bounds.admit(*refused):
        assert bounds.count == 1


def test_an_address_cannot_take_the_place_of_all_walls():
    bounds = Bounds(100)
    with ExitStack() as stack:
        for number in range(MAX_WALLS_OF_ADDRESS):
            stack.enter_context(bounds.admit(HALL, f"event {number}"))
        with pytest.raises(TooMany), bounds.admit(HALL, "one more"):
            pass
        stack.enter_context(bounds.admit(HALL, "event 1"))
        stack.enter_context(bounds.admit(HOME, "one more"))
