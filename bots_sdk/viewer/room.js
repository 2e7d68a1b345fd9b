// How much room the viewer takes: what its page leaves of the window, all of it, or the whole screen.
import { storage } from "./storage.js";

// A viewer this far down its page (a share of the window) is as high as a window of its own.
const MAX_ABOVE = 0.5;
const MARGIN = 16;
const NARROW = 821;

export class Room {
  constructor(viewer) {
    Object.assign(this, { viewer, root: viewer.root });
    addEventListener("resize", () => this.root.isConnected && this.fit());
    this.isNarrow = this.root.clientWidth < NARROW;
    const isOwnPage = new URL(viewer.options.pageUrl, location.href).pathname === location.pathname;
    if (isOwnPage && !("embed" in viewer.options) && storage.get("theatre") === "on") this.showTheatre(true);
  }

  fit() {
    const { isNarrow } = this;
    this.measure();
    if (isNarrow !== this.isNarrow) this.viewer.draw(this.viewer.i);
  }

  // Where the frame begins; nothing is written, and so nothing moves, if the page said so already.
  measure() {
    const { root } = this, frame = this.viewer.find(".kv-frame"), top = frame.getBoundingClientRect().top + scrollY;
    const above = top > innerHeight * MAX_ABOVE ? MARGIN : top;
    this.isNarrow = root.clientWidth < NARROW;
    if (this.isTheatre || Math.abs(parseFloat(getComputedStyle(frame).getPropertyValue("--above")) - above) < 1) return;
    root.style.setProperty("--above", `${above}px`);
  }

  get isTheatre() {
    return this.root.classList.contains("kv-theatre");
  }

  toggleTheatre() {
    this.showTheatre(!this.isTheatre);
    storage.set("theatre", this.isTheatre ? "on" : "off");
    this.fit();
  }

  // What is behind it can be neither reached nor read.
  showTheatre(on) {
    this.root.classList.toggle("kv-theatre", on);
    document.documentElement.classList.toggle("kv-behind", on);
    this.viewer.find("[data-do=theatre]").setAttribute("aria-pressed", on);
    for (let node = this.root; node !== document.body; node = node.parentElement) {
      for (const other of node.parentElement.children) other.inert = on && other !== node;
    }
  }

  async toggleFull() {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await this.root.requestFullscreen();
  }
}
