// Shows a match at the pace of the server's clock: whoever watches it anywhere sees the same step.
import { isCalm } from "/viewer/animate.js";
import { Board } from "/viewer/board.js";
import { patch } from "/viewer/dom.js";
import { drawStrip } from "/viewer/table.js";
import { tableOf } from "/viewer/tables.js";
import { Story } from "./story.js";

const MAX_SPEED_WITH_FLIGHTS = 4;
const MIN_WAIT_MS = 15;

export class Premiere {
  // `fetchWhole` brings everything so far, for those who have too little.
  constructor(root, clock, fetchWhole) {
    Object.assign(this, { root, clock, fetchWhole, story: null, i: -1, openSeat: null });
    this.board = new Board(root.querySelector(".kv-table"));
    this.caption = document.querySelector("[data-caption]");
    this.title = document.querySelector("[data-what]");
    this.strip = root.querySelector(".kv-strip");
  }

  receive(part) {
    if (!part) return;
    this.timing = { position: part.position, since: part.since, speed: part.speed };
    if (this.story?.fits(part)) this.add(part);
    else this.catchUp(part.take);
    this.follow();
  }

  add(part) {
    const values = this.story.add(part);
    if ("sheets" in values || "result" in values) this.loadSheets();
    this.isStale = true;
  }

  // Ask once, however many messages come meanwhile.
  async catchUp(take) {
    if (this.asking === take) return;
    this.asking = take;
    try {
      const whole = await this.fetchWhole();
      if (whole) this.begin(whole);
    } catch {
      // The next message asks again.
    } finally {
      this.asking = null;
    }
  }

  begin(whole) {
    this.story = new Story(whole.take, whole.head);
    this.i = -1;
    this.title.textContent = whole.head.title;
    this.root.dataset.game = whole.head.game;
    this.add(whole);
    this.root.hidden = false;
    this.root.parentElement.classList.add("tv-drawn");
    this.follow();
  }

  loadSheets() {
    const { sheets, result } = this.story.values, holder = document.createElement("div");
    holder.innerHTML = `<div class="kv-sheets">${sheets}</div>${result || '<ol class="kv-result"></ol>'}`;
    this.board.load(holder, result ? this.story.count - 1 : -1);
  }

  position() {
    const { position, since, speed } = this.timing;
    return since === null ? position : position + (this.clock.now() - since) * speed;
  }

  // Draw the step of this moment, and come back when the next one begins.
  follow() {
    clearTimeout(this.timer);
    const { story } = this;
    if (!story?.count) return;
    const position = this.position(), i = story.stepAt(position);
    if (i !== this.i || this.isStale) this.draw(i);
    if (this.timing.since === null || i + 1 >= story.count) return;
    const wait = (story.starts[i + 1] - position) / this.timing.speed;
    this.timer = setTimeout(() => this.follow(), Math.max(MIN_WAIT_MS, wait));
  }

  draw(i) {
    const { story } = this, before = this.i, isNew = i !== before;
    this.i = i;
    this.isStale = false;
    const ms = before >= 0 && i === before + 1 ? this.animationMs(i) : 0;
    const table = { ...story.table(i, tableOf(story.head.game)), open: this.openSeat };
    const animate = this.board.draw(table, story.views[before], ms);
    patch(this.strip, drawStrip(table, (seat) => this.open(seat)));
    if (isNew) this.caption.innerHTML = story.captions[i];
    animate();
    this.board.scrollToEnd();
    if (isNew) this.root.dispatchEvent(new CustomEvent("karat:step", { bubbles: true, detail: i }));
  }

  // On a phone: show all of one seat.
  open(seat) {
    this.openSeat = this.openSeat === seat ? null : seat;
    this.draw(this.i);
  }

  animationMs(i) {
    const { speed } = this.timing;
    return isCalm() || speed > MAX_SPEED_WITH_FLIGHTS ? 0 : this.story.durations[i] / speed;
  }
}
