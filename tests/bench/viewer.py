"""How long the replay viewer takes for a step on a machine four times as slow.

`python -m tests.bench.viewer` walks through a match of every game with every number of seats in
Chromium, forward with flying gems and back again, and lays out the page after each step.

What counts is the time of the page's thread, four times: Chromium's own slow-down watches the clock
on the wall, which on a busy machine says more about the others. Of several walks the best time of
each step is taken. `--throttled` uses that slow-down all the same.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import quantiles

from playwright.sync_api import Browser, Page, sync_playwright

from engine.registry import GAMES
from tests.browser.conftest import ARGUMENTS, watched
from tests.engine.tables import recorded

LIMIT_MS = 16
SLOWER = 4
WALKS = 4
STEPS = 120
WAYS = {"on": 0, "back": STEPS}
"""Which button walks, and where its walk begins."""

LAY_OUT = "document.addEventListener('click', () => document.body.offsetHeight)"
BEGIN = "(i) => document.querySelector('.kv').viewer.jump(i)"
WALK = """([way, steps]) => {
  const button = document.querySelector(`[data-do=${way}]`);
  for (let k = 0; k < steps; k++) button.click();
}"""


def walk(browser: Browser, page: Page, way: str) -> list[float]:
    """Milliseconds of each step, by the clock of the page's thread."""
    page.evaluate(BEGIN, WAYS[way])
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(WALK, [way, STEPS])
    events = json.loads(browser.stop_tracing())["traceEvents"]
    clicks = [
        event
        for event in events
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click"
    ]
    assert len(clicks) == STEPS
    return [event["tdur"] / 1000 for event in clicks]


def measure(browser: Browser, address: str, throttled: bool) -> dict[str, list[float]]:
    """The best time of each step, for both ways."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    page.wait_for_selector(".kv-ready")
    page.evaluate(LAY_OUT)
    if throttled:
        client = page.context.new_cdp_session(page)
        client.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    times = 1 if throttled else SLOWER
    walks = {way: [walk(browser, page, way) for _ in range(WALKS)] for way in WAYS}
    page.close()
    return {way: [times * min(step) for step in zip(*walks[way], strict=True)] for way in WAYS}


def report(*, throttled: bool = False) -> None:
    """A line for each table."""
    tables = [(game, seats) for game in GAMES.values() for seats in game.seats]
    print(f"a step in the viewer, processor {SLOWER} times as slow, in ms (at most {LIMIT_MS})")
    print(f"  {'':<28}{'on p50':>10}{'p95':>8}{'back p50':>12}{'p95':>8}")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        records = [recorded(game, seats, "bench") for game, seats in tables]
        with watched(Path(folder), *records) as address:
            for number, (game, seats) in enumerate(tables, 1):
                times = measure(browser, f"{address}/?match={number}", throttled)
                on, back = (quantiles(times[way], n=20) for way in WAYS)
                late = "  above" if max(on[-1], back[-1]) > LIMIT_MS else ""
                print(
                    f"  {f'{game.slug}, {seats} seats':<28}{on[9]:>10.1f}{on[-1]:>8.1f}"
                    f"{back[9]:>12.1f}{back[-1]:>8.1f}{late}",
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    report(throttled="--throttled" in sys.argv)
