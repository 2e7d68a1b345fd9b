"""A worker whose boxes lose their template goes on with bubblewrap, and says so."""

import os
import signal
from contextlib import closing

import pytest

from league.workers import worker
from league.workers.models import Worker
from runners.box import modes, template
from runners.box.launch import Box
from runners.limits import Limits
from tests.league.workers.test_operate_workers import register

pytestmark = pytest.mark.django_db


@pytest.fixture
def walls(monkeypatch):
    monkeypatch.setenv("KARAT_WORKER", "here")
    monkeypatch.setenv("SANDBOX", "auto")
    register("here")
    yield worker._Walls()
    modes.use_mode(None)


def row():
    return Worker.objects.get(name="here")


def lose_template():
    for each in template._templates.values():
        os.kill(each.pid, signal.SIGKILL)
        each._process.wait()


def test_it_is_shown_until_the_walls_are_tried_again(walls):
    assert walls.hold()
    assert (row().sandbox, row().sandbox_said) == ("template", "All walls hold.")
    lose_template()
    with closing(Box(Limits())) as box:
        box.wait_ready()
    assert walls.hold()
    assert (row().sandbox, row().sandbox_said) == ("bwrap", worker.LOST_TEMPLATE)
    assert row().sandbox_ok
    walls.tried_at -= 2 * worker.RETRY_SECONDS
    assert walls.hold()
    assert (row().sandbox, row().sandbox_said) == ("template", "All walls hold.")
