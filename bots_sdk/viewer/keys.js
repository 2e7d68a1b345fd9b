// Which key does what, and when a key is somebody else's.
const ANYWHERE = { ArrowLeft: "back", ArrowRight: "on", "Shift+ArrowLeft": "roundBack", "Shift+ArrowRight": "roundOn" };
const INSIDE = {
  " ": "play", k: "play", PageUp: "chapterBack", PageDown: "chapterOn", Home: "start", End: "end",
  b: "barter", B: "barterBack", f: "fault", d: "lead", "<": "slower", ">": "faster", g: "highlights",
  c: "copy", l: "log", t: "table", w: "pips", "?": "help", 0: "everything", p: "public",
  1: "A", 2: "B", 3: "C", 4: "D", 5: "E",
};
const TYPING = "textarea, select, [contenteditable], input:not([type=range], [type=checkbox])";
const ITS_OWN = { Space: "button, a, summary, input", Other: "[type=range], [role=region], .kv-bubbles" };

export function listen(root, can, act) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!can() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest(TYPING) || document.querySelector("dialog[open]")) return;
    if (key === " " && target.closest(ITS_OWN.Space)) return;
    if (key.length > 1 && target.closest(ITS_OWN.Other)) return;
    const name = key.length > 1 && event.shiftKey ? `Shift+${key}` : key;
    const wanted = ANYWHERE[name] ?? (root.contains(target) ? INSIDE[name] : null);
    if (!wanted) return;
    event.preventDefault();
    act(wanted);
  });
}

// A tap on the left or right third steps, in the middle it plays; a swipe steps.
export function touch(table, act) {
  let from = null;
  table.addEventListener("pointerdown", (event) => { from = event.pointerType === "touch" ? event : null; });
  table.addEventListener("pointerup", (event) => {
    if (!from || event.target.closest("button, a, [tabindex='0']")) return;
    const moved = event.clientX - from.clientX, box = table.getBoundingClientRect();
    if (Math.abs(event.clientY - from.clientY) > 30) return;
    if (Math.abs(moved) > 40) return act(moved < 0 ? "on" : "back");
    if (Math.abs(moved) > 10) return;
    const third = (event.clientX - box.x) / box.width;
    act(third < 1 / 3 ? "back" : third > 2 / 3 ? "on" : "play");
  });
}
