// The server's time. A message is late by the time it travels, so the largest difference of the
// latest ones is the truest.
const MAX_SAMPLES = 20;

export class Clock {
  constructor() {
    this.samples = [];
  }

  hear(serverMs) {
    this.samples.push(serverMs - performance.now());
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
  }

  // Before the first message, the time of this computer has to do.
  now() {
    return this.samples.length ? performance.now() + Math.max(...this.samples) : Date.now();
  }
}
