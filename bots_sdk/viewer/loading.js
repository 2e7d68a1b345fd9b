// Fetches a match: its record, and the server's HTML for another view of it.
import { tableOf } from "./tables.js";
import { expand } from "./views.js";

const withView = (url, view) => {
  const address = new URL(url, location.href);
  if (view !== "everything") address.searchParams.set("view", view);
  return address;
};

async function answerOf(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

// All that is the same for every step, as the functions that draw need it.
export async function loadTable(root, view) {
  const record = await (await answerOf(withView(root.dataset.recordUrl, view))).json();
  const data = JSON.parse(root.querySelector("[data-slot=data]").textContent);
  return {
    record, data, steps: record.steps, views: expand(record.steps), game: tableOf(record.game),
    names: record.seats.map((seat) => seat.name), title: data.title, cards: data.cards, numbers: data.numbers,
  };
}

// What a view may show is decided by the server: fetch its page, and replace what belongs to a view.
export async function replaceSlots(root, view) {
  const page = await (await answerOf(withView(root.dataset.pageUrl, view))).text();
  const fresh = new DOMParser().parseFromString(page, "text/html");
  for (const slot of root.querySelectorAll("[data-slot]")) {
    const other = fresh.querySelector(`[data-slot="${slot.dataset.slot}"]`);
    if (other) slot.replaceWith(document.adoptNode(other));
  }
}
