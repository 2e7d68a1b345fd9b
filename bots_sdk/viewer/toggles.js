// What a game lets a spectator switch on and off: a button and a key for each, remembered.
import { h, patch } from "./dom.js";
import { storage } from "./storage.js";

export class Toggles {
  constructor(toggles = {}) {
    this.toggles = toggles;
    this.on = Object.fromEntries(Object.keys(toggles).map((name) => [name, storage.get(`toggle-${name}`) !== "off"]));
  }

  // The name of the toggle with this key.
  named(key) {
    return Object.keys(this.toggles).find((name) => this.toggles[name].key === key);
  }

  has(name) {
    return name in this.toggles;
  }

  switch(name) {
    this.on[name] = !this.on[name];
    storage.set(`toggle-${name}`, this.on[name] ? "on" : "off");
  }

  draw(find) {
    const all = Object.entries(this.toggles);
    patch(find(".kv-toggles"), all.map(([name, { label, title, key }]) =>
      h("button", { type: "button", "data-do": name, "aria-pressed": String(this.on[name]), title: `${title} (${key})` }, label)));
    patch(find(".kv-own-keys"), all.map(([, { key, help }]) => h("tr", h("th", { scope: "row" }, key), h("td", help))));
  }
}
