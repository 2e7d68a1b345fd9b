// One pane at a time fills the wall. Panels come from the server as HTML, when they have changed
// and are looked at.
export class Panes {
  constructor(main, panelUrl, event) {
    Object.assign(this, { main, panelUrl, event, name: null, panels: {}, asking: new Set() });
    for (const pane of main.children) number(pane);
  }

  // Show a pane; `panels` has a word for each panel that changes with it.
  async show(name, panels) {
    this.panels = panels;
    const digest = panels[name];
    if (digest && this.pane(name)?.dataset.digest !== digest) await this.fetchPanel(name);
    if (this.pane(name) && name !== this.name) this.turn(name);
  }

  pane(name) {
    return this.main.querySelector(`:scope > [data-pane="${name}"]`);
  }

  turn(name) {
    this.name = name;
    for (const pane of this.main.children) pane.classList.toggle("tv-on", pane.dataset.pane === name);
    document.body.dataset.on = name;
  }

  async fetchPanel(name) {
    if (this.asking.has(name)) return;
    this.asking.add(name);
    try {
      const answer = await fetch(`${this.panelUrl}${name}/?event=${encodeURIComponent(this.event)}`);
      if (answer.ok) this.fill(name, await answer.text(), answer.headers.get("X-Digest"));
    } catch {
      // The next message asks again.
    } finally {
      this.asking.delete(name);
    }
  }

  fill(name, html, digest) {
    const pane = this.pane(name) ?? this.add(name);
    pane.innerHTML = html;
    pane.dataset.digest = digest;
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
