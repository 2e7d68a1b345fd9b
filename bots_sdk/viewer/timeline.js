// Caption, slider, counter and the cursors of the charts: where in the match we are.
import { Chances } from "./chances.js";
import { finder } from "./dom.js";

const MAX_NAMES = 2;

// A part of a line for the caption; a long sentence goes with letters for names, and without gems.
const shortened = (part) => {
  const copy = part.cloneNode(true);
  copy.classList.toggle("kv-crowded", copy.querySelectorAll(".kv-who").length > MAX_NAMES);
  if (!part.matches(".kv-long")) return copy;
  for (const name of copy.querySelectorAll(".kv-name")) name.remove();
  copy.replaceChildren(copy.textContent);
  return copy;
};

export class Timeline {
  constructor(root, log, watched, data, last) {
    Object.assign(this, { log, watched, data, last, find: finder(root) });
    this.chances = new Chances(root, data, last);
    this.cursors = root.querySelectorAll(".kv-plot > i");
    this.range = this.find(".kv-range");
    this.range.max = last;
  }

  show(step, aloud) {
    const { range, last, watched } = this, { i } = step;
    this.caption(step, aloud);
    watched.reach(i);
    this.chances.show(watched.furthest);
    range.value = i;
    range.setAttribute("aria-valuetext", this.spoken(i));
    this.find(".kv-count").textContent = `${i} / ${last}`;
    for (const cursor of this.cursors) cursor.style.setProperty("--at", i / (last || 1));
  }

  caption(step, aloud) {
    const caption = this.find(".kv-caption"), parts = this.log.parts(step.i);
    caption.setAttribute("aria-live", aloud ? "polite" : "off");
    this.find(".kv-telling").classList.toggle("kv-remarked", parts.length > 1);
    caption.replaceChildren(...(parts.length ? parts.map(shortened) : [step.text]));
  }

  spoken(i) {
    const place = `Step ${i} of ${this.last}. ${this.part(i)}.`;
    return this.watched.knows(i) ? `${place} ${this.log.sentence(i)}` : place;
  }

  // Chapter and round.
  part(i) {
    const { chapters, rounds } = this.data, before = ([at]) => at <= i, round = rounds.findLast(before);
    const [start, name, neutral = name] = chapters.findLast(before);
    const chapter = this.watched.knows(start) ? name : neutral;
    return round && round[0] > start ? `${chapter}, ${round[1].toLowerCase()}` : chapter;
  }

  // Under the pointer, the slider tells what is there.
  peek(clientX) {
    const box = this.range.getBoundingClientRect(), share = (clientX - box.x - 8) / (box.width - 16);
    const output = this.find(".kv-peek"), i = Math.max(0, Math.min(this.last, Math.round(share * this.last)));
    output.hidden = false;
    output.textContent = this.watched.knows(i) ? `${this.spoken(i)} ${this.chances.words(i)}` : this.spoken(i);
  }

  hidePeek() {
    this.find(".kv-peek").hidden = true;
  }
}
