// A page for a projector that shows what the server says, for days: it keeps one board, what the
// current match takes, and nothing else.
import { Clock } from "./clock.js";
import { countDown } from "./countdown.js";
import { Feed } from "./feed.js";
import { hidePointer, stayAwake } from "./kiosk.js";
import { Panes } from "./panes.js";
import { Premiere } from "./premiere.js";
import { reload } from "./reload.js";

// A connection that comes back at once is not worth a word.
const PATIENCE_MS = 5000;

class Wall {
  constructor(body) {
    const { liveUrl, event, version } = body.dataset, url = new URL(liveUrl, location.href);
    if (event) url.searchParams.set("event", event);
    this.version = version;
    this.clock = new Clock();
    this.panes = new Panes(body.querySelector("main"), (name) => this.feed.panel(name));
    this.premiere = new Premiere(body.querySelector(".tv-kv"), this.clock, () => this.feed.whole());
    this.time = body.querySelector("[data-clock]");
    this.status = body.querySelector("[data-status]");
    this.missingSince = null;
    this.feed = new Feed(url, {
      hear: (serverMs) => this.hear(serverMs),
      take: (state) => this.take(state),
      miss: () => { this.missingSince ??= performance.now(); },
      lose: reload,
    });
    setInterval(() => this.tick(), 1000);
    this.tick();
  }

  hear(serverMs) {
    this.clock.hear(serverMs);
    this.missingSince = null;
  }

  take(state) {
    if (state.version !== this.version && reload()) return;
    this.premiere.receive(state.premiere);
    this.panes.show(state.pane, state.panels);
  }

  tick() {
    const now = this.clock.now(), missing = this.missingSince;
    const isLost = missing !== null && performance.now() - missing > PATIENCE_MS;
    write(this.time, new Date(now).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }));
    write(this.status, isLost ? "Reconnecting…" : "");
    countDown(document, now);
  }
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

document.documentElement.classList.add("tv-live");
document.body.wall = new Wall(document.body);
stayAwake();
hidePointer();
