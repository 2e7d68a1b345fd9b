// Short flights over the table. What they show has already happened: the table is drawn in its
// final state first, so leaving them out (reduced motion, high speed) loses nothing.
import { h, make } from "./dom.js";

const FLIGHT_MS = 320;
const MAX_FLIGHTS = 24;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export const isCalm = () => reducedMotion.matches;

// Find where flights begin and end. To be called before the table is drawn: then its places are
// known, and the browser does not have to lay out the page once more to tell.
export function locate(stage, flights) {
  const origin = stage.getBoundingClientRect();
  const middle = (at) => {
    const box = stage.querySelector(`[data-at="${at}"]`)?.getBoundingClientRect();
    return box?.width && { x: box.x + Math.min(box.width / 2, 60) - origin.x, y: box.y + box.height / 2 - origin.y };
  };
  return flights.slice(0, MAX_FLIGHTS)
    .map((flight) => ({ ...flight, from: middle(flight.from), to: middle(flight.to) }))
    .filter(({ from, to }) => from && to);
}

// The style sheet lets them fly; to start animations from here would have the browser work out
// styles and places after each.
export function fly(layer, flights, ms) {
  const time = Math.min(FLIGHT_MS, ms * 0.8);
  layer.append(...flights.map((flight, k) => make(draw(flight, time, Math.min(k * 25, ms * 0.2)))));
  layer.onanimationend = ({ target }) => target.remove();
}

const place = ({ x, y }, lift = 0) => `${x}px ${y - lift}px`;

// One that waits begins when the first ones have arrived.
const draw = ({ from, to, picture, card, label, waits }, time, delay) =>
  h("div", {
    class: `kv-flight ${card ? "kv-flying-card" : ""}`,
    vars: {
      "--from": place(from), "--half": place({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, 24), "--to": place(to),
      "--time": `${time}ms`, "--wait": `${waits ? time : delay}ms`,
    },
  }, picture, label && h("small", label));

// Let a number run from its old to its new value, until something else is written there.
export function count(node, from, to, format, ms) {
  const start = performance.now(), text = node.firstChild;
  let latest = text.data;
  const tick = (now) => {
    if (text.data !== latest) return;
    const part = Math.min(1, Math.max(0, (now - start) / ms));
    text.data = latest = format(Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
