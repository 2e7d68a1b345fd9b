// Short flights over the table. What they show has already happened: the table is drawn in its
// final state first, so leaving them out (reduced motion, high speed) loses nothing.
import { h, make } from "./dom.js";
import { gem, typeGem } from "./gems.js";

const FLIGHT_MS = 320;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const calm = () => still.matches;

export function fly(layer, flights, ms) {
  const stage = layer.parentElement, origin = stage.getBoundingClientRect();
  const middle = (at) => {
    const box = stage.querySelector(`[data-at="${at}"]`)?.getBoundingClientRect();
    return box?.width && { x: box.x + Math.min(box.width / 2, 60) - origin.x, y: box.y + box.height / 2 - origin.y };
  };
  flights.slice(0, 24).forEach((flight, k) => {
    const from = middle(flight.from), to = middle(flight.to);
    if (!from || !to) return;
    const shown = make(picture(flight));
    layer.append(shown);
    const at = (p, lift = 0) => `translate(${p.x - 14}px, ${p.y - 14 - lift}px)`;
    const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const time = Math.min(FLIGHT_MS, ms * 0.8);
    const delay = flight.label === 2 ? time : Math.min(k * 25, ms * 0.2);
    const frames = [at(from), at(half, 24), at(to)].map((transform) => ({ transform }));
    shown.animate(frames, { duration: time, delay, easing: "ease-out", fill: "backwards" })
      .finished.catch(() => {}).then(() => shown.remove());
  });
}

const picture = (flight) =>
  h("div", { class: `kv-flight ${flight.card ? "kv-flying-card" : ""}` },
    flight.cut ? gem(flight.cut) : flight.card === "?" ? "" : typeGem(flight.card[0]),
    flight.label && h("small", flight.label));

// Let a number run from its old to its new value.
export function count(node, from, to, format, ms) {
  const begun = performance.now(), text = node.firstChild;
  const tick = (now) => {
    const part = Math.min(1, (now - begun) / ms);
    if (text.data !== tick.last && tick.last != null) return;
    text.data = tick.last = format(Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(tick);
  };
  tick(begun);
}

export function appear(nodes) {
  for (const node of nodes) {
    node.animate([{ opacity: 0, transform: "translateY(6px)" }, { opacity: 1, transform: "none" }], { duration: 200, easing: "ease-out" });
  }
}
