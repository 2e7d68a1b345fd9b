"""Scripts that tests run in the page of a wall: what it looks like, and what messages do to it."""

SHOW = """(name) => {
  const { panes, feed } = document.body.wall;
  feed.take = () => {};
  panes.turn(name);
}"""

# The smallest letters of what is read from ten metres, as shares of the height. Those of the table
# itself are as large as its seats allow.
LETTERS = """() => {
  const large = ".tv-on :is(h2, tbody th, tbody td, li, p), .tv-caption, .tv-head h1";
  const seen = [...document.querySelectorAll(large)].filter((node) =>
    node.textContent.trim() && !node.closest(".kv-quiet, .kv-board")
    && node.checkVisibility({ visibilityProperty: true }));
  return Math.min(...seen.map((node) => parseFloat(getComputedStyle(node).fontSize) / innerHeight));
}"""

# What lies outside of the screen or of its pane, by its text.
CUT = """() => {
  const lies = (box, edge) => box.top >= edge.top - 1 && box.left >= edge.left - 1
    && box.right <= edge.right + 1 && box.bottom <= edge.bottom + 1;
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);
  const pane = document.querySelector(".tv-on").getBoundingClientRect();
  const parts = document.querySelectorAll(".tv-on, .tv-foot, .kv-felt, .tv-head > *");
  const rows = ":is(h2, h3, tr, .tv-list > li, .tv-bracket li, .tv-invitation *)";
  const inner = document.querySelectorAll(`.tv-on ${rows}`);
  const { scrollHeight, scrollWidth } = document.documentElement;
  return [
    ...[...parts].filter((node) => !lies(node.getBoundingClientRect(), screen)),
    ...[...inner].filter((node) => !node.matches(".tv-drawn > h2, wbr")
      && !lies(node.getBoundingClientRect(), pane)),
    ...[...document.querySelectorAll(".tv-caption")].filter((node) =>
      node.scrollHeight > node.clientHeight + 2),
    ...(scrollHeight > innerHeight || scrollWidth > innerWidth ? [document.body] : []),
  ].map((node) => `${node.localName} ${node.textContent.trim().slice(0, 40)}`);
}"""

# Parts of a panel contain their paint: what lies outside of its part is not there.
SCORES = """() => [...document.querySelectorAll(".kv-panel .kv-score")].map((node) => {
  const box = node.getBoundingClientRect(), edge = node.parentElement.getBoundingClientRect();
  return box.width > 0 && box.top >= edge.top - 1 && box.bottom <= edge.bottom + 1
    && box.left >= edge.left - 1 && box.right <= edge.right + 1;
})"""

# A proxy that lets a stream begin and keeps to itself what it says.
SILENT = """window.EventSource = class {
  constructor() { setTimeout(() => this.onopen?.()); }
  addEventListener() {}
  close() {}
};"""

# Two panes are asked for; the first answer comes last, and one is not the newest at first.
PANELS = """async () => {
  const { constructor: Panes } = document.body.wall.panes;
  const main = document.createElement("main"), waiting = {}, asked = [];
  const panes = new Panes(main, (name) => new Promise((resolve, reject) => {
    asked.push(name);
    waiting[name] = { resolve, reject };
  }));
  const rest = () => new Promise((resolve) => { setTimeout(resolve); });
  panes.show("one", { one: "1", two: "2" });
  panes.show("two", { one: "1", two: "2" });
  waiting.two.reject(new Error("no answer"));
  await rest();
  const retries = panes.retry !== undefined;
  panes.refresh();
  waiting.two.resolve({ html: "<p>two</p>", digest: "2" });
  await rest();
  waiting.one.resolve({ html: "<p>one</p>", digest: "1" });
  await rest();
  const on = panes.name, before = main.querySelector("[data-pane=two] p");
  panes.fill("two", "<p>two</p>", "2");
  return { asked, retries, on, isSame: before === main.querySelector("[data-pane=two] p") };
}"""

# What a message may not do to the picture.
CLOCK = """() => {
  const { wall } = document.body, { premiere, clock } = wall;
  wall.feed.take = () => {};
  const { take } = premiere.story, since = clock.now() + 60000;
  premiere.timing = { take, position: 5000, since, speed: 8 };
  const early = premiere.position();
  clock.samples = clock.samples.map((one) => one + 5 * 3600e3);
  wall.tick();
  const minutes = String(new Date(clock.now()).getMinutes()).padStart(2, "0");
  const shown = `${String(new Date(clock.now()).getHours()).padStart(2, "0")}:${minutes}`;
  const i = premiere.i, paused = { position: 0, since: null, speed: 1 };
  premiere.fetchWhole = () => new Promise(() => {});
  premiere.receive({ ...paused, take: "another", from: 0, to: 1, steps: [], values: {} });
  return { early, isServerTime: wall.time.textContent === shown, i, after: premiere.i };
}"""

# Step by step, look for gems in the air, and let a message come while they fly.
FLIGHTS = """async () => {
  const { premiere, feed } = document.body.wall, { board: { layer }, story } = premiere;
  feed.take = () => {};
  const show = (i) => {
    premiere.timing = { take: story.take, position: story.starts[i], since: null, speed: 1 };
    premiere.follow();
  };
  for (let i = 1; i < story.count; i++) {
    show(i - 1);
    show(i);
    await new Promise(requestAnimationFrame);
    const count = layer.childElementCount;
    if (!count) continue;
    premiere.add({ from: story.count, steps: [], values: {} });
    premiere.follow();
    return [count, layer.childElementCount];
  }
  return [0, 0];
}"""

# Take so many messages, one for each second of matches and panes in turn, as fast as it goes.
MESSAGES = """async ([first, last]) => {
  const { wall } = document.body, { panes, premiere, clock } = wall;
  const whole = window.whole ??= await wall.feed.whole(), { steps } = whole;
  const names = [...panes.main.children].map((pane) => pane.dataset.pane);
  wall.feed.take = () => {};
  for (let second = first; second < last; second++) {
    const at = second % 100, now = clock.now();
    const [from, to] = [at, at + 1].map((part) => Math.ceil(part / 100 * steps.length));
    const position = premiere.story?.starts.at(-1) ?? 0;
    const part = { ...whole, take: `${second - at}`, position, since: now - 500, speed: 1 };
    premiere.fetchWhole = async () =>
      structuredClone({ ...part, from: 0, to, steps: steps.slice(0, to) });
    wall.hear(now);
    wall.take(structuredClone({
      version: wall.version, panels: {},
      pane: at < 80 ? "premiere" : names[second % names.length],
      premiere: {
        ...part, from, to, steps: steps.slice(from, to), values: at % 10 ? {} : whole.values,
      },
    }));
    const filled = at === 85 ? names.slice(1) : [];
    for (const name of filled) {
      panes.fill(name, panes.pane(name).innerHTML.replaceAll(/ style="[^"]*"/g, ""), `${second}`);
    }
    if (at < 2 || at % 5 === 0) await new Promise((resolve) => { setTimeout(resolve); });
  }
  return [premiere.i, premiere.story.count, steps.length];
}"""
