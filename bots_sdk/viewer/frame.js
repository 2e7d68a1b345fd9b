// A viewer in a frame tells the page around it its height, its step and the end.
export class Frame {
  constructor(root) {
    this.embedded = "embed" in root.dataset;
    if (this.embedded) new ResizeObserver(() => this.post("height", { height: root.scrollHeight })).observe(root);
  }

  post(event, data) {
    if (this.embedded && parent !== window) parent.postMessage({ type: `karat:${event}`, ...data }, "*");
  }
}
