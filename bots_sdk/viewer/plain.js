// The table of a game that nobody drew: its view as lists that people can read.
import { h } from "./dom.js";
import { letter } from "./gems.js";

const isPlain = (value) => value === null || typeof value !== "object";

const WORDS = new Map([[null, "–"], [true, "yes"], [false, "no"], ["", "–"]]);

const word = (table, value) => WORDS.get(value) ?? table.data.titles[value] ?? String(value);

const label = (name) => name.replaceAll("_", " ");

function written(table, value) {
  if (isPlain(value)) return word(table, value);
  if (Array.isArray(value) && value.every(isPlain)) return value.map((one) => word(table, one)).join(", ") || "none";
  if (Array.isArray(value)) return h("ol.kv-plain-list", value.map((one) => h("li", written(table, one))));
  return fields(table, value);
}

const fields = (table, values) =>
  h("dl.kv-plain", Object.entries(values).map(([name, value]) =>
    h("div", { key: name }, h("dt", label(name)), h("dd", written(table, value)))));

// All fields but one.
const without = (values, name) => Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

// Nobody knows how much it is, so it scrolls in its place.
const rest = (title, ...kids) => h("div.kv-plain-view", { tabindex: "0", role: "region", "aria-label": title }, kids);

export const plainTable = {
  strip: () => null,
  seat: (table, seat) => rest(`What seat ${letter(seat)} has`,
    fields(table, without(table.view.seats?.[seat] ?? {}, table.data.scoreField))),
  centre: (table) => [
    h("div.kv-where", h("b", table.title), h("span", `step ${table.i} of ${table.steps.length - 1}`)),
    rest("The rest of the table", fields(table, without(table.view, "seats"))),
  ],
};
