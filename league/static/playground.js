// The playground: runs with a key, keeps the code of this tab, changes the game without losing it,
// and lets replay and prints follow each other. Without this file the form and its links do.

const form = document.getElementById("playground");
const outcome = document.getElementById("run");
const code = form.querySelector("textarea.code");
const games = JSON.parse(document.getElementById("playground-games").textContent);
const { game, seed } = form.elements;
const besideCode = document.getElementById("beside-code");
const opponents = form.querySelector("[data-opponents]");
const MEMORY = "karat-playground";

const viewer = () => outcome.querySelector("[data-karat-viewer]")?.viewer;
const isStarter = () => !code.value.trim() || Object.values(games).some(({ setup }) => setup.code === code.value);

function write(text) {
  code.value = text;
  code.dispatchEvent(new Event("input", { bubbles: true }));
}

function option(name) {
  const element = document.createElement("option");
  element.value = name;
  element.textContent = name || "nobody";
  return element;
}

// One choice for each seat of the game, as the server writes them.
function drawOpponents(names) {
  const { opponents: all, least, most } = games[game.value];
  const fields = Array.from({ length: most }, (_, at) => {
    const field = document.createElement("div"), label = document.createElement("label");
    const choice = document.createElement("select");
    field.className = "field";
    choice.name = `opponent_${at + 1}`;
    choice.id = label.htmlFor = `id_${choice.name}`;
    label.textContent = `Opponent ${at + 1}`;
    choice.append(...(at < least ? all : ["", ...all]).map(option));
    choice.value = names[choice.name] ?? "";
    field.append(label, choice);
    return field;
  });
  opponents.replaceChildren(...fields);
}

game.addEventListener("change", () => {
  const { setup } = games[game.value];
  if (isStarter()) write(setup.code);
  drawOpponents(setup);
});

// The code survives a reload and a look at other pages in this tab, and no longer than the tab.
function remember() {
  const values = Object.fromEntries(new FormData(form));
  const kept = Object.entries(values).filter(([name]) => /^(code|game|seed|opponent_\d+)$/.test(name));
  sessionStorage.setItem(MEMORY, JSON.stringify(Object.fromEntries(kept)));
}

function recall() {
  const values = JSON.parse(sessionStorage.getItem(MEMORY) ?? "null");
  const asked = new URLSearchParams(location.search).get("game");
  if (!values || !(values.game in games) || (asked && asked !== values.game)) return;
  game.value = values.game;
  seed.value = values.seed;
  drawOpponents(values);
  write(values.code);
}

if ("fresh" in form.dataset) recall();
form.addEventListener("input", remember);
form.addEventListener("change", remember);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.querySelector("[data-run]").click();
});

// In theatre mode nothing of the page but the viewer can be reached, and now that goes.
function leaveTheatre(room) {
  if (!room?.isTheatre) return;
  room.showTheatre(false);
  code.focus();
}

// The answer to a run that was refused is shown, too.
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target !== outcome) return;
  leaveTheatre(viewer()?.room);
  viewer()?.playback.pause();
  if (detail.xhr.status === 429) Object.assign(detail, { shouldSwap: true, isError: false });
});
document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target !== outcome) return;
  outcome.dispatchEvent(new Event("karat:viewers", { bubbles: true }));
  const { top } = outcome.getBoundingClientRect();
  if (top > innerHeight * 0.8) outcome.closest("section").scrollIntoView();
});

// A step of the log leads to the replay, and the replay marks what was printed and noted.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || link.closest("[data-karat-viewer]") || event.ctrlKey || event.metaKey || !viewer()) return;
  event.preventDefault();
  viewer().jump(Number(link.dataset.step));
});
outcome.addEventListener("karat:step", ({ detail: step }) => {
  let current = null;
  for (const entry of besideCode.querySelectorAll("[data-entry]")) {
    entry.removeAttribute("aria-current");
    if (Number(entry.dataset.entry) <= step) current = entry;
  }
  if (!current) return;
  current.setAttribute("aria-current", "step");
  const list = current.closest("ol");
  list.scrollTop = current.offsetTop;
});
