// Listens to keys, clicks, touches and fields, and tells the viewer what to do.
import { listenToKeys, listenToTouch } from "./keys.js";
import { storage } from "./storage.js";

export function listen(viewer) {
  const { root, find, playback } = viewer;
  const settings = { shortcuts: storage.get("shortcuts") !== "off" };
  find(".kv-speed").value = playback.speed;
  find(".kv-shortcuts").checked = settings.shortcuts;
  root.addEventListener("click", (event) => onClick(viewer, event));
  root.addEventListener("change", ({ target }) => onChange(viewer, settings, target));
  listenToSlider(viewer);
  listenToKeys(root, () => settings.shortcuts, viewer);
  listenToTouch(find(".kv-table"), (name) => viewer.act(name));
}

function onClick(viewer, event) {
  const { target } = event;
  const button = target.closest("[data-do]"), place = target.closest("[data-step]"), plot = target.closest(".kv-plot");
  if (button) viewer.act(button.dataset.do);
  else if (place && !target.closest("a:not([data-step], .kv-number)") && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    viewer.jump(+place.dataset.step);
  } else if (plot) {
    const box = plot.getBoundingClientRect();
    viewer.jump(Math.round(((event.clientX - box.x) / box.width) * viewer.last));
  }
}

function onChange(viewer, settings, target) {
  if (target.matches(".kv-speed")) viewer.playback.setSpeed(target.value);
  if (target.matches(".kv-view")) viewer.act(target.value);
  if (target.matches(".kv-filter")) viewer.log.filter(target.value);
  if (target.matches(".kv-shortcuts")) {
    settings.shortcuts = target.checked;
    storage.set("shortcuts", target.checked ? "on" : "off");
  }
}

function listenToSlider(viewer) {
  const range = viewer.find(".kv-range");
  range.oninput = () => viewer.jump(+range.value);
  range.onpointermove = (event) => viewer.timeline.peek(event.clientX);
  range.onpointerleave = range.onblur = () => viewer.timeline.hidePeek();
}
