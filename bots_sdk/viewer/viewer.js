// Brings the server's HTML of a match to life: fetches the record, draws the table for a step,
// and keeps caption, timeline, log, charts and address in step with it.
import { calm, count, fly, located } from "./animate.js";
import { h, patch } from "./dom.js";
import { GAMES } from "./games.js";
import { listen, touch } from "./keys.js";
import { drawStrip, drawTable, expand, plainGame } from "./table.js";

const SPEEDS = ["0.5", "1", "2", "4", "8"];
const NO_FLIGHTS_ABOVE = 4;

const json = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};
const withView = (url, view) => {
  const full = new URL(url, location.href);
  if (view !== "everything") full.searchParams.set("view", view);
  return full;
};
// The first element that fits a selector, looked for once.
const finder = (root, found = {}) => (selector) => (found[selector] ??= root.querySelector(selector));
// A part of a line for the caption; a long sentence goes without its badges and gems.
const shortened = (part) => {
  const long = part.matches(".kv-long"), copy = part.cloneNode(!long);
  if (long) copy.textContent = part.textContent;
  return copy;
};
// In a frame of another origin there may be no storage; then settings last as long as the page.
const memory = {
  get: (name) => { try { return localStorage.getItem(`karat-${name}`); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(`karat-${name}`, value); } catch { /* no storage */ } },
};

class Viewer {
  // The element's data attributes say where its record and page are, and what to begin with.
  constructor(root) {
    const asked = new URLSearchParams(location.search), options = root.dataset;
    Object.assign(this, { root, options, i: 0, playing: false, brief: false, seatOpen: null });
    this.find = finder(root);
    this.view = options.view;
    this.wanted = asked.get("step") ?? options.begin ?? 0;
    this.speed = [asked.get("speed"), memory.get("speed")].find((s) => SPEEDS.includes(s)) ?? "1";
    this.shortcuts = memory.get("shortcuts") !== "off";
    this.pips = memory.get("pips") !== "off";
    const table = this.find(".kv-table");
    table.tabIndex = -1;
    patch(table, h("div.kv-board"), h("div.kv-layer", { "aria-hidden": "true" }));
    // What changes with a step is looked for here, not among the hundreds of lines of the log.
    [this.board, this.layer] = table.children;
  }

  async begin() {
    try {
      await this.load();
    } catch (error) {
      patch(this.find(".kv-caption"), `The replay could not be loaded. ${error.message}`);
      return;
    }
    this.listen();
    this.jump(Number(this.wanted) || 0, false);
    this.root.classList.add("kv-ready");
    if ("autoplay" in this.options && !calm()) this.play();
  }

  async load() {
    this.record = await json(withView(this.options.recordUrl, this.view));
    const { steps, seats } = this.record;
    this.find = finder(this.root);
    this.told = JSON.parse(this.find("[data-slot=data]").textContent);
    this.lines = [...this.root.querySelectorAll(".kv-log [data-step]")];
    this.current = this.find(".kv-log [aria-current]");
    this.cursors = this.root.querySelectorAll(".kv-plot > i");
    this.sheets = [...this.root.querySelectorAll(".kv-sheets > *")].map((sheet) => sheet.cloneNode(true));
    this.ranking = h("div.kv-ranking", h("h3", "Final ranking"), this.find(".kv-result").cloneNode(true));
    this.last = steps.length - 1;
    this.table = {
      record: this.record, steps, views: expand(steps), game: GAMES[this.record.game] ?? plainGame,
      title: this.told.title, cards: this.told.cards, numbers: this.told.numbers,
      names: seats.map((seat) => seat.name), told: this.told,
    };
  }

