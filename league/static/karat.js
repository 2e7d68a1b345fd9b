// What all pages share: the tick for live parts, the theme, copying, local times.
// Everything works without this file; it only makes it livelier.

const TICK_MS = 5000;
const body = document.body;

// Live parts listen for this event; a hidden tab and a table under the pointer wait.
setInterval(() => {
  if (document.visibilityState === "visible") body.dispatchEvent(new Event("karat:tick"));
}, TICK_MS);

// Rows never move under the pointer or the focus: such updates wait behind a button.
// A browser answers 304 from its own cache, so what did not change is told by its text.
const held = new Map();
const seen = new Map();
body.addEventListener("htmx:beforeSwap", (event) => {
  const target = event.detail.target;
  if (!target.matches("[data-live]")) return;
  const { pathInfo, serverResponse } = event.detail;
  if (seen.get(pathInfo.requestPath) === serverResponse) { event.detail.shouldSwap = false; return; }
  seen.set(pathInfo.requestPath, serverResponse);
  if (!(target.matches(":hover") || target.contains(document.activeElement))) return;
  event.detail.shouldSwap = false;
  const waiting = held.get(target) ?? { count: 0 };
  held.set(target, { count: waiting.count + 1, html: event.detail.serverResponse });
  showWaiting(target);
});

function showWaiting(target) {
  const { count } = held.get(target);
  let button = target.previousElementSibling;
  if (!button?.matches("button.waiting")) {
    button = document.createElement("button");
    button.type = "button";
    button.className = "waiting";
    button.addEventListener("click", () => {
      const { html } = held.get(target);
      held.delete(target);
      button.remove();
      const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
      target.replaceWith(fresh);
      window.htmx?.process(fresh);
      fresh.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true, detail: { elt: fresh } }));
    });
    target.before(button);
  }
  button.textContent = `${count} update${count === 1 ? "" : "s"} – show`;
}

// One polite line per page, at most every ten seconds.
let saidAt = 0;
body.addEventListener("karat:say", (event) => {
  const now = Date.now();
  if (now - saidAt < 10000) return;
  saidAt = now;
  document.getElementById("status-line").textContent = event.detail.value;
});

// The theme switches at once; the cookie lets the server draw it right the next time. The style
// shows the button of the other theme, so the focus goes there.
for (const form of document.querySelectorAll("[data-theme-switch]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const theme = event.submitter.value;
    document.documentElement.dataset.theme = theme;
    document.cookie = `theme=${theme};path=/;max-age=31536000;samesite=lax`;
    form.querySelector(`button:not([value=${theme}])`).focus();
  });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const from = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(from.value ?? from.textContent);
    button.textContent = "Copied";
  });
}

// Times are UTC in the page; people read their own.
function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const moment = new Date(time.dateTime);
    time.dataset.local = "";
    time.title = time.title || moment.toLocaleString([], { dateStyle: "full", timeStyle: "long" });
    if (time.dataset.show === "clock") {
      time.textContent = moment.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    }
  }
}
localTimes(document);
body.addEventListener("htmx:afterSwap", (event) => localTimes(event.detail.elt));

// On a wide screen the menu and the contents of a page are always open.
const wide = matchMedia("(min-width: 960px)");
for (const folded of document.querySelectorAll("[data-folded]")) {
  const follow = () => { folded.open = wide.matches; };
  wide.addEventListener("change", follow);
  follow();
}
