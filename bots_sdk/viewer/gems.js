// Gems, seats and signs; their outlines stand in the page's sprite.
import { h, once } from "./dom.js";

export const COLOURS = ["red", "yellow", "green", "blue"];
export const LETTERS = "RYGB";
const SUCHE = { O: ["o", "Opal"], R: ["r", "Ruby"], S: ["b", "Sapphire"], E: ["g", "Emerald"] };

export const quiet = once((text) => h("span.kv-quiet", text));
export const letter = (seat) => "ABCDE"[seat];
export const badge = once((seat) => h("b", { class: `kv-seat kv-s${seat}` }, letter(seat)));
export const icon = once((name) => h("svg", { "aria-hidden": "true" }, h("use", { href: `#kv-${name}` })));

// A gem with its letter, for people; a token is one of many and has no letter.
export const gem = once((cut, sign) =>
  h("svg", { class: `kv-gem kv-gem-${cut}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("use", { href: `#gem-${cut}` }), sign && h("text", { x: 12, y: cut === "r" ? 19 : 16.5 }, sign)));

export const colourGem = (c) => gem(LETTERS[c].toLowerCase(), LETTERS[c]);
export const token = (c) => gem(LETTERS[c].toLowerCase());

// [1,0,0,2] as gems, with the words for those who cannot see them.
export const gemRow = (vector) =>
  h("span.kv-gems",
    vector.map((count, c) => Array.from({ length: count }, () => colourGem(c))),
    quiet(vector.map((count, c) => count && `${count} ${COLOURS[c]}`).filter(Boolean).join(", ") || "nothing"));

export const cutOf = (type) => SUCHE[type][0];
export const gemName = (type) => SUCHE[type][1];
export const typeGem = (type) => gem(cutOf(type), type);
