// How much room the viewer takes: what its page leaves of the window, all of it, or the whole screen.
import { storage } from "./storage.js";

// A viewer this far down its page (a share of the window) is as high as a window of its own.
const MAX_ABOVE = 0.5;
const MARGIN = 16;
// Below this the style sheets show the strip of all seats; they ask the same column.
const NARROW = 821;

export class Room {
  constructor(viewer) {
    Object.assign(this, { viewer, root: viewer.root });
    addEventListener("resize", () => this.root.isConnected && this.fit());
    this.root.addEventListener("fullscreenchange", () => this.holdFocus());
    viewer.find("[data-do=full]").hidden = !document.fullscreenEnabled;
    if (this.isWanted()) this.showTheatre(true);
    this.isNarrow = this.width() < NARROW;
  }

  // Theatre mode is remembered for pages of matches: not in a frame, and not beside somebody's code.
  isWanted() {
    const { root, viewer: { options } } = this;
    const isOwnPage = new URL(options.pageUrl, location.href).pathname === location.pathname;
    return isOwnPage && !("embed" in options) && !root.closest("[data-shares-page]") && storage.get("theatre") === "on";
  }

  width() {
    return this.viewer.find(".kv-main").getBoundingClientRect().width;
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
    this.isNarrow = this.width() < NARROW;
    if (this.isTheatre || Math.abs(parseFloat(getComputedStyle(frame).getPropertyValue("--above")) - above) < 1) return;
    root.style.setProperty("--above", `${above}px`);
  }

  get isTheatre() {
    return this.root.classList.contains("kv-theatre");
  }

  // Nothing else of the page can be seen.
  get isAlone() {
    return this.isTheatre || document.fullscreenElement === this.root;
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
    this.holdFocus();
  }

  // What had the focus may be hidden by now; at the table, keys go on working.
  holdFocus() {
    const { root, viewer } = this, { activeElement } = document;
    if (root.contains(activeElement) && activeElement.checkVisibility()) return;
    viewer.find(".kv-table").focus({ preventScroll: true });
  }

  async toggleFull() {
    if (!document.fullscreenEnabled) throw new Error("There is no full screen here.");
    if (document.fullscreenElement) await document.exitFullscreen();
    else await this.root.requestFullscreen();
  }
}