  // What a view may show is decided by the server: fetch it all again.
  async look(view) {
    const choice = this.find(".kv-view");
    if (!choice || ![...choice.options].some((one) => one.value === view)) return;
    if (view !== this.view) {
      this.pause();
      const page = await (await fetch(withView(this.options.pageUrl, view))).text();
      this.view = view;
      const fresh = new DOMParser().parseFromString(page, "text/html");
      for (const slot of this.root.querySelectorAll("[data-slot]")) {
        const other = fresh.querySelector(`[data-slot="${slot.dataset.slot}"]`);
        if (other) slot.replaceWith(document.adoptNode(other));
      }
      await this.load();
    }
    this.find(".kv-view").value = view;
    this.jump(this.i);
  }

  // Go to a step. By hand it pauses and is read out; while playing only scoring and the end are.
  jump(i, byHand = true) {
    const from = this.i;
    if (byHand) this.pause();
    this.i = Math.max(0, Math.min(this.last, i));
    this.draw(from);
    this.remember();
    this.post("step", { step: this.i });
    if (this.i === this.last) this.post("end");
  }

  draw(from) {
    const { table, i } = this, step = table.steps[i];
    Object.assign(table, { i, step, view: table.views[i], pips: this.pips, open: this.seatOpen, laid: this.laid(i) });
    const moving = i === from + 1 && !calm() && this.speed <= NO_FLIGHTS_ABOVE && this.root.classList.contains("kv-ready");
    const flights = moving && located(this.layer.parentElement, table.game.flights?.(table.views[from], table.view, step) ?? []);
    const scores = this.scores().map((node) => parseInt(node.textContent, 10));
    this.layer.replaceChildren();
    this.board.classList.toggle("kv-moving", moving);
    patch(this.board, drawTable(table));
    patch(this.find(".kv-strip"), drawStrip(table, (seat) => this.open(seat)));
    this.caption(step);
    this.find(".kv-count").textContent = `${i} / ${this.last}`;
    for (const cursor of this.cursors) cursor.style.setProperty("--at", i / (this.last || 1));
    this.current?.removeAttribute("aria-current");
    this.current = this.lines[i];
    this.current?.setAttribute("aria-current", "step");
    if (moving) this.move(flights, scores);
    this.scroll();
  }

  // A scoring sheet or the result, as the server wrote it, laid on the table.
  laid(i) {
    if (i === this.last) return this.ranking;
    const sheet = this.sheets.find(({ dataset }) => dataset.from <= i && i <= dataset.to);
    for (const row of sheet?.querySelectorAll("[data-step]") ?? []) {
      row.className = row.dataset.step > i ? "kv-later" : +row.dataset.step === i ? "kv-now" : "";
    }
    return sheet;
  }

  scores() {
    return [...this.board.querySelectorAll("[data-score]")];
  }

  move(flights, scores) {
    const ms = this.told.times[this.i] / this.speed;
    fly(this.layer, flights, ms);
    this.scores().forEach((node, seat) => {
      const text = node.textContent, now = parseInt(text, 10);
      if (scores[seat] < now) count(node, scores[seat], now, (value) => text.replace(now, value), Math.min(ms, 500));
    });
  }

  caption(step) {
    const line = this.lines[this.i], caption = this.find(".kv-caption");
    const aloud = !this.playing || ["score", "certificates", "workers", "end"].includes(step.t);
    caption.setAttribute("aria-live", aloud ? "polite" : "off");
    const said = line ? [...line.querySelectorAll(".kv-said, .kv-remark, .kv-fault")] : [];
    this.find(".kv-telling").classList.toggle("kv-remarked", said.length > 1);
    caption.replaceChildren(...(said.length ? said.map(shortened) : [step.text]));
    const range = this.find(".kv-range");
    range.max = this.last;
    range.value = this.i;
    range.setAttribute("aria-valuetext", this.spoken(this.i));
  }

  spoken(i) {
    const { chapters, rounds } = this.told, before = ([at]) => at <= i;
    const chapter = chapters.findLast(before), round = rounds.findLast(before);
    const place = round && round[0] > chapter[0] ? `${chapter[1]}, ${round[1].toLowerCase()}` : chapter[1];
    return `Step ${i} of ${this.last}. ${place}. ${this.lines[i]?.querySelector(".kv-said").textContent ?? ""}`;
  }

