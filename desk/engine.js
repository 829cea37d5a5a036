// Python in a worker, as the pages of the desk ask it.

import { complain } from "./parts.js";

/** Milliseconds until a worker is thought to be lost, while it loads and while it answers. */
const PATIENCE = { loading: 120_000, answering: 30_000 };
/** So often a worker is started anew without an answer in between. */
const ATTEMPTS = 3;

/** Python in a worker, asked one question at a time. One that does not answer in time is stopped: `lost` is told. */
export class Engine {
  constructor(lost) {
    this.lost = lost;
    this.number = 0;
    this.attempts = 0;
  }

  start() {
    this.isReady = false;
    // Its name tells a worker that the one before it was lost, perhaps by what that one began with.
    this.worker = new Worker("worker.js", { type: "module", name: this.attempts ? "anew" : "" });
    const ready = new Promise((resolve) => { this.met = resolve; });
    this.watch(PATIENCE.loading);
    this.worker.onerror = () => this.stop();
    this.worker.onmessage = ({ data: told }) => {
      if (told.failed) return this.stop();
      clearTimeout(this.watching);
      if (told.ready) {
        this.isReady = true;
        this.met();
      } else {
        this.attempts = 0;
        const answer = JSON.parse(told.answer);
        if (answer.id === this.number) this.answered(answer);
      }
    };
    return ready;
  }

  watch(patience) {
    clearTimeout(this.watching);
    this.watching = setTimeout(() => this.stop(), patience);
  }

  stop() {
    clearTimeout(this.watching);
    this.worker.onerror = this.worker.onmessage = null;
    this.worker.terminate();
    this.isReady = false;
    this.attempts += 1;
    this.lost(this.attempts < ATTEMPTS);
  }

  /** Ask a question, about the bytes of a file where there are some; the worker gets them, and they are gone here. */
  ask(question, bytes) {
    this.watch(PATIENCE.answering);
    this.number += 1;
    return new Promise((resolve) => {
      this.answered = resolve;
      this.worker.postMessage({ message: JSON.stringify({ id: this.number, ...question }), bytes }, bytes ? [bytes] : []);
    });
  }
}

/** Start Python for a page; return what asks it one question after the other. A fault answers where it does not. */
export function asker(words) {
  let [ready, met, given] = [null, null, null];
  let asked = Promise.resolve();
  const engine = new Engine((again) => {
    complain(again ? words.restarting : words.stopped);
    if (again) start();
    given?.({ fault: words.no_answer });
  });
  const start = () => {
    const before = met;
    ready = new Promise((resolve) => { met = resolve; });
    engine.start().then(met);
    before?.();
  };
  start();
  ready.then(() => navigator.serviceWorker?.register("sw.js")).catch(() => {});
  return (question, bytes) => {
    asked = asked.then(async () => {
      while (!engine.isReady) await ready;
      const answer = await new Promise((resolve) => {
        given = resolve;
        engine.ask(question, bytes).then(resolve);
      });
      if (!answer.fault) complain("");
      return answer;
    });
    return asked;
  };
}
