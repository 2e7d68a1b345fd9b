// A match as far as the server has told it: steps, views, captions, and what the table shows
// besides. What is kept is bounded by the match; the next one replaces it.
import { expand } from "/viewer/views.js";

export class Story {
  constructor(take, head) {
    Object.assign(this, { take, head, steps: [], views: [], captions: [], durations: [], starts: [], values: {} });
  }

  get count() {
    return this.steps.length;
  }

  // Whether a part can be added to what is there.
  fits({ take, from }) {
    return take === this.take && from <= this.count;
  }

  add({ from, steps, values }) {
    for (const list of [this.steps, this.views, this.captions, this.durations, this.starts]) list.length = from;
    for (const { step, ms, caption } of steps) {
      this.starts.push(this.count ? this.starts.at(-1) + this.durations.at(-1) : 0);
      this.steps.push(step);
      this.durations.push(ms);
      this.captions.push(caption);
      this.views.push(step.view ?? expand([{ view: this.views.at(-1) }, step])[1]);
    }
    for (const name in values) this.values[name] = changed(this.values[name], values[name]);
    return values;
  }

  // The step that is shown at a position, as far as it is there.
  stepAt(position) {
    let i = this.count - 1;
    while (i > 0 && this.starts[i] > position) i--;
    return i;
  }

  // What the functions that draw need to know.
  table(i, game) {
    const { head, steps, views, values } = this;
    return {
      record: { ...head, faults: values.faults, outcome: { forfeits: values.forfeits } },
      data: values, cards: values.cards, numbers: values.numbers, title: head.title, game,
      names: head.seats.map((seat) => seat.name), steps, views, i, step: steps[i], view: views[i], on: {},
    };
  }
}

// Lists grow at their end and mappings by new names; anything else comes whole.
function changed(before, change) {
  if ("rows" in change) return [...before.slice(0, change.keep), ...change.rows];
  return "more" in change ? { ...before, ...change.more } : change.is;
}