  // Reading places makes the browser lay out the page, so it comes last. The log stays where it is
  // while somebody is reading there.
  scroll() {
    const log = this.find(".kv-log"), talk = this.board.querySelector(".kv-bubbles"), room = log.clientHeight;
    const top = this.current?.offsetTop, end = talk?.scrollHeight;
    if (talk) talk.scrollTop = end;
    if (log.matches(":hover, :focus-within")) return;
    if (top < log.scrollTop + 40 || top > log.scrollTop + room - 80) log.scrollTop = top - room / 2;
  }

  play() {
    if (this.i === this.last) this.jump(0);
    this.playing = true;
    this.wait();
    this.showPlaying();
  }

  // Who begins to watch wants the whole table in sight; a frame leaves its page where it is.
  show() {
    const main = this.find(".kv-main"), { top, bottom } = main.getBoundingClientRect();
    if ("embed" in this.options || top < 0 || bottom <= innerHeight) return;
    main.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  }

  pause() {
    clearTimeout(this.timer);
    if (this.playing) {
      this.playing = false;
      this.showPlaying();
    }
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const next = this.brief ? this.told.highlights.find((i) => i > this.i) ?? this.last : this.i + 1;
      this.jump(next, false);
      if (this.i === this.last) this.pause();
      else this.wait();
    }, this.told.times[this.i] / this.speed);
  }

  showPlaying() {
    const button = this.find(".kv-play");
    button.querySelector("use").setAttribute("href", this.playing ? "#kv-pause" : "#kv-play");
    button.querySelector(".kv-play-word").textContent = this.playing ? "Pause" : "Play";
  }

  open(seat) {
    this.seatOpen = this.seatOpen === seat ? null : seat;
    this.draw(this.i);
    if (this.seatOpen !== null) this.find(`#kv-seat-${seat}`).scrollIntoView({ block: "nearest" });
  }

  // Next (or previous) step of a list of starts or marks.
  seek(starts, way) {
    const places = starts.map(([i]) => i);
    const to = way > 0 ? places.find((i) => i > this.i) : places.findLast((i) => i < this.i);
    if (to != null) this.jump(to);
    else if (way < 0) this.jump(0);
    else this.say("There is none after this step.");
  }

  marks(kind) {
    return this.told.marks.filter((mark) => mark[1] === kind);
  }

  // On a page about something else, links lead to the page of the match.
  address() {
    const own = new URL(this.options.pageUrl, location.href);
    const url = own.pathname === location.pathname ? new URL(location.href) : own;
    const put = (name, value, usual) => (value === usual ? url.searchParams.delete(name) : url.searchParams.set(name, value));
    put("step", this.i, null);
    put("view", this.view, "everything");
    put("speed", this.speed, "1");
    return url;
  }

  // Browsers allow few changes of the address in a short time; the last one counts.
  remember() {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => {
      const url = this.address();
      if (url.pathname === location.pathname) history.replaceState(history.state, "", url);
    }, 200);
  }

  async copy() {
    const url = String(this.address());
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
      await navigator.clipboard.writeText(url);
      this.say("Link copied.");
    } catch {
      this.say(url);
    }
  }

  say(text) {
    const status = this.find(".kv-status");
    status.textContent = text;
    status.classList.remove("kv-quiet");
    clearTimeout(this.saying);
    this.saying = setTimeout(() => status.classList.add("kv-quiet"), 4000);
  }

  post(event, data) {
    if ("embed" in this.options && parent !== window) parent.postMessage({ type: `karat:${event}`, ...data }, "*");
  }

  setSpeed(speed = this.speed) {
    this.speed = this.find(".kv-speed").value = speed;
    memory.set("speed", speed);
    this.remember();
    if (this.playing) this.wait();
  }

  toggle(name, setting) {
    this[setting] = !this[setting];
    this.find(`[data-do=${name}]`).setAttribute("aria-pressed", this[setting]);
  }

  act(name) {
    const { told } = this;
    const seek = (starts, way = 1) => () => this.seek(starts, way), next = (kind, way) => seek(this.marks(kind), way);
    const does = {
      play: () => (this.playing ? this.pause() : (this.play(), this.show())),
      back: () => this.jump(this.i - 1),
      on: () => this.jump(this.i + 1),
      start: () => this.jump(0),
      end: () => this.jump(this.last),
      roundBack: seek(told.rounds, -1),
      roundOn: seek(told.rounds),
      chapterBack: seek(told.chapters, -1),
      chapterOn: seek(told.chapters),
      barter: next("barter"),
      barterBack: next("barter", -1),
      fault: next("fault"),
      lead: next("lead"),
      slower: () => this.setSpeed(SPEEDS[SPEEDS.indexOf(this.speed) - 1]),
      faster: () => this.setSpeed(SPEEDS[SPEEDS.indexOf(this.speed) + 1]),
      highlights: () => this.toggle("highlights", "brief"),
      pips: () => {
        this.toggle("pips", "pips");
        memory.set("pips", this.pips ? "on" : "off");
        this.draw(this.i);
      },
      copy: () => this.copy(),
      log: () => this.find(".kv-log").focus(),
      table: () => this.find(".kv-table").focus(),
      help: () => this.find(".kv-help").showModal(),
      more: () => this.find("[data-do=more]").setAttribute("aria-expanded", this.root.classList.toggle("kv-wideopen")),
    };
    (does[name] ?? (() => this.look(name).catch((error) => this.say(error.message))))();
  }

  listen() {
    const { root } = this, range = this.find(".kv-range"), peek = this.find(".kv-peek");
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("change", ({ target }) => {
      if (target.matches(".kv-speed")) this.setSpeed(target.value);
      if (target.matches(".kv-view")) this.act(target.value);
      if (target.matches(".kv-filter")) this.filter(target.value);
      if (target.matches(".kv-shortcuts")) memory.set("shortcuts", (this.shortcuts = target.checked) ? "on" : "off");
    });
    range.oninput = () => this.jump(+range.value);
    range.onpointermove = (event) => {
      const box = range.getBoundingClientRect(), share = (event.clientX - box.x - 8) / (box.width - 16);
      peek.hidden = false;
      peek.textContent = this.spoken(Math.max(0, Math.min(this.last, Math.round(share * this.last))));
    };
    range.onpointerleave = range.onblur = () => { peek.hidden = true; };
    this.find(".kv-speed").value = this.speed;
    this.find(".kv-shortcuts").checked = this.shortcuts;
    this.find("[data-do=pips]").setAttribute("aria-pressed", this.pips);
    listen(root, () => this.shortcuts, (name) => this.act(name));
    touch(this.find(".kv-table"), (name) => this.act(name));
    if ("embed" in this.options) new ResizeObserver(() => this.post("height", { height: root.scrollHeight })).observe(root);
  }

  clicked(event) {
    const button = event.target.closest("[data-do]"), to = event.target.closest("[data-step]"), plot = event.target.closest(".kv-plot");
    if (button) this.act(button.dataset.do);
    else if (to && !event.target.closest("a:not([data-step], .kv-number)") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.jump(+to.dataset.step);
    } else if (plot) {
      const box = plot.getBoundingClientRect();
      this.jump(Math.round(((event.clientX - box.x) / box.width) * this.last));
    }
  }

  filter(kind) {
    for (const line of this.lines) line.hidden = kind !== "" && !line.classList.contains(kind);
    for (const part of this.find(".kv-log").children) part.hidden = !part.querySelector("li:not([hidden])");
  }
}

// Every marked element of the page is a viewer.
for (const element of document.querySelectorAll("[data-karat-viewer]")) {
  element.viewer = new Viewer(element);
  element.viewer.begin();
}
