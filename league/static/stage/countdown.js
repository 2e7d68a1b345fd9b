// Times to come, counted down by the server's clock.
const DAY = 86400, HOUR = 3600, MINUTE = 60;

const two = (number) => String(number).padStart(2, "0");

function left(seconds) {
  if (seconds <= 0) return "any moment";
  if (seconds >= 2 * DAY) return `${Math.floor(seconds / DAY)} days`;
  const hours = Math.floor(seconds / HOUR), minutes = Math.floor(seconds % HOUR / MINUTE);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(Math.floor(seconds % MINUTE))}`;
}

export function countDown(root, now) {
  for (const time of root.querySelectorAll("[data-countdown]")) {
    const text = left((new Date(time.dateTime) - now) / 1000);
    if (time.textContent !== text) time.textContent = text;
  }
}
