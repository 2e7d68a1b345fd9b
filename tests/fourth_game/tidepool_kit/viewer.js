// The table of Tidepool: the shell in the pool, and the cards of every hand.
import { h } from "/viewer/dom.js";
import { register } from "/viewer/tables.js";

register("tidepool", {
  seat(table, seat) {
    const own = table.view.seats[seat];
    const bid = table.step.t === "bid" && table.step.moves[seat];
    return [
      h("p.tp-hand", own.hand ? own.hand.join(" ") : `${own.hand_size} hidden cards`),
      bid && h("p.tp-bid", `bids ${bid}`),
    ];
  },

  centre: ({ view }) => [
    h("div.kv-where", h("b", view.tide ? `Tide ${view.tide}` : "Low tide")),
    h("p.tp-shell", view.shell === null ? "The pool is empty." : `A shell worth ${view.shell} pearls`),
  ],
});
