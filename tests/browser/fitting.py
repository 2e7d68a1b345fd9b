"""Whether a replay fits its window: every step is looked at inside the page, in one call."""

from pathlib import Path

SIZES = ((1280, 720), (1366, 768), (1440, 900), (1920, 1080), (1280, 600), (360, 640), (390, 844))
"""The windows in which all of a table is in sight; 600 is what browsers leave of 720 or 768."""

LONG_NAMES = (
    "Bartholomew the Unreasonably Patient III",
    "Ottilie",
    "Wmwmwmwm Mwmwmwmw Wmwmwmwm Mwmwmwmw Wmwm",
    "Tin Cup",
    "Zita",
)
"""Names of bots have up to 40 characters."""

WALK = Path(__file__).with_name("fitting.js").read_text(encoding="utf-8")

TWO_DIGITS = """() => {
  const { table } = document.querySelector(".kv").viewer;
  const more = (seat) => ({ ...seat, gems: seat.gems.map((count) => count + 10) });
  table.views = table.views.map((view) => ({ ...view, seats: view.seats.map(more) }));
}"""


def problems(page, size, *, stride=1):
    """What of a replay cannot be seen at this size, at every step or at every so many."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # The table follows the window with the next frame.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(WALK, stride)


def with_faults(record):
    """The record, with a fault at the first decision of every seat."""
    decided = set()
    for step in record["steps"]:
        seat = step.get("seat")
        if seat is None or "ms" not in step or seat in decided:
            continue
        decided.add(seat)
        step["fault"] = "E303"
        fault = {"step": step["i"], "seat": seat, "code": "E303", "detail": "raised KeyError: 'x'."}
        record["faults"].append(fault)
    return record
