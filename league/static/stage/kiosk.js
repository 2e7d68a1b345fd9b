// What a screen on a wall needs besides its page: it stays on, and nobody sees a pointer.
const POINTER_MS = 3000;

// A browser may say no, on battery for example; then it is as without.
function askForLight() {
  if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => {});
}

export function stayAwake() {
  if (!("wakeLock" in navigator)) return;
  document.addEventListener("visibilitychange", askForLight);
  askForLight();
}

export function hidePointer() {
  const { classList } = document.documentElement;
  let timer;
  const show = () => {
    classList.remove("tv-still");
    clearTimeout(timer);
    timer = setTimeout(() => classList.add("tv-still"), POINTER_MS);
  };
  document.addEventListener("pointermove", show);
  show();
}
