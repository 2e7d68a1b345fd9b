// The felt with the table on it: draws a step, lays sheets on it and lets things fly.
import { count, fly, locate } from "./animate.js";
import { h, patch } from "./dom.js";
import { drawTable } from "./table.js";

const COUNTING_MS = 500;

const numberIn = (text) => parseInt(text.replaceAll(",", ""), 10);

export class Board {
  constructor(felt) {
    felt.tabIndex = -1;
    patch(felt, h("div.kv-board"), h("div.kv-layer", { "aria-hidden": "true" }));
    // What changes with a step is looked for here, not among the hundreds of lines of the log.
    [this.board, this.layer] = felt.children;
  }

  // Sheets and the result are laid on the table as the server wrote them.
  load(root, last) {
    this.last = last;
    this.sheets = [...root.querySelectorAll(".kv-sheets > *")].map((sheet) => sheet.cloneNode(true));
    this.ranking = h("div.kv-ranking", h("h3", "Final ranking"), root.querySelector(".kv-result").cloneNode(true));
  }

  // Draw a step. What it returns starts the animations: call it when nothing else is left to draw.
  draw(table, before, animationMs) {
    table.sheet = this.sheetAt(table.i);
    const moving = animationMs > 0;
    const flights = moving ? locate(this.layer.parentElement, table.game.flights?.(before, table.view, table.step) ?? []) : [];
    const scores = this.scores().map((node) => numberIn(node.textContent));
    this.layer.replaceChildren();
    this.board.classList.toggle("kv-moving", moving);
    if (this.board.dataset.game !== table.record.game) this.board.dataset.game = table.record.game;
    patch(this.board, drawTable(table));
    return () => moving && this.animate(flights, scores, animationMs);
  }

  sheetAt(i) {
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

  animate(flights, scores, ms) {
    fly(this.layer, flights, ms);
    this.scores().forEach((node, seat) => {
      const text = node.textContent, now = numberIn(text);
      const format = (value) => text.replace(now, value);
      if (scores[seat] < now) count(node, scores[seat], now, format, Math.min(ms, COUNTING_MS));
    });
  }

  // A list that grows at its end shows its end.
  scrollToEnd() {
    const list = this.board.querySelector("[data-grows]");
    if (list) list.scrollTop = list.scrollHeight;
  }
}
