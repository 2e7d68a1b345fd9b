// The win-chance lines above the slider: how far they are drawn, and what they say of a step.

export class Chances {
  constructor(root, data, last) {
    Object.assign(this, { root, last, at: 0, ...data.chances });
    this.line = root.querySelector(".kv-chances");
    const isAsked = new URLSearchParams(location.search).get("result") === "1";
    if (isAsked || root.querySelector(".spoiler[open]")) this.tell();
    root.addEventListener("toggle", ({ target }) => target.matches(".spoiler[open]") && this.tell(), true);
  }

  // Whoever knows the result sees the whole lines from then on.
  tell() {
    this.root.classList.add("kv-told");
  }

  // Only as far as the match is watched, until its end was reached once or its result opened.
  show(i) {
    if (!this.line) return;
    if (i === this.last) this.tell();
    this.at = i;
    this.line.style.setProperty("--at", i / (this.last || 1));
  }

  // Such as "Chances: A 43 %, B 31 %, C 26 %, ±9"; nothing where the line is not drawn yet.
  words(i) {
    if (!this.line || (i > this.at && !this.root.classList.contains("kv-told"))) return "";
    const row = this.rows.findLast(([step]) => step <= i) ?? this.rows[0];
    const parts = row[1].map((chance, seat) => `${"ABCDEFG"[seat]} ${Math.round(chance / 10)} %`);
    return `Chances: ${parts.join(", ")}${row[0] === this.last ? "" : `, ±${this.error}`}.`;
  }
}
