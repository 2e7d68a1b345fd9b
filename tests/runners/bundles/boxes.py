"""Bundles for boxes, in the cache of this machine."""

from contextlib import contextmanager

import pytest

from runners.box.kernel import landlock
from runners.box.modes import Mode
from runners.boxed import boxed_players
from runners.bundles.bundle import Bundle
from runners.bundles.cache import place_bundle
from runners.limits import Limits
from tests.runners.boxes import ask

needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)
every_mode = pytest.mark.parametrize(
    "mode", [Mode.TEMPLATE, Mode.BWRAP, pytest.param(Mode.LANDLOCK, marks=needs_landlock)]
)
PATIENT = Limits(
    decision_cpu_ms=4000, decision_wall_ms=20_000, load_cpu_ms=4000, load_wall_ms=20_000
)


def placed(entry, **files):
    """A bundle in the cache; `__` in a name is a slash, `_py` at its end a dot."""
    return placed_files({"bot.py": entry} | {path_of(name): data for name, data in files.items()})


def path_of(name):
    stem, _, suffix = name.replace("__", "/").rpartition("_")
    return f"{stem}.{suffix}"


def placed_files(files):
    """A bundle of these files in the cache."""
    contents = {
        path: data.encode() if isinstance(data, str) else data for path, data in files.items()
    }
    return place_bundle(Bundle(contents))


@contextmanager
def boxes_with(*codes):
    """A box for every bot, which is loaded, or has failed."""
    with boxed_players(codes, "7", PATIENT) as players:
        yield [player.box for player in players]


def move_of(code, **how):
    """What a bot answers, if it answers."""
    with boxes_with(code) as [box]:
        reply = ask(box, **({"cpu_ms": 4000, "wall_ms": 20_000} | how))
        assert "move" in (reply.message or {}), reply
        return reply.message["move"]
