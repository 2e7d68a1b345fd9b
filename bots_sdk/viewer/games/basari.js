// The table of Basari: the card game.
import { h } from "../dom.js";
import { gemRow } from "../gems.js";
import * as shared from "./barter.js";

const WORDS = {
  actions: { workers: "Workers", points: "Points", gems: "Gems", free: "Free choice" },
  more: true,
  part: "Stage",
  prize: (table, seat, action) =>
    action === "workers" ? "another card" : !seat.card ? "nothing"
      : action === "points" ? `${table.cards[seat.card].points} points` : gemRow(table.cards[seat.card].gems),
};

export const basari = {
  score: (seat) => seat.points,
  unit: "",
  spoken: "points",
  flights: shared.gemFlights,

  seat(table, seat) {
    const own = table.view.seats[seat], card = table.cards[own.card];
    return [
      shared.hand(table, seat),
      track(own.workers, table.numbers.workers),
      shared.before(table, seat, WORDS, card && [h("b", card.points), " points or ", gemRow(card.gems, "paper")]),
    ];
  },

  centre(table) {
    const { view } = table;
    return [
      h("div.kv-where",
        h("b", view.stage ? `Stage ${view.stage} of ${table.numbers.stages}` : "Start"),
        h("span", view.round ? `round ${view.round}` : "")),
      shared.supply(table, 0),
      h("p.kv-rule", "In a barter, whoever has more red gems opens."),
      h("div.kv-piles", h("span", `${view.pile} cards in the pile`)),
    ];
  },

  stage: (table) => shared.stage(table, WORDS, "stage"),
};

// The way to the finish line: a box for each worker, and a mark where the stage ends.
function track(workers, enough) {
  const boxes = Array.from({ length: enough }, (_, k) => h("i", { class: k < workers ? "kv-on" : "" }));
  return h("div", { class: `kv-workers ${workers >= enough ? "kv-there" : ""}` },
    h("span.kv-boxes", { "aria-hidden": "true" }, boxes),
    h("span", h("b", workers), ` of ${enough} workers`));
}
