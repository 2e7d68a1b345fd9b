// Walks through a replay inside its page, every so many steps, and returns what of it cannot be seen.
(stride) => {
  const { viewer } = document.querySelector(".kv"), { root } = viewer, problems = new Set();
  const shown = (selector, of = root) => [...of.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const sides = (box) => [-box.left, -box.top, box.right, box.bottom];
  const isWithin = (box, room, slack = 0.6) => sides(box).every((side, k) => side <= sides(room)[k] + slack);
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  // To ask what lies at a point takes a browser ten times as long beside hundreds of lines.
  const text = document.querySelectorAll(".kv-log > *, .kv-drawers, .kv-moments");
  for (const part of text) part.hidden = true;

  // Nor does what only a screen reader reads take any room.
  const unspoken = new CSSStyleSheet();
  unspoken.replaceSync(".kv-board .kv-quiet { display: none !important }");
  document.adoptedStyleSheets.push(unspoken);

  // Why something cannot be seen whole: it is not drawn, out of the window, pale, or below something.
  const POINTS = [[0.5, 0.5], [0.06, 0.15], [0.94, 0.15], [0.06, 0.85], [0.94, 0.85]];
  const isOnTop = (one, box, [x, y]) =>
    one.contains(document.elementFromPoint(box.left + box.width * x, box.top + box.height * y));
  function trouble(one, points = POINTS) {
    if (!one?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return "is not shown";
    const box = one.getBoundingClientRect();
    if (!isWithin(box, screen)) return "is out of sight";
    return points.every((point) => isOnTop(one, box, point)) ? null : "is covered";
  }
  const CENTRE = POINTS.slice(0, 1);

  function isPale(one) {
    let strength = 1;
    for (let node = one; node; node = node.parentElement) strength *= getComputedStyle(node).opacity;
    return strength < 0.8;
  }

  // Parts that clip what is too large for them. A name ends in an ellipsis, and lists may scroll.
  const CLIPS = `.kv-panel, .kv-row, .kv-row dd, .kv-dealt, .kv-before, .kv-action, .kv-centre, .kv-stage,
    .kv-talk-head, .kv-bubble, .kv-sheet, .kv-ranking, .kv-event, .kv-gemcard, .kv-workers, .kv-inhand, .kv-prospector`;
  const isClipped = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;

  // What goes on: each part lies in the field it has.
  const STAGED = `.kv-action, .kv-chooser > .kv-seat, .kv-talk-head > *, .kv-bubble:last-child, .kv-title,
    .kv-event.kv-large, .kv-sheet tr, .kv-ranking li`;
  const OWN = ".kv-hand, .kv-cards, .tp-hand, .kv-plain-view";
  const CONTROLS = ".kv-controls :is(button, select)";

  const acts = (step, seat) =>
    [step.seat, step.from].includes(seat) || step.seats?.includes(seat) || step.moves?.[seat] != null;

  function lookAtStep(tell) {
    const { names, step } = viewer.table, strip = shown(".kv-strip > button");
    const acting = names.flatMap((_, seat) => (acts(step, seat) ? [root.querySelector(`#kv-seat-${seat}`)] : []));
    for (const one of new Set([...acting, ...(strip.length ? strip : root.querySelectorAll(".kv-panel"))])) tell(one, trouble(one));
    for (const one of acting) tell(one, trouble(one.querySelector(OWN), CENTRE), isPale(one) && "is pale");
    const board = viewer.find(".kv-board"), stage = viewer.find(".kv-stage"), room = stage.getBoundingClientRect();
    for (const one of shown(CLIPS, board)) tell(one, isClipped(one) && "is cut off");
    for (const one of shown(STAGED, stage)) tell(one, !isWithin(one.getBoundingClientRect(), room, 1) && "leaves the stage");
    const [middle] = [...stage.querySelectorAll(":scope > :is(.kv-sheet, .kv-ranking)"), viewer.find(".kv-centre")];
    tell(middle, trouble(middle));
    const caption = viewer.find(".kv-caption"), said = caption.querySelector(".kv-said:not(.kv-long)");
    tell(caption, trouble(caption), said && isClipped(said) && "is cut off");
    tell(viewer.find(".kv-controls"), trouble(viewer.find(".kv-controls"), []));
    tell(root, document.documentElement.scrollWidth > innerWidth && "scrolls sideways");
  }

  function lookAtControls(tell) {
    for (const one of [...shown(CONTROLS), viewer.find(".kv-range")]) tell(one, trouble(one), isClipped(one) && "is cut off");
  }

  // Opened, they may need more height than a small window has, but never what belongs to others.
  function lookAtMore(tell) {
    viewer.act("more");
    for (const one of shown(CONTROLS)) {
      one.scrollIntoView({ block: "nearest" });
      tell(one, trouble(one));
    }
    viewer.act("more");
    for (const one of [document.documentElement, root]) one.scrollTop = 0;
  }

  function lookAtLetters(tell) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const one = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !one.checkVisibility()) continue;
      tell(one, parseFloat(getComputedStyle(one).fontSize) < 11 && "is too small");
    }
  }

  const nameOf = (one) => one.ariaLabel ?? one.title ?? "";
  function look(i) {
    viewer.jump(i);
    const tell = (one, ...all) => all.filter(Boolean).forEach((what) =>
      problems.add(`step ${i}: ${one.className || one.localName} ${nameOf(one)} ${one.dataset?.do ?? ""} “${one.textContent.trim().slice(0, 60)}” ${what}`));
    lookAtStep(tell);
    if (i % (20 * stride)) return;
    lookAtControls(tell);
    lookAtLetters(tell);
    if (!i) lookAtMore(tell);
  }

  for (let i = 0; i <= viewer.last; i += stride) look(i);
  look(viewer.last);
  for (const part of text) part.hidden = false;
  document.adoptedStyleSheets.pop();
  return [...problems];
}
