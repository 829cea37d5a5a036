// Python, as those pages ask it that show its answers: one question after the other.

import { Engine } from "./engine.js";
import { complain, tooLarge, words } from "./parts.js";

let asked = Promise.resolve();

const engine = new Engine((again, isAway) => {
  if (!isAway) complain(again ? words.restarting : words.stopped);
  if (again) engine.start();
});
engine.start();

/** Ask a question, about the bytes of a file where there are some. A fault answers where Python does not. */
export function ask(question, bytes) {
  asked = asked.then(async () => {
    for (;;) {
      while (!engine.isReady) {
        if (engine.isGivenUp) return { fault: words.stopped };
        await engine.ready;
      }
      engine.attempts = 0;  // it could be started, and no question over which it was lost is asked twice
      const answer = await engine.ask(question, bytes);
      if (answer === undefined) continue;
      if (answer && !answer.fault) complain("");
      return answer ?? { fault: words.no_answer };
    }
  });
  return asked;
}

/** How many files are being read, and what waits until none is. */
let reading = 0;
const idle = [];

/** Ask a question that may take long, once no file is being read: somebody waits for its verdict. */
export async function askLast(question) {
  if (reading) await new Promise((resolve) => idle.push(resolve));
  return ask(question);
}

/** Yield what Python answers, some games at a time. */
export async function* moreOf(question, bytes) {
  let said = question ? await ask(question, bytes) : { fault: words.unreadable };
  for (; said.more; said = await ask({ ask: "more" })) yield said;
  yield said;
}

/** Yield what Python finds in a file, some games at a time. */
export async function* gamesOf(file, question) {
  if (tooLarge(file)) return yield { fault: tooLarge(file) };
  reading += 1;
  try {
    yield* moreOf(...await file.arrayBuffer().then((bytes) => [{ ask: "check", ...question }, bytes], () => [null]));
  } finally {
    reading -= 1;
    setTimeout(() => { while (!reading && idle.length) idle.shift()(); });  // the next file may begin at once
  }
}
