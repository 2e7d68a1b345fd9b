"""The matches that walls show: made once, few of them kept."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from league.stage.premiere import shows as module
from league.stage.premiere.show import Show
from league.stage.premiere.shows import MAX_LATEST, Shows, rejecting


@pytest.fixture
def made(monkeypatch):
    """The matches that shows were made of."""
    matches = []

    def make(match, key):
        matches.append(match.pk)
        time.sleep(0.05)
        return Show(match.pk, "a match", {}, None, [], [0])

    monkeypatch.setattr(module, "_made", make)
    monkeypatch.setattr(module.display_names, "mark_of", lambda match: "")
    return matches


def match(pk):
    return SimpleNamespace(pk=pk, record=SimpleNamespace(digest="digest"))


def test_a_show_is_made_once_for_all_who_ask_at_the_same_time(made):
    shows = Shows()
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(shows.find, [match(1)] * 8))
    assert made == [1]
    assert all(show is results[0] for show in results)


def test_what_nobody_shows_any_more_is_dropped_but_for_the_latest(made):
    shows = Shows()
    on_a_wall = shows.find(match(0))
    for pk in range(1, MAX_LATEST + 2):
        shows.find(match(pk))
    gc.collect()
    made.clear()
    assert shows.find(match(0)) is on_a_wall
    shows.find(match(1))
    assert made == [1]


def test_a_show_that_cannot_be_told_is_not_shown_again(made, monkeypatch):
    shows = Shows()
    monkeypatch.setattr(module, "_shows", shows)
    show = shows.find(match(1))
    with rejecting(show):
        raise KeyError("a damaged step")
    assert shows.find(match(1)) is None
    other = shows.find(match(2))
    with pytest.raises(OperationalError), rejecting(other):
        raise OperationalError("the match has done nothing")
    assert shows.find(match(2)) is other
