// What somebody knows of a match: as far as it was watched, and everything once its result is open.
// Until then, what lies ahead has neutral words.
export class Watched {
  constructor(root) {
    Object.assign(this, { root, furthest: 0, waiting: [] });
    root.addEventListener("toggle", ({ target }) => target.matches(".spoiler[open]") && this.tellAll(), true);
  }

  // Every view comes with words of its own.
  load(log, last) {
    const { root } = this;
    Object.assign(this, { log, last, waiting: [...root.querySelectorAll("[data-told]")] });
    if (!root.querySelector(".spoiler") || root.querySelector(".spoiler[open]")) this.tellAll();
    else this.tell();
  }

  knows(i) {
    return i <= this.furthest || this.root.classList.contains("kv-told");
  }

  reach(i) {
    this.furthest = Math.max(this.furthest, i);
    if (this.furthest === this.last) this.tellAll();
    else this.tell();
  }

  // Once and for all, whatever is watched after that.
  tellAll() {
    this.root.classList.add("kv-told");
    this.tell();
  }

  tell() {
    this.waiting = this.waiting.filter((part) => {
      const known = this.knows(+part.dataset.from);
      if (known) this.reword(part);
      return !known;
    });
  }

  // A link to a step has its sentence as a title.
  reword(part) {
    const { step, told } = part.dataset;
    (part.lastElementChild ?? part).textContent = told;
    if (step) part.title = this.log.sentence(step);
  }
}
