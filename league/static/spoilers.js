// Results that wait to be asked for are closed details; without this file they open by a click. It
// remembers what was opened, opens the result of a match whose replay has ended, and opens all of
// them for those who want it so. The page is not painted before this has run.

const ALWAYS = "karat-results";
const CHOICES = "karat-spoilers";
const SPOILER = "details[data-spoiler]";
const FADE_MS = 240;

// A browser may refuse to keep anything. Then choices last as long as the page.
const recall = (store, name) => { try { return window[store].getItem(name); } catch { return null; } };
const remember = (store, name, value) => { try { window[store].setItem(name, value); } catch { /* no storage */ } };

const spoilers = {
  always: false,
  // Whether somebody opened or closed them, by their names, as long as the window is open.
  choices: {},
  // The names of those that came open from the server: they are not hidden from this visitor.
  unhidden: new Set(),

  // Other pages of this window remember too.
  recall() {
    const always = recall("localStorage", ALWAYS), choices = recall("sessionStorage", CHOICES);
    if (always) this.always = always === "shown";
    if (choices) this.choices = JSON.parse(choices);
  },

  choose(name, open) {
    this.choices[name] = open;
    remember("sessionStorage", CHOICES, JSON.stringify(this.choices));
  },

  named: (name) => [...document.querySelectorAll(SPOILER)].filter(({ dataset }) => dataset.spoiler === name),

  receive(part) {
    for (const { dataset } of part.querySelectorAll(`${SPOILER}[open]`)) this.unhidden.add(dataset.spoiler);
    this.draw(part);
  },

  draw(part) {
    for (const details of part.querySelectorAll(SPOILER)) {
      const name = details.dataset.spoiler;
      details.open = this.choices[name] ?? (this.always || this.unhidden.has(name));
    }
    for (const choice of part.querySelectorAll("[data-results-choice]")) {
      choice.hidden = false;
      choice.firstElementChild.checked = this.always;
    }
  },

  follow() {
    if (this.always) document.documentElement.dataset.results = "shown";
    else delete document.documentElement.dataset.results;
    this.draw(document);
  },

  // Whatever tells the same result opens together; what was pressed stays where it is.
  press(details) {
    const name = details.dataset.spoiler, { top } = details.getBoundingClientRect();
    this.choose(name, !details.open);
    if (details.open) return;
    for (const other of this.named(name)) if (other !== details) other.open = true;
    scrollBy({ top: details.getBoundingClientRect().top - top, behavior: "instant" });
  },

  reveal(name) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.choose(name, true);
    for (const details of this.named(name).filter(({ open }) => !open)) {
      details.open = true;
      if (!calm) for (const part of details.children) part.animate({ opacity: [0, 1] }, FADE_MS);
    }
  },
};

// Whoever comes by an address that asks for the result, or whose it is, sees it, even if they had
// closed it before.
spoilers.recall();
spoilers.receive(document);
for (const name of spoilers.unhidden) if (spoilers.choices[name] === false) spoilers.choose(name);
spoilers.follow();

document.addEventListener("click", ({ target }) => {
  const details = target.closest("summary")?.parentElement;
  if (details?.matches(SPOILER)) spoilers.press(details);
});
document.addEventListener("change", ({ target }) => {
  if (!target.closest("[data-results-choice]")) return;
  spoilers.always = target.checked;
  remember("localStorage", ALWAYS, target.checked ? "shown" : "hidden");
  spoilers.follow();
});
document.addEventListener("htmx:afterSwap", ({ detail }) => spoilers.receive(detail.elt));
document.addEventListener("karat:step", ({ target, detail }) => {
  const name = detail === target.viewer?.last && target.querySelector(SPOILER)?.dataset.spoiler;
  if (name) spoilers.reveal(name);
});
// Somebody comes back to a page that the browser has kept as it was.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  spoilers.recall();
  spoilers.follow();
});
