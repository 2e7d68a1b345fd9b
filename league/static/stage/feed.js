// Brings the state of the wall: a stream of the server while it says something, else by asking now
// and then.
const POLL_MS = 1500;
const MAX_POLL_MS = 12000;
const RETRY_MS = 30000;
// Who has waited so long for an answer asks again.
const ANSWER_MS = 10000;
// A quiet stream beats every fifteen seconds. Some proxies keep to themselves what it says.
const SILENCE_MS = 25000;

// Many screens that lost their server at once do not come back at once. Never later: what a message
// adds reaches back for some seconds only.
const jittered = (ms) => ms * (0.7 + 0.3 * Math.random());

const request = (url, headers = {}) =>
  fetch(url, { headers, cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });

export class Feed {
  // `hear` gets the server's time of every sign of life, `take` every new state; `miss` is called
  // when an answer is missing, and `lose` when the wall is no more.
  constructor(url, { hear, take, miss, lose }) {
    Object.assign(this, { url, hear, take, miss, lose, tag: null, polling: null });
    this.connect();
  }

  connect() {
    const source = this.source = new EventSource(this.url);
    source.onmessage = ({ data }) => this.receive(JSON.parse(data));
    source.addEventListener("beat", ({ data }) => this.hearStream(Number(data)));
    source.onerror = () => {
      this.miss();
      // It connects again by itself, unless the server said no.
      if (source.readyState === EventSource.CLOSED) this.fallBack();
    };
    this.watch();
  }

  receive(state) {
    this.hearStream(state.now);
    this.take(state);
  }

  // Only what the stream says shows that it is alive: a proxy may open one and hold back the rest.
  hearStream(serverMs) {
    this.stopPolling();
    this.hear(serverMs);
    this.watch();
  }

  // A connection can be dead without anybody saying so.
  watch() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.fallBack(), SILENCE_MS);
  }

  fallBack() {
    clearTimeout(this.silence);
    clearTimeout(this.retry);
    this.source.close();
    this.retry = setTimeout(() => this.connect(), jittered(RETRY_MS));
    if (this.polling) return;
    // What was asked for before the stream is long gone.
    this.tag = null;
    this.polling = Symbol("polling");
    this.poll(this.polling);
  }

  stopPolling() {
    this.polling = null;
    clearTimeout(this.timer);
  }

  async poll(polling, failures = 0) {
    const count = await this.ask(polling).then(() => 0, () => failures + 1);
    if (this.polling !== polling) return;
    if (count) this.miss();
    const wait = jittered(Math.min(MAX_POLL_MS, POLL_MS * 2 ** count));
    this.timer = setTimeout(() => this.poll(polling, count), wait);
  }

  async ask(polling) {
    const answer = await request(this.url, this.tag ? { "If-None-Match": this.tag } : {});
    if (answer.status === 404 || answer.status === 410) return this.lose();
    if (answer.status === 304) return this.hear(Number(answer.headers.get("X-Server-Time")));
    if (!answer.ok) throw new Error(answer.statusText);
    const state = await answer.json();
    // Meanwhile the stream may have said something newer.
    if (this.polling !== polling) return undefined;
    this.tag = answer.headers.get("ETag");
    this.hear(state.now);
    return this.take(state);
  }

  // The premiere from its first step on.
  async whole() {
    return (await (await this.part("whole")).json()).premiere;
  }

  // What a panel shows, and the word that changes with it.
  async panel(name) {
    const answer = await this.part("panel", name), digest = answer.headers.get("X-Digest");
    if (!digest) throw new Error("not a panel");
    return { html: await answer.text(), digest };
  }

  async part(name, value = "") {
    const url = new URL(this.url);
    url.searchParams.set(name, value);
    const answer = await request(url);
    if (!answer.ok) throw new Error(answer.statusText);
    return answer;
  }
}
