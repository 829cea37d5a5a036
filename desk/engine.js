// Python, as the pages of the desk ask it: in a worker or at a server, as asked.js says.

import { begin, keepSite } from "./asked.js";
import { complain, lang, words } from "./parts.js";

/** Milliseconds of silence after which a worker is thought to be lost, while it loads and while it answers. */
const PATIENCE = { loading: 120_000, answering: 30_000 };
/** So often a worker is started anew without an answer in between. */
const ATTEMPTS = 3;

/** Python, asked one question at a time. One that is silent for too long is stopped: `lost` is told; `left`, if a server is away, or refuses: it returns whether it has said so. */
export class Engine {
  constructor(lost, left = () => false) {
    Object.assign(this, { lost, left, isAway: false });
    this.attempts = 0;
  }

  get isGivenUp() { return this.attempts === ATTEMPTS; }

  /** Start Python; resolves once it is ready or lost. The site is kept once Python is there: each file comes once. */
  start() {
    this.isReady = false;
    this.worker = begin(this.attempts > 0);
    this.ready = new Promise((resolve) => { this.met = resolve; });
    this.watch(PATIENCE.loading);
    this.worker.onerror = () => this.stop();
    this.worker.onmessage = ({ data: told }) => {
      if (told.failed) return this.stop();
      if (told.gone) return this.stop(true);
      if (told.alive) return this.watch(PATIENCE.answering);
      if (told.away || told.refused) {  // a server comes back when somebody starts it, however long that takes
        clearTimeout(this.watching);
        this.isAway = true;
        return this.left(told.refused) || complain(told.away ? words.away_now : words.refused, "server");
      }
      this.isAway = false;
      complain("", "server");
      if (told.ready) {
        this.isReady = true;
        this.met();
        keepSite();
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

  /** Stop it. What is `away` has not failed: it is asked anew as often as it takes. */
  stop(isAway = false) {
    clearTimeout(this.watching);
    this.worker.onerror = this.worker.onmessage = null;
    this.worker.terminate();
    this.isReady = false;
    if (!isAway) this.attempts += 1;
    const { met, answered } = this;
    this.lost(!this.isGivenUp, isAway);
    met();
    answered?.(isAway ? undefined : null);
  }

  /**
   * Ask a question, about the bytes of a file where there are some; the worker gets them, and they are gone here.
   * Resolves with null where Python is lost over it, and with undefined where it has gone away for another reason.
   */
  ask(question, bytes) {
    this.watch(PATIENCE.answering);
    return new Promise((resolve) => {
      this.answered = resolve;
      this.worker.postMessage({ message: JSON.stringify({ ...question, lang }), bytes }, bytes ? [bytes] : []);
    });
  }
}
