// Shows a match at the pace of the server's clock: whoever watches it anywhere sees the same step.
import { isCalm } from "/viewer/animate.js";
import { Board } from "/viewer/board.js";
import { patch } from "/viewer/dom.js";
import { drawStrip } from "/viewer/table.js";
import { tableOf } from "/viewer/tables.js";
import { Story } from "./story.js";

const MAX_SPEED_WITH_FLIGHTS = 4;
const MIN_WAIT_MS = 15;
// After this, whatever flies over the table has arrived.
const FLIGHT_MS = 700;
const RETRY_MS = 2000;
const LONG_CAPTION = 120;

export class Premiere {
  // `fetchWhole` brings everything so far, for those who have too little.
  constructor(root, clock, fetchWhole) {
    Object.assign(this, { root, clock, fetchWhole, story: null, timing: null, i: -1, openSeat: null, flyingUntil: 0 });
    this.board = new Board(root.querySelector(".kv-table"));
    this.pane = root.parentElement;
    this.caption = document.querySelector("[data-caption]");
    this.title = document.querySelector("[data-what]");
    this.strip = root.querySelector(".kv-strip");
  }

  receive(part) {
    if (!part) {
      this.end();
      return;
    }
    const { take, position, since, speed } = part;
    this.timing = { take, position, since, speed };
    if (this.story?.fits(part)) this.add(part);
    else this.catchUp();
    this.follow();
  }

  add(part) {
    const values = this.story.add(part);
    if ("sheets" in values || "result" in values) this.loadSheets();
    this.isStale = true;
  }

  // Ask once for each take, however many messages come meanwhile.
  async catchUp() {
    const { take } = this.timing;
    if (this.asking === take) return;
    this.asking = take;
    clearTimeout(this.retry);
    const whole = await this.fetchWhole().catch(() => null);
    if (this.asking === take) this.asking = null;
    if (this.timing?.take !== take) return;
    // A server that has not heard of the take yet may have answered.
    if (whole?.take === take) this.begin(whole);
    else this.retry = setTimeout(() => this.timing?.take === take && this.catchUp(), RETRY_MS);
  }

  begin(whole) {
    this.story = new Story(whole.take, whole.head);
    this.i = -1;
    this.title.textContent = whole.head.title;
    this.root.dataset.game = whole.head.game;
    this.add(whole);
    this.root.hidden = false;
    this.pane.classList.add("tv-drawn");
    this.follow();
  }

  // A match that is shown no more, because it was annulled for example, goes at once.
  end() {
    clearTimeout(this.timer);
    clearTimeout(this.retry);
    Object.assign(this, { story: null, timing: null, i: -1 });
    this.root.hidden = true;
    this.pane.classList.remove("tv-drawn");
    this.pane.querySelector(".tv-plain").textContent = "No match is on at the moment.";
    for (const node of [this.title, this.caption]) node.textContent = "";
  }

  loadSheets() {
    const { sheets, result } = this.story.values, holder = document.createElement("div");
    holder.innerHTML = `<div class="kv-sheets">${sheets}</div>${result || '<ol class="kv-result"></ol>'}`;
    this.board.load(holder, result ? this.story.count - 1 : -1);
  }

  // The clock may be set for a moment that is still to come.
  position() {
    const { position, since, speed } = this.timing;
    return since === null ? position : position + Math.max(0, this.clock.now() - since) * speed;
  }

  // Draw the step of this moment, and come back when the next one begins. While another take is on
  // its way, the former one stays as it is.
  follow() {
    clearTimeout(this.timer);
    const { story, timing } = this;
    if (!story?.count || story.take !== timing.take) return;
    const position = this.position(), i = story.stepAt(position);
    // What only adds to the step that is on waits until nothing flies.
    const rest = this.flyingUntil - performance.now();
    if (i !== this.i || (this.isStale && rest <= 0)) this.draw(i);
    const waits = this.isStale ? [rest] : [];
    if (timing.since !== null && i + 1 < story.count) waits.push((story.starts[i + 1] - position) / timing.speed);
    if (waits.length) this.timer = setTimeout(() => this.follow(), Math.max(MIN_WAIT_MS, Math.min(...waits)));
  }

  draw(i) {
    const { story } = this, before = this.i, isNew = i !== before;
    this.i = i;
    this.isStale = false;
    const ms = before >= 0 && i === before + 1 ? this.animationMs(i) : 0;
    const table = { ...story.table(i, tableOf(story.head.game)), open: this.openSeat };
    this.flyingUntil = performance.now() + Math.min(ms, FLIGHT_MS);
    const animate = this.board.draw(table, story.views[before], ms);
    patch(this.strip, drawStrip(table, (seat) => this.open(seat)));
    if (isNew) this.tell(story.captions[i]);
    animate();
    this.board.scrollToEnd();
    if (isNew) this.root.dispatchEvent(new CustomEvent("karat:step", { bubbles: true, detail: i }));
  }

  // What many seats do at once is written smaller.
  tell(caption) {
    this.caption.innerHTML = caption;
    this.caption.classList.toggle("tv-long", this.caption.textContent.length > LONG_CAPTION);
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
