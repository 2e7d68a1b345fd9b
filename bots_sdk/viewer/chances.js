// The win-chance lines above the slider: how far they are drawn, and what they say of a step.
import { letter } from "./gems.js";

export class Chances {
  constructor(root, data, last) {
    Object.assign(this, { step: 1 / (last || 1), last, ...data.chances });
    this.line = root.querySelector(".kv-chances");
    this.line?.style.setProperty("--step", this.step);
  }

  // As far as the match was watched; once its result is known, they are whole.
  show(furthest) {
    this.line?.style.setProperty("--at", furthest * this.step);
  }

  // Such as "Chances: A 43 %, B 31 %, C 26 %, ±9."; nothing where there is no line.
  words(i) {
    const row = this.rows?.findLast(([step]) => step <= i);
    if (!row) return "";
    const chances = row[1].map((chance, seat) => `${letter(seat)} ${chance}`).join(", ");
    return `Chances: ${chances}${row[0] === this.last ? "" : `, ±${this.error}`}.`;
  }
}
