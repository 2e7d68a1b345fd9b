// The table of Edel, Stein & Reich.
import * as barter from "/viewer/barter.js";
import { h } from "/viewer/dom.js";
import { gemRow } from "/viewer/gems.js";
import { register } from "/viewer/tables.js";

const WORDS = {
  actions: { money: "Money", event: "Event", gems: "Gems", free: "Free choice" },
  more: false,
  part: "Phase",
  aside: eventStage,
  prize: (table, seat, action) =>
    action === "event" ? "an event card"
      : action === "money" ? `${table.cards[seat.card].money}M` : gemRow(table.cards[seat.card].gems),
};

register("edel-stein-reich", {
  spokenScore: (own) => `${own.money} million`,
  flights: barter.gemFlights,
  involved: barter.involved,
  strip: barter.strip,
  layout: "hands",

  seat(table, seat) {
    const own = table.view.seats[seat], card = table.cards[own.card];
    return [
      barter.hand(table, seat),
      barter.before(table, seat, WORDS, card && [h("b", `${card.money}M`), " or ", gemRow(card.gems, "paper")],
        h("ul.kv-held", { "aria-label": "Event cards held" }, held(own.held, table.cards))),
    ];
  },

  centre(table) {
    const { view, numbers } = table, rounds = numbers.rounds?.[table.names.length];
    const event = table.cards[view.event];
    return [
      h("div.kv-where",
        h("b", view.phase ? `Phase ${view.phase}` : "Start"),
        h("span", view.round ? `round ${view.round} of ${rounds}` : "")),
      barter.supply(table, numbers.low_supply),
      h("div", { class: `kv-event ${event ? "" : "kv-empty"}` }, event
        ? [h("b", event.title), h("span", event.text)] : h("span", "no open event card")),
      h("div.kv-piles", h("span", `${view.gem_pile} gem cards`), h("span", `${view.event_pile} events`)),
    ];
  },

  stage: (table) => barter.stage(table, WORDS, "phase"),
});

function eventStage({ step, cards }) {
  if (!["source", "keep", "use"].includes(step.t)) return null;
  const card = cards[step.card];
  return h("div.kv-event.kv-large", h("b", card.title), h("span", card.text),
    h("small", step.t === "use" && step.move === "decline" ? "not used" : card.timing === "scoring" ? "kept for the scoring" : "used at once"));
}

// Certificates are a stack with a count; other cards lie open with their names.
function held(ids, cards) {
  const titles = ids.map((id) => cards[id]);
  return [...new Set(titles.map((card) => card.title))].map((title) => {
    const same = titles.filter((card) => card.title === title);
    return h("li", { title: same[0].text }, title, same.length > 1 && ` × ${same.length}`);
  });
}
