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

// Shift tells `f` from `F`; Caps Lock does not.
function nameOf({ key, shiftKey }) {
  if (key.length > 1) return shiftKey ? `Shift+${key}` : key;
  if (!/[a-z]/i.test(key)) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

export function listenToKeys(root, isEnabled, viewer) {
  document.addEventListener("keydown", (event) => {
    // A viewer that the page has replaced by another one is deaf.
    if (!root.isConnected || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { room, toggles } = viewer, isInside = room.isAlone || root.contains(event.target);
    // The way out is always open; a dialog closes first.
    if (event.key === "Escape" && room.isTheatre && !document.querySelector("dialog[open]")) return viewer.act("theatre");
    if (!isEnabled() || isSomebodyElses(event)) return;
    const name = nameOf(event), action = ANYWHERE[name] ?? (isInside ? INSIDE[name] ?? toggles.named(name) : null);
    if (!action) return;
    event.preventDefault();
    viewer.act(action);
  });
}

// A tap on the left or right third steps, in the middle it plays; a swipe steps.
export function listenToTouch(table, act) {
  let start = null;
  table.addEventListener("pointerdown", (event) => { start = event.pointerType === "touch" && event.isPrimary ? event : null; });
  table.addEventListener("pointerup", (event) => {
    if (!start || event.target.closest("button, a")) return;
    const moved = event.clientX - start.clientX, box = table.getBoundingClientRect();
    if (Math.abs(event.clientY - start.clientY) > 30) return;
    if (Math.abs(moved) > 40) return act(moved < 0 ? "on" : "back");
    // What scrolls by itself is touched to be read.
    if (Math.abs(moved) > 10 || event.target.closest("[tabindex='0']")) return;
    const third = (event.clientX - box.x) / box.width;
    act(third < 1 / 3 ? "back" : third > 2 / 3 ? "on" : "play");
  });
}
