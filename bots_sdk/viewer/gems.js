// Gems, seats and signs; their outlines stand in the page's sprite.
import { h, once } from "./dom.js";

export const COLOURS = ["red", "yellow", "green", "blue"];
const CUTS = "rygb";

export const quiet = once((text) => h("span.kv-quiet", text));
export const letter = (seat) => String.fromCharCode(65 + seat);
export const badge = once((seat) => h("b", { class: `kv-seat kv-s${seat}` }, letter(seat)));
// The sprite's outlines are copied into each gem: to refer to them costs a browser far more.
const outlines = (id) => [...document.getElementById(id).children]
  .map((path) => h("path", { class: path.getAttribute("class"), d: path.getAttribute("d") }));

export const icon = once((name) => h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, outlines(`kv-${name}`)));

// A gem with its letter, for people; a small one has none.
export const gem = once((cut, sign) =>
  h("svg", { class: `kv-gem kv-gem-${cut}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    outlines(`gem-${cut}`), sign && outlines(`kv-${sign}`)));

export const colourGem = (c) => gem(CUTS[c], CUTS[c].toUpperCase());

export const smallGem = (c) => gem(CUTS[c]);

// Many gems of a colour as one picture, filled with a pattern of the sprite.
const many = (name, pattern, width) =>
  h(`svg.${name}`, { viewBox: `0 0 ${width} 24`, preserveAspectRatio: "xMinYMid", "aria-hidden": "true" },
    h("rect", { width, height: 24, fill: `url(#kv-${pattern})` }));

// A heap in groups of five.
export const tokens = once((c, count) =>
  count ? many("kv-tokens", `five-${CUTS[c]}`, 26 * count + 12 * Math.floor((count - 1) / 5)) : null);

// As many as a card's number says.
export const few = once((cut, count) => many("kv-many", `few-${cut}`, 26 * count - 2));

// [1,0,0,2] as gems with their letters, and the words for those who cannot see them.
export const gemRow = (vector, ground = "felt") =>
  h("span.kv-gems",
    vector.map((count, c) => count > 0 && run(c, count, ground)),
    quiet(vector.map((count, c) => count && `${count} ${COLOURS[c]}`).filter(Boolean).join(", ") || "nothing"));

const run = once((c, count, ground) => many("kv-run", `${ground}-${CUTS[c]}`, 26 * count - 2));
