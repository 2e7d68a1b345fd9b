// The address of the page follows step, view and speed, so that it can be shared.
const UPDATE_MS = 200;

export class Address {
  constructor(viewer) {
    this.viewer = viewer;
  }

  // On a page about something else, links lead to the page of the match. The last step shows the
  // result, so it is in no address but that of somebody who asked for it.
  url(asksResult = new URLSearchParams(location.search).get("result") === "1") {
    const { viewer } = this, own = new URL(viewer.options.pageUrl, location.href);
    const url = own.pathname === location.pathname ? new URL(location.href) : own;
    const put = (name, value, usual) => (value === usual ? url.searchParams.delete(name) : url.searchParams.set(name, value));
    if (!asksResult) url.searchParams.delete("result");
    put("step", viewer.i === viewer.last && !asksResult ? null : viewer.i, null);
    put("view", viewer.view, "everything");
    put("speed", viewer.playback.speed, "1");
    return url;
  }

  // Browsers allow few changes of the address in a short time; the last one counts.
  update() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const url = this.url();
      if (url.pathname === location.pathname) history.replaceState(history.state, "", url);
    }, UPDATE_MS);
  }

  // Whoever is sent a link watches first, even if the sender had asked for the result.
  async share() {
    const url = String(this.url(false));
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
      await navigator.clipboard.writeText(url);
      this.viewer.notify("Link copied.");
    } catch {
      this.viewer.notify(url);
    }
  }
}
