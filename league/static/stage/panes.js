// One pane at a time fills the wall. Panels come from the server as HTML, when they have changed
// and are looked at.
const RETRY_MS = 3000;
const MAX_RETRY_MS = 24000;

export class Panes {
  // `fetchPanel` brings the HTML of a panel, and the word that changes with it.
  constructor(main, fetchPanel) {
    Object.assign(this, { main, fetchPanel, name: null, wanted: null, panels: {}, loading: {} });
    for (const pane of main.children) number(pane);
  }

  // Show a pane; `panels` has a word for each panel that changes with it.
  show(name, panels) {
    const isNew = name !== this.wanted || panels[name] !== this.panels[name];
    Object.assign(this, { wanted: name, panels });
    if (isNew) this.refresh();
  }

  // Load the pane that is wanted if it is old; later again if that brought nothing newer.
  async refresh(failures = 0) {
    clearTimeout(this.retry);
    if (this.isOld(this.wanted)) await this.load(this.wanted);
    // Meanwhile another pane may be wanted.
    this.turn(this.wanted);
    if (!this.isOld(this.wanted)) return;
    clearTimeout(this.retry);
    const wait = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures);
    this.retry = setTimeout(() => this.refresh(failures + 1), wait);
  }

  isOld(name) {
    const digest = this.panels[name];
    return Boolean(digest) && this.pane(name)?.dataset.digest !== digest;
  }

  pane(name) {
    return this.main.querySelector(`:scope > [data-pane="${name}"]`);
  }

  turn(name) {
    if (name === this.name || !this.pane(name)) return;
    this.name = name;
    for (const pane of this.main.children) {
      pane.classList.toggle("tv-on", pane.dataset.pane === name);
      pane.classList.remove("tv-refilled");
    }
    document.body.dataset.on = name;
  }

  // Whoever wants a panel that is on its way waits for it.
  load(name) {
    return this.loading[name] ??= this.fetchPanel(name)
      .then(({ html, digest }) => this.fill(name, html, digest), () => {})
      .finally(() => { delete this.loading[name]; });
  }

  fill(name, html, digest) {
    const pane = this.pane(name) ?? this.add(name);
    if (pane.dataset.digest === digest) return;
    pane.innerHTML = html;
    pane.dataset.digest = digest;
    // What is on already does not appear row by row once more.
    pane.classList.toggle("tv-refilled", name === this.name);
    number(pane);
  }

  add(name) {
    const pane = document.createElement("section");
    pane.className = "tv-pane";
    pane.dataset.pane = name;
    this.main.append(pane);
    return pane;
  }
}

// Rows appear one after the other, the last one first: each is told how many come before it.
function number(pane) {
  const rows = [...pane.querySelectorAll("tbody tr, .tv-list > li, .tv-bracket > section")];
  rows.forEach((row, k) => row.style.setProperty("--turn", rows.length - 1 - k));
}
