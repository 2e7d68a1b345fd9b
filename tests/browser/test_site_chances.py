"""The win-chance lines in a real browser: as far as the match was watched, whole at the end."""

import re
from base64 import b64encode

import pytest

from tests.browser.fitting import SIZES, problems
from tests.browser.shown import Shown

MADE = """
from datetime import timedelta
from django.utils import timezone
from league.chances import services
# Without a worker every page begins with a notice.
seen_at = timezone.now() + timedelta(hours=1)
Worker.objects.create(name="w", seen_at=seen_at, capacity=1, sandbox="template", sandbox_ok=True)
owners = {"Shark": factories.make_user("tom"), "Anton": None, "Zita": None}
players = [factories.make_player(owner, name) for name, owner in owners.items()]
match = factories.make_match(players, "edel-stein-reich")
# A match whose scoring sheets are wide, as gains stand beside new totals of two digits.
large = factories.queue_match(
    [*players, *(factories.make_player(None, name) for name in ("Ottilie", "Emil"))],
    "edel-stein-reich",
)
large.seed = "sums 5"
large.save()
factories.finish_match(large)
for one in (match, large):
    services.compute(one.pk)
plain = factories.make_match(players, "basari")
tell({"match": match.pk, "large": large.pk, "plain": plain.pk})
"""
LINE = ".kv-chances"
LETTERS = ".kv-chance-ends"
SHARE = """(line) => {
  const { clipPath } = getComputedStyle(line);
  const [, right] = /^inset\\(\\S+ (?:calc\\()?([\\d.]+)%/.exec(clipPath) ?? [];
  return right === undefined ? clipPath : 1 - right / 100;
}"""

