// Which key does what, and when a key is somebody else's.
import { letter } from "./gems.js";

const ANYWHERE = { ArrowLeft: "back", ArrowRight: "on", "Shift+ArrowLeft": "roundBack", "Shift+ArrowRight": "roundOn" };
const INSIDE = {
  " ": "play", k: "play", PageUp: "chapterBack", PageDown: "chapterOn", Home: "start", End: "end",
  b: "jump", B: "jumpBack", f: "fault", d: "lead", "<": "slower", ">": "faster", g: "highlights",
  m: "theatre", F: "full", c: "copy", l: "log", t: "table", "?": "help", 0: "everything", p: "public",
};
for (let seat = 0; seat < 9; seat++) INSIDE[seat + 1] = letter(seat);
const TYPING = "textarea, select, [contenteditable], input:not([type=range], [type=checkbox])";
const ITS_OWN = { Space: "button, a, summary, [type=checkbox]", Other: "[type=range], [role=region], [data-grows]" };

const isSomebodyElses = ({ key, target }) =>
  target.closest(TYPING) || document.querySelector("dialog[open]") ||
  (key === " " && target.closest(ITS_OWN.Space)) || (key.length > 1 && target.closest(ITS_OWN.Other));

export function listenToKeys(root, isEnabled, viewer) {
  document.addEventListener("keydown", (event) => {
    // A viewer that the page has replaced by another one is deaf.
    if (!root.isConnected || !isEnabled() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isSomebodyElses(event)) return;
    const { key } = event;
    if (key === "Escape" && viewer.room.isTheatre) return viewer.act("theatre");
    const name = key.length > 1 && event.shiftKey ? `Shift+${key}` : key;
    const action = ANYWHERE[name] ?? (root.contains(event.target) ? INSIDE[name] ?? viewer.toggles.named(name) : null);
    if (!action) return;
    event.preventDefault();
    viewer.act(action);
  });
}

// A tap on the left or right third steps, in the middle it plays; a swipe steps.
export function listenToTouch(table, act) {
  let start = null;
  table.addEventListener("pointerdown", (event) => { start = event.pointerType === "touch" ? event : null; });
  table.addEventListener("pointerup", (event) => {
    if (!start || event.target.closest("button, a, [tabindex='0']")) return;
    const moved = event.clientX - start.clientX, box = table.getBoundingClientRect();
    if (Math.abs(event.clientY - start.clientY) > 30) return;
    if (Math.abs(moved) > 40) return act(moved < 0 ? "on" : "back");
    if (Math.abs(moved) > 10) return;
    const third = (event.clientX - box.x) / box.width;
    act(third < 1 / 3 ? "back" : third > 2 / 3 ? "on" : "play");
  });
}
