// The log that the server wrote: the current line, the filter, and sentences for others.
export class Log {
  constructor(root) {
    this.element = root.querySelector(".kv-log");
    this.lines = [...this.element.querySelectorAll("[data-step]")];
    this.current = this.element.querySelector("[aria-current]");
  }

  show(i) {
    this.i = i;
    this.current?.removeAttribute("aria-current");
    this.current = this.lines[i];
    this.current?.setAttribute("aria-current", "step");
  }

  sentence(i) {
    return this.lines[i]?.querySelector(".kv-said").textContent ?? "";
  }

  // What a caption tells of a step: the sentence, remarks and faults.
  parts(i) {
    return [...this.lines[i]?.querySelectorAll(".kv-said, .kv-remark, .kv-fault") ?? []];
  }

  // Reading places makes the browser lay out the page, so it comes last.
  measure() {
    return { room: this.element.clientHeight, top: this.line()?.offsetTop ?? 0 };
  }

  // The current line or, if the filter hides it, the last one before it.
  line() {
    let at = this.i;
    while (this.lines[at]?.hidden) at--;
    return this.lines[at];
  }

  // The log stays where it is while somebody is reading there.
  scroll({ room, top }) {
    const { element } = this;
    if (element.matches(":hover, :focus-within")) return;
    if (top < element.scrollTop + 40 || top > element.scrollTop + room - 80) element.scrollTop = top - room / 2;
  }

  filter(kind) {
    for (const line of this.lines) line.hidden = kind !== "" && !line.classList.contains(kind);
    for (const part of this.element.children) part.hidden = !part.querySelector("li:not([hidden])");
    this.scroll(this.measure());
  }
}
