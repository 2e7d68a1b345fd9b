// The table of Edelsteinsuche: four rows of five cards, and who can know which of them.
import { h } from "/viewer/dom.js";
import { badge, few, gem, quiet } from "/viewer/gems.js";
import { register } from "/viewer/tables.js";

const SERIES = 5;
// The types of gems by their letters: how they are cut, and what they are called.
const TYPES = { O: ["o", "Opal"], R: ["r", "Ruby"], S: ["b", "Sapphire"], E: ["g", "Emerald"] };

const cutOf = (type) => TYPES[type][0];
const gemName = (type) => TYPES[type][1];
const typeGem = (type) => gem(cutOf(type), type);

register("edelsteinsuche", {
  scoreText: (own) => `${SERIES - own.missing}/${SERIES}`,
  spokenScore: (own) => `${SERIES - own.missing} of five cards open`,
  involved: ({ view }, seat) => view.active === seat,
  strip: null,
  toggles: {
    pips: { label: "Who knows", title: "Who knows what", key: "w", help: "who knows which card, on or off" },
  },

  // While a card is in hand its slot is empty; afterwards two cards have changed places.
  flights(before, after, step) {
    if (step.t === "draw") {
      const [row, slot] = step.move.slice(5).split(".");
      return [{ from: `card-${row}-${slot}`, to: "hand", card: true, picture: flying(step.card) }];
    }
    if (step.t !== "place") return [];
    const own = `card-${step.seat}-${step.slot}`;
    return [{ from: "hand", to: own, card: true, picture: flying(step.card), label: 1 },
      { from: own, to: `card-${step.to.join("-")}`, card: true, picture: flying(step.out), label: 2, waits: true }];
  },

  seat(table, seat) {
    const own = table.view.seats[seat];
    return [
      h("p.kv-prospector", prospector(own), h("span.kv-wide-only", `· unique move ${own.unique_used ? "used" : "left"}`)),
      cards(table, seat),
    ];
  },

  // Rows without a seat belong to an avatar.
  extra: (table) => table.view.rows.map((_, row) => row).slice(table.names.length).map((row) =>
    h("section.kv-panel.kv-avatar", { "aria-label": `Avatar row ${row}` },
      h("header", h("span.kv-who", `Avatar row ${row}`, h("small", " belongs to nobody"))),
      cards(table, row))),

  centre(table) {
    const { view, step } = table;
    return [
      h("div.kv-where", h("b", view.turn ? `Turn ${view.turn}` : "Start"),
        h("span", badge(view.active), " ", h("bdi", table.names[view.active]))),
      step.prospector
        ? h("p.kv-banner", "Unique move", h("span.kv-wide-only", ", once per game"), ": the prospector is ",
          typeGem(step.prospector), ` ${gemName(step.prospector)}`)
        : h("div.kv-inhand", { "data-at": "hand" },
          h("span", step.t === "draw" ? "in hand" : "no card in hand"),
          step.t === "draw" ? face(view.hand, false) : h("span.kv-gemcard.kv-gap")),
    ];
  },
});

// A card in flight: its gem, or nothing if it is hidden from us.
const flying = (id) => id && typeGem(id[0]);

const cards = (table, row) =>
  h("ol.kv-cards", table.view.rows[row].map((slot, k) => card(table, row, k, slot)));

function prospector(seat) {
  if (!seat.type) return "prospector hidden";
  return [typeGem(seat.type), h("span.kv-wide-only", `${gemName(seat.type)} prospector${seat.revealed ? "" : " (hidden)"}`)];
}

// A card: its gem and number, or a back. A folded corner: we see it, the table does not.
function face(id, up) {
  if (!id) return h("span.kv-gemcard.kv-back", quiet("hidden card"));
  return h("span", { class: `kv-gemcard ${up ? "kv-up" : "kv-down"} kv-of-${cutOf(id[0])}` },
    typeGem(id[0]), h("b", id[1]),
    few(cutOf(id[0]), +id[1]),
    quiet(`${gemName(id[0])} ${id[1]}, ${up ? "face up" : "face down"}`));
}

function card(table, row, k, slot) {
  const { view, step } = table;
  const gap = step.t === "draw" && step.move === `draw ${row}.${k + 1}`;
  const touched = step.t === "place" && ((step.seat === row && step.slot === k + 1) ||
    (step.to[0] === row && step.to[1] === k + 1));
  return h("li", { class: `kv-slot ${touched ? "kv-touched" : ""}`, "data-at": `card-${row}-${k + 1}` },
    gap ? h("span.kv-gemcard.kv-gap", quiet("empty")) : face(slot.card, slot.up),
    table.on.pips && !slot.up && !gap && pips(table, view, row, k, slot.card));
}

// Who can know this card; for one that is hidden from us, out of how many it is one.
function pips(table, view, row, k, id) {
  if (!id) {
    const open = view.rows.flat().filter((slot) => !slot.card).length;
    return h("span.kv-pips.kv-odds", `1 of ${open}`, quiet(" cards"));
  }
  const knowers = view.known.flatMap((rows, seat) => (rows[row][k] ? [seat] : []));
  return h("span.kv-pips", quiet(knowers.length ? "known to " : "known to nobody"), knowers.map(badge));
}
