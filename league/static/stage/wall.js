// A page for a projector that shows what the server says, for days: it keeps one board, what the
// current match takes, and nothing else.
import { Clock } from "./clock.js";
import { countDown } from "./countdown.js";
import { Feed } from "./feed.js";
import { hidePointer, stayAwake } from "./kiosk.js";
import { Panes } from "./panes.js";
import { Premiere } from "./premiere.js";

const RELOADED = "karat-wall-version";

class Wall {
  constructor(body) {
    const { liveUrl, panelUrl, event, version } = body.dataset;
    this.version = version;
    this.clock = new Clock();
    this.panes = new Panes(body.querySelector("main"), panelUrl, event);
    this.premiere = new Premiere(body.querySelector(".tv-kv"), this.clock, () => this.feed.whole());
    this.feed = new Feed(event ? `${liveUrl}?event=${encodeURIComponent(event)}` : liveUrl, {
      hear: (serverMs) => this.clock.hear(serverMs),
      take: (state) => this.take(state),
      lose: () => location.reload(),
    });
    this.time = body.querySelector("[data-clock]");
    setInterval(() => this.tick(), 1000);
  }

  take(state) {
    if (state.version !== this.version && this.reload(state.version)) return;
    this.premiere.receive(state.premiere);
    this.panes.show(state.pane, state.panels);
  }

  // Once for each deployment: while servers are being replaced, an old one may answer again.
  reload(version) {
    if (sessionStorage.getItem(RELOADED) === version) return false;
    sessionStorage.setItem(RELOADED, version);
    location.reload();
    return true;
  }

  tick() {
    const now = new Date();
    this.time.textContent = now.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    if (this.clock.samples.length) countDown(document, this.clock.now());
  }
}

document.documentElement.classList.add("tv-live");
document.body.wall = new Wall(document.body);
stayAwake();
hidePointer();