# Look at a place, in a match of so many steps.
LOOK = """(line, [place, steps]) => {
  line.style.setProperty("--at", place);
  line.style.setProperty("--step", 1 / steps);
}"""
# How much two pictures differ where they differ most, of 255.
DIFFERENCE = """async (pictures) => {
  const pixels = async (png) => {
    const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
  const [one, other] = await Promise.all(pictures.map(pixels));
  return one.reduce((most, value, k) => Math.max(most, Math.abs(value - other[k])), 0);
}"""
# From this row on nothing changes any more.
CUT = """(line, row) => {
  for (const path of line.children) {
    const parts = path.getAttribute("d").split("H").slice(0, row);
    path.setAttribute("d", `${parts.join("H")}H1000`);
  }
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    league = Shown(tmp_path_factory.mktemp("chances"))
    try:
        league.create()
        league.collect_static()
        league.made = league.python(MADE)
        league.serve()
        yield league
    finally:
        league.end()


@pytest.fixture
def replay(site, window):
    window.goto(f"{site.address}/matches/{site.made['match']}/")
    window.locator(".kv-ready").wait_for()
    return window


def jump(page, step):
    page.locator(".kv").evaluate("(root, step) => root.viewer.jump(step)", step)


def last(page):
    return page.locator(".kv").evaluate("(root) => root.viewer.last")


def difference(page, *pictures):
    return page.evaluate(DIFFERENCE, [b64encode(one).decode() for one in pictures])


def peek(page, share):
    """What the slider says under the pointer, at a part of its width."""
    box = page.locator(".kv-range").bounding_box()
    page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), box["y"] + 20)
    return page.locator(".kv-peek").inner_text()


def test_the_lines_are_drawn_as_far_as_the_match_was_ever_watched(replay):
    assert replay.locator(f"{LINE} path").count() == 3
    assert replay.locator(LINE).evaluate(SHARE) == 0
    jump(replay, last(replay) // 2)
    assert replay.locator(LINE).evaluate(SHARE) == pytest.approx(0.5, abs=0.01)
    assert not replay.locator(LETTERS).is_visible()
    jump(replay, 0)
    assert replay.locator(LINE).evaluate(SHARE) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("steps", [100, 4000])
def test_nothing_of_a_change_is_drawn_before_its_step(replay, window, steps):
    line, end = replay.locator(LINE), last(replay)
    rows = replay.locator(".kv").evaluate("(root) => root.viewer.table.data.chances.rows")
    row = next(row for row in range(len(rows) // 2, len(rows)) if rows[row][1] != rows[row - 1][1])
    before, after = rows[row][0] / end - 1 / steps, rows[row][0] / end + 0.02
    shots = {}
    for place in (before, after):
        line.evaluate(LOOK, [place, steps])
        shots[place] = line.screenshot()
    line.evaluate(CUT, row)
    assert difference(window, line.screenshot(), shots[after]) > 100
    line.evaluate(LOOK, [before, steps])
    # A shorter path may be smoothed a little differently.
    assert difference(window, line.screenshot(), shots[before]) < 60


def test_at_the_end_they_are_whole_and_stay_so(replay):
    jump(replay, last(replay))
    assert replay.locator(LINE).evaluate(SHARE) == "none"
    assert replay.locator(LETTERS).is_visible()
    letters = replay.locator(f"{LETTERS} tspan").all_text_contents()
    assert sorted(letters) == ["A", "B", "C"]
    jump(replay, 3)
    assert replay.locator(LINE).evaluate(SHARE) == "none"


def test_whoever_opens_the_result_sees_them_whole(replay):
    replay.locator(".kv").evaluate(
        """(root) => {
          const details = document.createElement("details");
          details.className = "spoiler";
          root.append(details);
          details.open = true;
        }"""
    )
    replay.locator(".kv-told").wait_for()
    assert replay.locator(LINE).evaluate(SHARE) == "none"


@pytest.mark.parametrize("audience", ["owner", "?result=1"])
def test_whoever_sees_the_result_at_once_sees_them_whole(window, site, audience):
    query = audience if audience.startswith("?") else ""
    if not query:
        window.context.add_cookies([site.cookie("tom")])
    window.goto(f"{site.address}/matches/{site.made['match']}/{query}")
    window.locator(".kv-ready").wait_for()
    assert window.locator(LINE).evaluate(SHARE) == "none"


def test_the_slider_tells_chances_with_their_error_but_not_ahead_of_the_match(replay):
    jump(replay, last(replay) // 2)
    assert "Chances:" not in peek(replay, 0.9)
    said = peek(replay, 0.25)
    rows = replay.locator(".kv").evaluate("(root) => root.viewer.table.data.chances")
    step = round(0.25 * last(replay))
    chances = [row[1] for row in rows["rows"] if row[0] <= step][-1]
    words = ", ".join(f"{letter} {one}" for letter, one in zip("ABC", chances, strict=True))
    assert said.endswith(f"Chances: {words}, ±{rows['error']}.")
    jump(replay, last(replay))
    assert "100 %" in peek(replay, 1)
    assert "±" not in peek(replay, 1)


def test_ahead_of_the_match_the_slider_tells_only_where_it_is(replay):
    jump(replay, last(replay) // 2)
    place = r"Step \d+ of \d+\. Phase \d(, round \d+)?\."
    assert re.fullmatch(f"{place} .+ Chances: .+", peek(replay, 0.3))
    assert re.fullmatch(place, peek(replay, 0.8))


def test_turning_points_are_key_moments_with_a_note_on_what_the_lines_are(replay):
    moments = replay.locator(".kv-moments")
    moments.locator("summary").click()
    note = moments.locator(".kv-chance-note").inner_text()
    assert "An estimate:" in note
    assert "games played out by quick greedy bots" in note
    turns = moments.locator("li a", has_text="Turning point").all_inner_texts()
    assert turns
    moments.locator("li a", has_text="Turning point").first.click()
    shown = replay.locator(".kv").evaluate("(root) => root.viewer.i")
    assert str(shown) == turns[0].split()[0]
    # What turned is told as soon as it is no secret.
    jump(replay, last(replay))
    assert moments.locator("li a", has_text=re.compile("(rises|falls) from")).count() == len(turns)


def test_a_seat_sees_no_lines_and_neither_does_a_match_without_chances(replay, site):
    replay.locator(".kv").evaluate("(root) => root.viewer.look('A')")
    replay.locator(LINE).wait_for(state="detached")
    jump(replay, 5)
    assert "Chances:" not in peek(replay, 0)
    replay.goto(f"{site.address}/matches/{site.made['plain']}/")
    replay.locator(".kv-ready").wait_for()
    assert replay.locator(LINE).count() == 0
    assert "Chances:" not in peek(replay, 0)


def test_the_story_is_on_the_page_and_says_what_it_rests_on(replay):
    story = replay.locator(".match-story")
    assert 3 <= len(re.findall(r"[.!] ", story.text_content() + " ")) <= 8
    assert any(name in story.text_content() for name in ("Shark", "Anton", "Zita"))
    assert "quick greedy bots" in replay.locator("section:has(> #story)").text_content()


def test_the_lines_have_a_band_of_their_own_above_the_track(replay):
    band, track = (replay.locator(one).bounding_box() for one in (LINE, ".kv-track"))
    assert band["y"] + band["height"] <= track["y"]
    caption = replay.locator(".kv-caption").bounding_box()
    assert caption["y"] + caption["height"] <= band["y"]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_table_with_lines_fits_below_the_header_of_the_site(site, window, size):
    window.set_viewport_size({"width": size[0], "height": size[1]})
    window.goto(f"{site.address}/matches/{site.made['large']}/")
    window.locator(".kv-ready").wait_for()
    assert window.locator(LINE).count() == 1
    assert problems(window, size, stride=10) == []
