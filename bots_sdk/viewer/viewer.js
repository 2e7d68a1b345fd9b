// Brings the server's HTML of a match to life: fetches the record, draws the table for a step,
// and keeps caption, timeline, log, charts and address in step with it.
import { ACTIONS } from "./actions.js";
import { Address } from "./address.js";
import { isCalm } from "./animate.js";
import { Board } from "./board.js";
import { listen } from "./controls.js";
import { finder, patch } from "./dom.js";
import { Frame } from "./frame.js";
import { loadTable, replaceSlots } from "./loading.js";
import { Log } from "./log.js";
import { Playback } from "./playback.js";
import { Room } from "./room.js";
import { drawStrip } from "./table.js";
import { Timeline } from "./timeline.js";
import { Toggles } from "./toggles.js";
import { Watched } from "./watched.js";

const MAX_SPEED_WITH_FLIGHTS = 4;
const NOTICE_MS = 4000;

class Viewer {
  // The element's data attributes say where its record and page are, and what to begin with.
  constructor(root) {
    const query = new URLSearchParams(location.search);
    Object.assign(this, { root, options: root.dataset, view: root.dataset.view, i: 0, openSeat: null });
    this.find = finder(root);
    this.firstStep = Number(query.get("step") ?? this.options.begin) || 0;
    this.board = new Board(this.find(".kv-table"));
    this.playback = new Playback(this, query.get("speed"));
    this.address = new Address(this);
    this.watched = new Watched(root);
  }

  async begin() {
    try {
      await this.load();
    } catch (error) {
      patch(this.find(".kv-caption"), `The replay could not be loaded. ${error.message}`);
      return;
    }
    this.frame = new Frame(this.root);
    this.toggles = new Toggles(this.table.game.toggles);
    this.toggles.draw(this.find);
    listen(this);
    this.room = new Room(this);
    this.jump(this.firstStep, false);
    this.root.classList.add("kv-ready");
    this.room.fit();
    if ("autoplay" in this.options && !isCalm()) this.playback.play();
  }

  async load() {
    this.table = await loadTable(this.root, this.view);
    this.find = finder(this.root);
    this.last = this.table.steps.length - 1;
    this.board.load(this.root, this.last);
    this.log = new Log(this.root);
    this.watched.load(this.log, this.last);
    this.timeline = new Timeline(this.root, this.log, this.watched, this.table.data, this.last);
  }

  get record() {
    return this.table.record;
  }

  // Look through the eyes of somebody else, if a visitor may.
  async look(view) {
    const choice = this.find(".kv-view");
    if (!choice || ![...choice.options].some((option) => option.value === view)) return;
    if (view !== this.view) {
      this.playback.pause();
      await replaceSlots(this.root, view);
      this.view = view;
      await this.load();
    }
    this.find(".kv-view").value = view;
    this.jump(this.i);
  }

  // Go to a step. By hand it pauses and is read out; while playing only scoring and the end are.
  jump(i, byHand = true) {
    const before = this.i;
    if (byHand) this.playback.pause();
    this.i = Math.max(0, Math.min(this.last, i));
    this.draw(before);
    this.address.update();
    this.frame.post("step", { step: this.i });
    this.root.dispatchEvent(new CustomEvent("karat:step", { bubbles: true, detail: this.i }));
    if (this.i === this.last) this.frame.post("end");
  }

  draw(before) {
    const { table, i } = this, step = table.steps[i];
    Object.assign(table, { i, step, view: table.views[i], on: this.toggles.on, open: this.openSeat });
    const animate = this.board.draw(table, table.views[before], this.animationMs(before));
    if (this.room.isNarrow) patch(this.find(".kv-strip"), drawStrip(table, (seat) => this.open(seat)));
    const isRead = !this.playback.playing || i === this.last || table.data.scoring.includes(i);
    this.timeline.show(step, isRead);
    this.log.show(i);
    animate();
    const places = this.log.measure();
    this.board.scrollToEnd();
    this.log.scroll(places);
  }

  // How long things may fly: only to the next step, and not too fast for the eye.
  animationMs(before) {
    const moves = this.i === before + 1 && this.root.classList.contains("kv-ready");
    return moves && !isCalm() && this.playback.speed <= MAX_SPEED_WITH_FLIGHTS ? this.playback.durationMs(this.i) : 0;
  }

  // Who begins to watch wants the whole table in sight; a frame leaves its page where it is.
  reveal() {
    const main = this.find(".kv-main"), { top, bottom } = main.getBoundingClientRect();
    if ("embed" in this.options || top < 0 || bottom <= innerHeight) return;
    main.scrollIntoView({ behavior: isCalm() ? "auto" : "smooth" });
  }

  // On a phone: show all of one seat.
  open(seat) {
    this.openSeat = this.openSeat === seat ? null : seat;
    this.draw(this.i);
  }

  notify(text) {
    const status = this.find(".kv-status");
    status.textContent = text;
    status.classList.remove("kv-quiet");
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => status.classList.add("kv-quiet"), NOTICE_MS);
  }

  toggle(name) {
    this.toggles.switch(name);
    this.toggles.draw(this.find);
    this.draw(this.i);
  }

  // Do what a key or a button is for; any other name is that of a view.
  act(name) {
    if (name in ACTIONS) ACTIONS[name](this);
    else if (this.toggles.has(name)) this.toggle(name);
    else this.look(name).catch((error) => this.notify(error.message));
  }
}

// Every marked element of the page is a viewer; a page that adds one later says where.
function beginAll(root) {
  for (const element of root.querySelectorAll("[data-karat-viewer]")) {
    element.viewer = new Viewer(element);
    element.viewer.begin();
  }
}
beginAll(document);
document.addEventListener("karat:viewers", ({ target }) => beginAll(target));
