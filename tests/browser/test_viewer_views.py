"""What the viewer makes of a record is what the engine saw: many matches in one page."""

import copy
import hashlib
import json
import os

import pytest

from engine.record.patch import apply
from engine.record.redact import redact
from engine.registry import GAMES
from tests.engine.tables import every_table, recorded

MATCHES = int(os.environ.get("VIEWER_MATCHES", "25"))
"""Of every game with every number of seats."""
SHORT = {"edelsteinsuche": {"max_turns_per_seat": 12}}

# Views come and go as text: of hundreds of matches, a page tells only what they add up to.
REDUCED = """async (matches) => {
  const { expand } = await import("/viewer/views.js");
  return Promise.all(JSON.parse(matches).map(async ({ steps }) => {
    const text = expand(steps).map((view) => JSON.stringify(view)).join("\\n");
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest));
  }));
}"""
WHOLE = 'async (steps) => (await import("/viewer/views.js")).expand(steps)'


@pytest.fixture(scope="module")
def page(chromium, watching):
    with watching(recorded(GAMES["basari"], 3, "any")) as address:
        page = chromium.new_page()
        page.goto(address)
        yield page
        page.close()


def views_of(record):
    """The view after every step, as text."""
    view = copy.deepcopy(record["steps"][0]["view"])
    texts = [json.dumps(view, separators=(",", ":"), ensure_ascii=False)]
    for step in record["steps"][1:]:
        apply(view, copy.deepcopy(step["set"]))
        texts.append(json.dumps(view, separators=(",", ":"), ensure_ascii=False))
    return texts


def reduced(page, records):
    return page.evaluate(REDUCED, json.dumps([{"steps": record["steps"]} for record in records]))


def check(page, record, digest):
    """If the sum differs, say at which step."""
    views = views_of(record)
    if bytes(digest) != hashlib.sha256("\n".join(views).encode()).digest():
        assert page.evaluate(WHOLE, record["steps"]) == [json.loads(view) for view in views]
        raise AssertionError("the views are the same, their texts differ")


@every_table
def test_every_step_is_as_the_engine_saw_it_and_the_last_is_the_outcome(page, game, seats):
    options = SHORT.get(game.slug)
    records = [recorded(game, seats, f"views {n}", options) for n in range(MATCHES)]
    for record, digest in zip(records, reduced(page, records), strict=True):
        check(page, record, digest)
        assert game.presentation.scores(record)[-1] == record["outcome"]["scores"]


def test_a_redacted_copy_is_reduced_like_any_other(page):
    whole = recorded(GAMES["edelsteinsuche"], 3, "redacted", SHORT["edelsteinsuche"])
    copies = [redact(whole, seat) for seat in range(3)]
    for record, digest in zip(copies, reduced(page, copies), strict=True):
        check(page, record, digest)
