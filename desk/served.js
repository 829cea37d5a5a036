// Who answers: the installed engine, at the server that the page came from. It stands in the place of a worker, and
// speaks as one; where the server goes away it waits until it is back, and begins a session anew.

import { lang } from "./language.js";

export const isServed = true;

const KEYS = "tironian-key";
/** Milliseconds between two attempts to reach the server. */
const PAUSE = 500;

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));
const pageName = document.querySelector("script[type=module][src]").getAttribute("src").replace(".js", "");

/** The browser keeps the key so that scripts can use it and not read it: nobody learns it who takes this port later. */
async function keyRing(mode, deed) {
  const base = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(KEYS, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    return await new Promise((resolve, reject) => {
      const transaction = base.transaction("keys", mode);
      const asked = deed(transaction.objectStore("keys"));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    base.close();
  }
}

/** The key comes once, in the part of the address that no server sees, and leaves it at once. */
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given) history.replaceState(history.state, "", location.pathname + location.search);
const key = (async () => {
  if (!given) return keyRing("readonly", (keys) => keys.get("desk"));
  const imported = await crypto.subtle.importKey("raw", new TextEncoder().encode(given), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  await keyRing("readwrite", (keys) => keys.put(imported, "desk")).catch(() => {});  // this page goes on without
  return imported;
})().catch(() => null);

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const proof = async (number) => `${number}.${hex(await crypto.subtle.sign("HMAC", await key, new TextEncoder().encode(number)))}`;

class Server {
  #ended = new AbortController();
  #session = "";
  #take = null;
  #met = null;
  /** Resolves once there is a session, or a reason why there is none for now. */
  met = new Promise((resolve) => { this.#met = resolve; });
  #reached = this.#reach();

  get isEnded() { return this.#ended.signal.aborted; }

  set onmessage(take) {
    this.#take = take;
    if (take) this.#reached.then((isThere) => isThere && this.#tell({ ready: true }));
  }

  #tell(data) { if (!this.isEnded) this.#take?.({ data }); }

  #send(path, body, headers) {
    return fetch(path, { method: "POST", body, headers, cache: "no-store", signal: this.#ended.signal }).catch(() => null);
  }

  /** What the server says about a session; nothing where there is none. */
  async #said(headers) {
    const found = await this.#send("session", pageName, headers);
    return (found?.ok && await found.json().catch(() => null)) || {};
  }

  /** Begin a session, once there is a server that knows this page's key; false where nobody waits any more. */
  async #reach() {
    for (; !this.#ended.signal.aborted; await pause()) {
      const { number } = await this.#said({});
      const { session, isFull } = number && await key ? await this.#said({ "X-Tiro-Proof": await proof(number) }) : {};
      if (session) {
        this.#session = session;
        this.#met();
        return true;
      }
      this.#met();
      this.#tell(number && !isFull ? { refused: true } : { away: true });
    }
    return false;
  }

  /** Ask a question; its answer, or nothing, and what the server has sent. */
  async #answered(message, bytes, alive = () => {}) {
    const body = bytes ? new Blob([message, "\n", bytes]) : `${message}\n`;
    const found = await this.#send("ask", body, { "X-Tiro-Session": this.#session });
    let answer = "";
    try {
      const parts = found.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part; found.ok && !(part = await parts.read()).done;) {
        answer += part.value;
        alive();
      }
    } catch { }  // there is no answer, or only the beginning of one
    return [found?.ok ? answer.trim() : "", found];
  }

  /** The answer to a question beside those of the page; null where there is none. */
  async ask(question) {
    await this.met;
    const [answer] = this.#session ? await this.#answered(JSON.stringify({ ...question, lang })) : [];
    return answer ? JSON.parse(answer) : null;
  }

  async postMessage({ message, bytes }) {
    const [answer, found] = await this.#answered(message, bytes, () => this.#tell({ alive: true }));
    if (answer) return this.#tell({ answer });
    // Where the server is still there, and knows this page, the question was the cause: it is not asked again.
    const isCause = found && found.status !== 410 && (await this.#send("session", pageName, {})) !== null;
    this.#tell(isCause ? { failed: "no answer" } : { gone: true });
  }

  terminate() {
    this.#ended.abort();
    if (this.#session) fetch("session", { method: "DELETE", headers: { "X-Tiro-Session": this.#session }, keepalive: true }).catch(() => {});
  }
}

let server;
export const begin = () => (server && !server.isEnded ? server : (server = new Server()));
/** Ask about the folder of records; null where nobody answers. */
export const askFolder = (question) => begin().ask(question);
addEventListener("pagehide", ({ persisted }) => persisted || server?.terminate());

/** Nothing is kept here; a service worker that an older desk has left meets this desk's `sw.js`, and goes. */
export const keepSite = async () => {
  for (const old of await navigator.serviceWorker?.getRegistrations().catch(() => []) ?? []) old.update().catch(() => {});
};
