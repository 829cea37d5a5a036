// Python in a worker, as recorder and check ask it.

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
    this.worker = new Worker("worker.js", { type: "module" });
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
