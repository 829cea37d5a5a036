// Python in a worker, as the pages of the desk ask it.

/** Milliseconds of silence after which a worker is thought to be lost, while it loads and while it answers. */
const PATIENCE = { loading: 120_000, answering: 30_000 };
/** So often a worker is started anew without an answer in between. */
const ATTEMPTS = 3;

/** Python in a worker, asked one question at a time. One that is silent for too long is stopped: `lost` is told. */
export class Engine {
  constructor(lost) {
    this.lost = lost;
    this.attempts = 0;
  }

  get isGivenUp() { return this.attempts === ATTEMPTS; }

  /** Start Python; resolves once it is ready or lost. The site is kept once Python is there: each file comes once. */
  start() {
    this.isReady = false;
    // Its name tells a worker that the one before it was lost, perhaps by what that one began with.
    this.worker = new Worker("worker.js", { type: "module", name: this.attempts ? "anew" : "" });
    this.ready = new Promise((resolve) => { this.met = resolve; });
    this.watch(PATIENCE.loading);
    this.worker.onerror = () => this.stop();
    this.worker.onmessage = ({ data: told }) => {
      if (told.failed) return this.stop();
      if (told.alive) return this.watch(PATIENCE.answering);
      if (told.ready) {
        this.isReady = true;
        this.met();
        navigator.serviceWorker?.register("sw.js").catch(() => {});
      } else {
        this.answered(JSON.parse(told.answer));
        this.attempts = 0;
      }
      clearTimeout(this.watching);
    };
    return this.ready;
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
    const { met, answered } = this;
    this.lost(!this.isGivenUp);
    met();
    answered?.(null);
  }

  /**
   * Ask a question, about the bytes of a file where there are some; the worker gets them, and they are gone here.
   * Resolves with null where the worker is lost over it.
   */
  ask(question, bytes) {
    this.watch(PATIENCE.answering);
    return new Promise((resolve) => {
      this.answered = resolve;
      this.worker.postMessage({ message: JSON.stringify(question), bytes }, bytes ? [bytes] : []);
    });
  }
}
