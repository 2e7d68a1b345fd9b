"""How the viewer draws: a step changes little, moves nothing below it, and needs no colour."""

import base64
import json
from itertools import combinations
from statistics import median

import pytest

from engine.registry import GAMES
from tests.engine.tables import recorded

TABLES = [("edel-stein-reich", 5), ("basari", 4), ("edelsteinsuche", 4)]


@pytest.fixture(scope="module")
def site(watching):
    with watching(*(recorded(GAMES[slug], seats, "drawn") for slug, seats in TABLES)) as address:
        yield address


def opened(page, address, number, **query):
    given = "".join(f"&{name}={value}" for name, value in query.items())
    page.goto(f"{address}/?match={number}{given}")
    page.wait_for_selector(".kv-ready")


# A step

WALK = """(steps) => {
  const { viewer } = document.querySelector(".kv"), board = viewer.find(".kv-board"), seen = [];
  const changes = new MutationObserver(() => {});
  changes.observe(board, { childList: true, subtree: true });
  const panels = [...board.querySelectorAll(".kv-panel")];
  for (const way of ["on", "back"]) for (let k = 0; k < steps; k++) {
    viewer.act(way);
    document.body.offsetHeight;
    const moved = changes.takeRecords()
      .flatMap((one) => [...one.addedNodes, ...one.removedNodes])
      .reduce((sum, node) => sum + 1 + (node.querySelectorAll?.("*").length ?? 0), 0);
    const kept = panels.every((panel) => panel.isConnected);
    const nodes = board.querySelectorAll("*").length;
    seen.push({ share: moved / nodes, kept, height: board.offsetHeight });
  }
  return seen;
}"""


@pytest.mark.parametrize("number", range(1, 4), ids=[slug for slug, _ in TABLES])
def test_a_step_changes_a_small_part_of_the_table_and_not_its_height(window, site, number):
    opened(window, site, number)
    walked = window.evaluate(WALK, 70)
    assert all(step["kept"] for step in walked)
    # All nodes taken away and others put there would be 2.
    assert median(step["share"] for step in walked) < 0.1
    assert max(step["share"] for step in walked) < 0.8
    heights = [step["height"] for step in walked]
    assert max(heights) - min(heights) < 30, "a card more, but no jumping about"


def test_a_step_lays_out_the_page_once_even_while_gems_fly(chromium, site):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    opened(page, site, 1)
    page.evaluate("document.addEventListener('click', () => document.body.offsetHeight)")
    chromium.start_tracing(page=page, categories=["devtools.timeline"])
    flying = page.evaluate(
        """() => {
          let flying = 0;
          for (let k = 0; k < 60; k++) {
            document.querySelector("[data-do=on]").click();
            flying += document.querySelectorAll(".kv-flight").length;
          }
          return flying;
        }"""
    )
    events = json.loads(chromium.stop_tracing())["traceEvents"]
    page.close()
    clicks = [
        (event["ts"], event["ts"] + event["dur"])
        for event in events
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click"
    ]
    layouts = [event["ts"] for event in events if event["name"] == "Layout"]
    each = [sum(begun <= at <= ended for at in layouts) for begun, ended in clicks]
    assert len(each) == 60
    assert flying > 10
    assert sorted(each)[-4] == 1, each


# Without colour

# The levels of grey of some places in a picture of the page, as the browser reads them.
LEVELS = """async ([png, places]) => {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt());
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  pen.drawImage(picture, 0, 0);
  return places.map(([x, y, side]) => {
    const { data } = pen.getImageData(x, y, side, side);
    const row = (y) => Array.from({ length: side }, (_, x) => data[4 * (y * side + x)]);
    return Array.from({ length: side }, (_, y) => row(y));
  });
}"""
ALL_ROUND = """() => {
  const round = document.querySelector("#gem-b .kv-rim").getAttribute("d");
  for (const rim of document.querySelectorAll(".kv-gem .kv-rim")) rim.setAttribute("d", round);
}"""
ALL_A = (
    "() => document.querySelectorAll('.kv-panel .kv-seat').forEach((b) => { b.textContent = 'A'; })"
)


@pytest.fixture
def grey(chromium):
    """A page as somebody sees it who sees no colours, each of its points four dots."""
    context = chromium.new_context(
        viewport={"width": 1000, "height": 1200}, device_scale_factor=2, reduced_motion="reduce"
    )
    page = context.new_page()
    client = context.new_cdp_session(page)
    client.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    yield page
    context.close()


def shapes(page, selectors, inset=0):
    """Of each element the dots that are not of the grey at its corner."""
    boxes = [page.locator(selector).first.bounding_box() for selector in selectors]
    left, top = (min(box[side] for box in boxes) for side in "xy")
    size = [max(box[s] + box[by] for box in boxes) for s, by in (("x", "width"), ("y", "height"))]
    clip = {"x": left, "y": top, "width": size[0] - left, "height": size[1] - top}
    picture = base64.b64encode(page.screenshot(clip=clip)).decode()
    side = round(2 * min(box["width"] - 2 * inset for box in boxes))
    places = [[2 * (box["x"] - left + inset), 2 * (box["y"] - top + inset), side] for box in boxes]
    return [
        {
            (y, x)
            for y, row in enumerate(rows)
            for x, level in enumerate(row)
            if abs(level - rows[0][0]) > 40
        }
        for rows in page.evaluate(LEVELS, [picture, places])
    ]


def filled(dots):
    """The outline with all that is inside."""
    rows = {y: sorted(x for other, x in dots if other == y) for y, _ in dots}
    return {(y, x) for y, row in rows.items() for x in range(row[0], row[-1] + 1)}


def closest(all_dots):
    """What share of their dots the two that are most alike do not have in common."""
    return min(1 - len(a & b) / len(a | b) for a, b in combinations(all_dots, 2))


GEMS = {
    1: [f".kv-supply .kv-gem-{cut}" for cut in "rygb"],
    3: [f".kv-gemcard > .kv-gem-{cut}" for cut in "orbg"],
}


@pytest.mark.parametrize("number", GEMS, ids=["on felt", "on paper"])
def test_without_colour_gems_are_told_apart_by_their_outlines(grey, site, number):
    opened(grey, site, number, step=9)
    assert closest([filled(dots) for dots in shapes(grey, GEMS[number])]) > 0.1
    grey.evaluate(ALL_ROUND)
    assert closest([filled(dots) for dots in shapes(grey, GEMS[number])]) < 0.05, "so it can fail"


def test_without_colour_seats_are_told_apart_by_letter_and_dash(grey, site):
    opened(grey, site, 1, step=9)
    badges = [f".kv-panel:nth-child({n}) .kv-seat" for n in range(1, 6)]
    assert closest(shapes(grey, badges, inset=2)) > 0.2
    dashes = (
        grey.locator(".kv-plot")
        .first.locator(".kv-line")
        .evaluate_all("all => all.map((line) => getComputedStyle(line).strokeDasharray)")
    )
    assert len(set(dashes)) == 5
    grey.evaluate(ALL_A)
    assert closest(shapes(grey, badges, inset=2)) < 0.05, "so it can fail"
