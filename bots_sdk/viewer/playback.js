// Goes on from step to step by itself, at some speed, through all steps or the highlights.
import { storage } from "./storage.js";

const SPEEDS = ["0.5", "1", "2", "4", "8"];

export class Playback {
  constructor(viewer, requestedSpeed) {
    this.viewer = viewer;
    this.playing = false;
    this.onlyHighlights = false;
    this.speed = [requestedSpeed, storage.get("speed")].find((speed) => SPEEDS.includes(speed)) ?? "1";
  }

  play() {
    const { viewer } = this;
    if (viewer.i === viewer.last) viewer.jump(0);
    this.playing = true;
    this.wait();
    this.showState();
  }

  pause() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.showState();
  }

  // For how long a step is shown.
  durationMs(i) {
    return this.viewer.table.data.times[i] / this.speed;
  }

  wait() {
    const { viewer } = this;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      viewer.jump(this.next(), false);
      if (viewer.i === viewer.last) this.pause();
      else this.wait();
    }, this.durationMs(viewer.i));
  }

  next() {
    const { viewer } = this;
    if (!this.onlyHighlights) return viewer.i + 1;
    return viewer.table.data.highlights.find((i) => i > viewer.i) ?? viewer.last;
  }

  showState() {
    const button = this.viewer.find(".kv-play");
    button.querySelector("use").setAttribute("href", this.playing ? "#kv-pause" : "#kv-play");
    button.querySelector(".kv-play-word").textContent = this.playing ? "Pause" : "Play";
  }

  setSpeed(speed = this.speed) {
    this.speed = this.viewer.find(".kv-speed").value = speed;
    storage.set("speed", speed);
    this.viewer.address.update();
    if (this.playing) this.wait();
  }

  // One speed more, or one less.
  changeSpeed(way) {
    this.setSpeed(SPEEDS[SPEEDS.indexOf(this.speed) + way]);
  }
}
