// The win-chance lines behind the slider: how far they are drawn, and what they say of a step.

export class Chances {
  constructor(root, data, last) {
    Object.assign(this, { root, last, at: 0, ...data.chances });
    this.line = root.querySelector(".kv-chances");
    if (new URLSearchParams(location.search).get("result") === "1") root.classList.add("kv-told");
  }

  // Only as far as the match was watched, until the end was reached once or the result is open.
  show(i) {
    if (!this.line) return;
    if (i === this.last) this.root.classList.add("kv-told");
    this.at = i;
    this.line.style.setProperty("--at", i / (this.last || 1));
  }

  get isTold() {
    return this.root.matches(".kv-told, :has(.spoiler[open])");
  }

  // Such as "Chances: A 43 %, B 31 %, C 26 %, ±9"; nothing where the line is not drawn yet.
  words(i) {
    if (!this.line || (i > this.at && !this.isTold)) return "";
    const row = this.rows.findLast(([step]) => step <= i) ?? this.rows[0];
    const parts = row[1].map((chance, seat) => `${"ABCDEFG"[seat]} ${Math.round(chance / 10)} %`);
    return `Chances: ${parts.join(", ")}${row[0] === this.last ? "" : `, ±${this.error}`}.`;
  }
}
