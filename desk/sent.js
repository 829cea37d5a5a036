// Who answers at a table of a club: the organiser's server. It gets each tap once the device has kept it, and says what
// stands on the screen then. It stands in the place of a worker; where it is away it is asked again until it is back.

import { complain, lang, remember, remembered, words } from "./parts.js";

export const isServed = true;

/** Milliseconds between two attempts to reach the server, and until one has failed. */
const [PAUSE, PATIENCE] = [1000, 12_000];
/** What remembers the pairing that is recorded, and for each pairing the token and the number of this device. */
const [CURRENT, TOKENS] = ["tironian-pairing", "tironian-device"];

/** The pairing comes in the part of the address that no server sees, and leaves it at once. */
const given = new URLSearchParams(location.hash.slice(1)).get("ask");
if (given) {
  history.replaceState(history.state, "", location.pathname);
  remember(CURRENT, given);
}
export const pairing = given ?? remembered(CURRENT) ?? "";
/** This device for the pairing, as `{ token, device }`, once it has asked for it. */
export let device = JSON.parse(remembered(`${TOKENS} ${pairing}`) ?? "null");

export const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Ask the server something: the status and what it says; nothing where it can't be reached. */
export async function sent(path, body) {
  const waiting = new AbortController();
  const late = setTimeout(() => waiting.abort(), PATIENCE);
  const headers = { "Accept-Language": lang, ...(device && { "X-Tiro-Token": device.token }) };
  try {
    const method = body ? "POST" : "GET";
    const found = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store", signal: waiting.signal });
    if (found.status >= 500) return null;  // it can't answer now, or a server before it says that it is away
    const isJson = found.headers.get("content-type")?.startsWith("application/json");
    return { status: found.status, said: isJson ? await found.json() : {} };
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}

/** Remember which device this is. */
export function become(token, number) {
  device = { token, device: number };
  remember(`${TOKENS} ${pairing}`, JSON.stringify(device));
}

/** Ask for the pairing: this becomes another device. Resolves with the answer. */
export async function askAnew() {
  const answer = await sent("ask", { pairing });
  if (answer?.status === 200) become(answer.said.token, answer.said.device);
  return answer;
}

/** How many taps the server has kept; `told` whenever that changes. */
export const kept = { count: 0, told() {} };

class Organiser {
  #take = null;
  isEnded = false;

  set onmessage(take) {
    this.#take = take;
    if (take) this.#reach();
  }

  #tell(told) { if (!this.isEnded) this.#take?.({ data: told }); }

  async #reach() {
    for (; !this.isEnded; await pause()) {
      const answer = await sent("state");
      if (answer?.said.state === "admitted") return this.#tell({ ready: true });
      if (answer?.status === 403) await askAnew();  // the organiser knows this device no longer
      this.#tell(answer ? { refused: true } : { away: true });
    }
    return undefined;
  }

  /** Send the taps that the server lacks; resolves with a status, 409 where they don't go on from what it has. */
  async #send({ ask, journal, tap }) {
    const [first, taps] = ask === "open" ? [0, journal.taps] : [kept.count, [tap]];
    const answer = await sent("taps", { first, taps });
    if (answer?.said.refused === "no game") {
      await sent("begin", { who: journal.start.view, starts: journal.start.headers?.Starts ?? "" });
    } else if (answer?.status === 409) {  // both sheets are kept: this device goes on with its own, as another one
      complain(words.differs, "differs");
      await askAnew();
    } else if (answer?.status === 200) {
      kept.count = answer.said.kept;
      kept.told();
      return kept.count < first + taps.length ? 409 : 200;
    }
    return answer?.status;
  }

  async postMessage({ message }) {
    const asked = JSON.parse(message);
    for (; !this.isEnded; await pause()) {
      const status = await this.#send(asked);
      const screen = status === 200 && await sent("screen");
      if (screen?.status === 200) return this.#tell({ answer: JSON.stringify(screen.said) });
      if (status === 409) return this.#tell({ gone: true });
      if (status !== 422) this.#tell(status === 403 ? { refused: true } : { away: true });
    }
    return undefined;
  }

  terminate() { this.isEnded = true; }
}

let server;
export const begin = () => (server && !server.isEnded ? server : (server = new Organiser()));

/** At a table there is no folder of records. */
export const askFolder = async () => null;

/** Keep the page for use without a network. */
export const keepSite = () => navigator.serviceWorker?.register("sw.js").catch(() => {});
