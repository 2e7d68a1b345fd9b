// Loads the page again, but not again and again: while servers are being replaced, an old one and a
// new one may answer by turns. After each time it waits twice as long for the next one.
const KEY = "karat-wall-reload";
const MIN_WAIT_MS = 60_000;
const MAX_WAIT_MS = 3_600_000;

// Return whether the page is about to go.
export function reload() {
  const { at, wait } = latest(), age = Math.abs(Date.now() - at);
  if (age < wait || !remember(age < 2 * wait ? Math.min(MAX_WAIT_MS, 2 * wait) : MIN_WAIT_MS)) return false;
  location.reload();
  return true;
}

function latest() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? { at: 0, wait: 0 };
  } catch {
    return { at: 0, wait: 0 };
  }
}

// What cannot be remembered cannot be bounded.
function remember(wait) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), wait }));
    return true;
  } catch {
    return false;
  }
}
