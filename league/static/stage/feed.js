// Brings the state of the wall: a stream of the server while it holds, else by asking now and then.
const POLL_MS = 1500;
const MAX_POLL_MS = 12000;
const RETRY_MS = 30000;
// A quiet stream beats every fifteen seconds.
const SILENCE_MS = 40000;

export class Feed {
  // `hear` gets the server's time of every sign of life, `take` every new state, and `lose` is
  // called when the wall is no more.
  constructor(url, { hear, take, lose }) {
    Object.assign(this, { url, hear, take, lose, tag: null, failures: 0 });
    this.connect();
  }

  connect() {
    this.source?.close();
    clearTimeout(this.retry);
    const source = this.source = new EventSource(this.url);
    source.onopen = () => this.stopPolling();
    source.onmessage = ({ data }) => this.receive(JSON.parse(data));
    source.addEventListener("beat", ({ data }) => this.hearFrom(Number(data)));
    // It connects again by itself, unless the server said no.
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) this.fallBack(); };
    this.watch();
  }

  hearFrom(serverMs) {
    this.hear(serverMs);
    this.watch();
  }

  receive(state) {
    this.hearFrom(state.now);
    this.take(state);
  }

  // A connection can be dead without anybody saying so.
  watch() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.connect(), SILENCE_MS);
  }

  fallBack() {
    clearTimeout(this.silence);
    if (!this.isPolling) {
      this.isPolling = true;
      this.poll();
    }
    this.retry = setTimeout(() => this.connect(), RETRY_MS * (0.75 + Math.random() / 2));
  }

  stopPolling() {
    this.isPolling = false;
    clearTimeout(this.timer);
  }

  async poll() {
    try {
      await this.ask();
      this.failures = 0;
    } catch {
      this.failures++;
    }
    if (this.isPolling) this.timer = setTimeout(() => this.poll(), Math.min(MAX_POLL_MS, POLL_MS * 2 ** this.failures));
  }

  async ask() {
    const headers = this.tag ? { "If-None-Match": this.tag } : {};
    const answer = await fetch(this.url, { headers, cache: "no-store" });
    if (answer.status === 404 || answer.status === 410) return this.lose();
    if (answer.status === 304) return this.hear(Number(answer.headers.get("X-Server-Time")));
    if (!answer.ok) throw new Error(answer.statusText);
    this.tag = answer.headers.get("ETag");
    const state = await answer.json();
    this.hear(state.now);
    return this.take(state);
  }

  // The premiere from its first step on.
  async whole() {
    const url = new URL(this.url, location.href);
    url.searchParams.set("whole", "");
    const answer = await fetch(url, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    return (await answer.json()).premiere;
  }
}
