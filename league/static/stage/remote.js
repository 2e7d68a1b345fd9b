// The remote is redrawn often: a list that was opened stays open, the focus stays near, and what the
// league says stays long enough to be read.
const MESSAGE_MS = 10_000;
const REASONS = {
  403: "You are signed out, or no longer run this event. Refresh the page.",
  404: "This event has no remote any more.",
  429: "That was too often. Wait a moment, and press again.",
};
const { body } = document;
const messages = document.getElementById("remote-messages");
const remote = () => document.getElementById("remote");

let timer, wasOpen = false, hadFocus = false;
new MutationObserver(() => {
  clearTimeout(timer);
  if (messages.firstElementChild) timer = setTimeout(() => messages.replaceChildren(), MESSAGE_MS);
}).observe(messages, { childList: true });

body.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  // Whoever is signed out is led to another page, which belongs in no part of this one.
  if (xhr.responseURL && !new URL(xhr.responseURL).pathname.includes("/remote/")) {
    event.detail.shouldSwap = false;
    location.reload();
    return;
  }
  wasOpen = document.getElementById("remote-more")?.open ?? false;
  hadFocus = remote().contains(document.activeElement);
});
body.addEventListener("htmx:afterSwap", () => {
  const list = document.getElementById("remote-more");
  if (list) list.open = wasOpen;
  // The button that was pressed may be gone.
  if (hadFocus && document.activeElement === body) remote().focus({ preventScroll: true });
});

// Nobody knows whether a press without an answer came through.
function warn(text) {
  const notice = document.createElement("p");
  notice.className = "notice error";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  messages.replaceChildren(notice);
}
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  body.addEventListener(name, ({ detail }) => {
    const isPress = detail.requestConfig?.verb === "post";
    warn(isPress ? "No answer. Look at the wall before you press again." : "No connection. Trying again…");
  });
}
body.addEventListener("htmx:responseError", ({ detail }) => {
  const { status } = detail.xhr;
  warn(REASONS[status] ?? `The league could not answer (error ${status}). Refresh the page.`);
});
