// The table of Tidepool: the shell in the pool, and the cards of every hand.
import { h } from "/viewer/dom.js";
import { register } from "/viewer/tables.js";

register("tidepool", {
  strip: null,

  seat(table, seat) {
    const own = table.view.seats[seat];
    const bid = table.step.t === "bid" && table.step.moves[seat];
    const cards = own.hand?.map((one) => h("li.tp-card", one)) ?? [h("li", `${own.hand_size} hidden cards`)];
    return h("ul.tp-hand", { "aria-label": "Hand" }, cards, bid && h("li.tp-card.tp-bid", `bids ${bid}`));
  },

  centre: ({ view }) => [
    h("div.kv-where", h("b", view.tide ? `Tide ${view.tide}` : "Low tide")),
    h("p.tp-pool", { "aria-hidden": "true" }, view.shell ?? "–"),
    h("p.tp-shell", view.shell === null ? "The pool is empty." : `A shell worth ${view.shell} pearls`),
  ],
});
