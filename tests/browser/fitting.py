"""Whether a replay fits its window: every step is looked at inside the page, in one call."""

SIZES = ((1280, 720), (1366, 768), (1440, 900), (1920, 1080), (1280, 600), (360, 640), (390, 844))
"""The windows in which all of a table is in sight; 600 is what browsers leave of 720 or 768."""

WALK = """(stride) => {
  const { viewer } = document.querySelector(".kv"), { root } = viewer, problems = new Set();
  const all = (selector) => [...root.querySelectorAll(selector)];
  // To ask what lies at a point takes a browser ten times as long beside hundreds of lines.
  const text = document.querySelectorAll(".kv-log > *, .kv-drawers, .kv-moments");
  for (const part of text) part.hidden = true;

  // Why something cannot be seen whole: it is not drawn, out of the window, or below something.
  const points = [[0.5, 0.5], [0.06, 0.15], [0.94, 0.15], [0.06, 0.85], [0.94, 0.85]];
  const trouble = (one) => {
    if (!one.checkVisibility()) return "is not shown";
    const box = one.getBoundingClientRect(), least = Math.min(box.left, box.top);
    const isOut = least < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
    if (isOut) return "is out of sight";
    const isOnTop = ([x, y]) =>
      one.contains(document.elementFromPoint(box.left + box.width * x, box.top + box.height * y));
    return points.every(isOnTop) ? null : "is covered";
  };

  // What reaches over the edge of a seat's panel is cut off.
  const isCut = (panel) => {
    const edge = panel.getBoundingClientRect().right + 1;
    const parts = panel.querySelectorAll("header, .kv-card, .kv-row dd, .kv-gemcard");
    return panel.scrollHeight > panel.clientHeight + 1 || panel.scrollWidth > panel.clientWidth + 1
      || [...parts].some((part) => part.getBoundingClientRect().right > edge);
  };

  const controls = [".kv-caption", ".kv-range", ".kv-speed",
    ...["back", "play", "on", "more"].map((name) => `[data-do=${name}]`)];
  for (let i = 0; i <= viewer.last; i += stride) {
    viewer.jump(i);
    const tell = (name, what) => what && problems.add(`step ${i}: ${name} ${what}`);
    const strip = all(".kv-strip > button"), isPhone = root.clientWidth < 821;
    const acting = all(".kv-involved"), seats = isPhone && strip.length ? strip : all(".kv-panel");
    for (const one of new Set([...acting, ...seats])) tell(one.textContent, trouble(one));
    for (const one of acting) tell(one.ariaLabel, isCut(one) && "is cut off");
    for (const selector of controls) tell(selector, trouble(viewer.find(selector)));
    const [middle] = [...all(".kv-stage > :is(.kv-sheet, .kv-ranking)"), ...all(".kv-centre")];
    tell("the middle", trouble(middle));
    if (document.documentElement.scrollWidth > innerWidth) tell("the page", "scrolls sideways");
  }
  for (const part of text) part.hidden = false;
  return [...problems];
}"""


def problems(page, size, *, stride=1):
    """What of a replay cannot be seen at this size, at every step or at every so many."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # The table follows the window with the next frame.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(WALK, stride)
