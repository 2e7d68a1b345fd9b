// The table of Basari: the card game.
import * as barter from "/viewer/barter.js";
import { h } from "/viewer/dom.js";
import { gemRow, quiet } from "/viewer/gems.js";
import { register } from "/viewer/tables.js";

const WORDS = {
  actions: { workers: "Workers", points: "Points", gems: "Gems", free: "Free choice" },
  more: true,
  part: "Stage",
  prize: (table, seat, action) =>
    action === "workers" ? "another card" : !seat.card ? "nothing"
      : action === "points" ? `${table.cards[seat.card].points} points` : gemRow(table.cards[seat.card].gems),
};

register("basari", {
  spokenScore: (own) => `${own.points} points`,
  flights: barter.gemFlights,
  involved: barter.involved,
  strip: barter.strip,
  layout: "hands",

  seat(table, seat) {
    const own = table.view.seats[seat], card = table.cards[own.card];
    return [
      barter.hand(table, seat),
      barter.before(table, seat, WORDS, card && [h("b", card.points), h("span.kv-spelled", " points"), " or ", gemRow(card.gems, "paper")],
        track(own.workers, table.numbers.workers)),
    ];
  },

  centre(table) {
    const { view } = table;
    return [
      h("div.kv-where",
        h("b", view.stage ? `Stage ${view.stage} of ${table.numbers.stages}` : "Start"),
        h("span", view.round ? `round ${view.round}` : "")),
      barter.supply(table, 0),
      h("p.kv-rule", "In a barter, whoever has more red gems opens."),
      h("div.kv-piles", h("span", `${view.pile} cards in the pile`)),
    ];
  },

  stage: (table) => barter.stage(table, WORDS, "stage"),
});

// The way to the finish line: a box for each worker, and a mark where the stage ends.
function track(workers, enough) {
  const vars = { "--share": Math.min(1, workers / enough), "--boxes": enough };
  return h("div", { class: `kv-workers ${workers >= enough ? "kv-there" : ""}` },
    h("span.kv-boxes", { vars, "aria-hidden": "true" }),
    h("span", h("b", workers), ` of ${enough}`, quiet(" workers")));
}
