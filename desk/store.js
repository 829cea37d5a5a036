// What is kept on this device: games, each with its beginning, and its taps one by one; and records that came from
// elsewhere. What was kept is on disk before the promise is, as far as the browser can say so; a tap that is there
// already is never replaced.

const NAME = "tironian-desk";
/** The version of the store: one that a newer desk has made can't be opened. */
const VERSION = 2;
/** What each version has added. A newer desk finds all that an older one has kept. */
const ADDED = [
  { games: { keyPath: "id" }, taps: { keyPath: ["game", "at"] } },
  { records: { keyPath: "id" } },
];

/** A second copy of each journal, for when a browser loses its database, as Chromium does where the disk was full. */
const copies = {
  name: (id) => `${NAME} ${id}`,
  write(id, journal) {
    const text = JSON.stringify(journal);
    for (;;) {
      try {
        return localStorage.setItem(this.name(id), text);
      } catch {  // it is full: the copy of another game makes room, until there is none
        const other = this.ids().find((each) => each !== id);
        if (other === undefined) return undefined;
        localStorage.removeItem(this.name(other));
      }
    }
  },
  read(id) {
    try {
      return JSON.parse(localStorage.getItem(this.name(id)));
    } catch {
      return null;
    }
  },
  delete(id) {
    try {
      localStorage.removeItem(this.name(id));
    } catch { }  // a browser that keeps nothing there has no copy
  },
  ids() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(this.name(""))).map((key) => key.slice(this.name("").length));
    } catch {
      return [];
    }
  },
};

const tapsOf = (game) => IDBKeyRange.bound([game, 0], [game, Infinity]);

/** Opened when it is needed, and anew where the browser has closed it. */
class Store {
  #base = null;

  /** Rejects where the browser keeps nothing, and with a VersionError where a newer desk has made the store. */
  #opened() {
    if (this.#base) return this.#base;
    const forget = () => { this.#base = null; };
    this.#base = new Promise((resolve, reject) => {
      const opening = indexedDB.open(NAME, VERSION);
      opening.onupgradeneeded = ({ oldVersion }) => {
        for (const [name, keys] of ADDED.slice(oldVersion).flatMap(Object.entries)) opening.result.createObjectStore(name, keys);
      };
      opening.onsuccess = () => {
        const base = opening.result;
        base.onclose = forget;
        base.onversionchange = () => { base.close(); forget(); };  // a newer desk in another tab changes the store
        resolve(base);
      };
      opening.onerror = () => reject(opening.error);
    });
    this.#base.catch(forget);
    return this.#base;
  }

  /** Ask something of some parts of the store, all of it or nothing; resolves with the answers once it is done. */
  async #within(parts, mode, deed) {
    const base = await this.#opened();
    const transaction = base.transaction(parts, mode, { durability: "strict" });
    const closed = new AbortController();  // what is under way when a browser closes the store is told of nothing else
    return new Promise((resolve, reject) => {
      let asked = [];
      transaction.oncomplete = () => resolve(asked.map(({ result }) => result));
      transaction.onabort = () => reject(transaction.error);
      base.addEventListener("close", reject, { signal: closed.signal });
      try {
        asked = deed(...parts.map((part) => transaction.objectStore(part)));
      } catch (error) {
        reject(error);
        transaction.abort();
      }
    }).finally(() => closed.abort());
  }

  /**
   * Keep the journal of a game, of which so many taps are `known` to be there: those that are not are written. Where the
   * browser has lost the game, as some do whose disk was full, all of it is. Rejects where another tab has kept more.
   */
  async keep(id, { desk, start, taps, ...more }, known) {
    const when = Date.now();
    await this.#within(["games", "taps"], "readwrite", (games, kept) => {
      const [game, count] = [games.get(id), kept.count(tapsOf(id))];
      game.onsuccess = () => game.result ?? games.add({ id, desk, start, more, begun: when });
      count.onsuccess = () => {
        if (count.result > known) return kept.transaction.abort();
        for (let at = count.result; at < taps.length; at += 1) kept.add({ game: id, at, tap: taps[at], when });
      };
      return [game, count];
    });
    copies.write(id, { desk, start, taps, ...more });
  }

  /** Write a game again that the browser has lost, if there is a copy of it. */
  async #restored(id) {
    const copy = copies.read(id);
    if (copy?.taps) await this.keep(id, copy, 0);
    return Boolean(copy?.taps);
  }

  /** All games, the newest first. */
  async games() {
    let [games] = await this.#within(["games"], "readonly", (kept) => [kept.getAll()]);
    const lost = copies.ids().filter((id) => !games.some((game) => game.id === id));
    for (const id of lost) await this.#restored(id);
    if (lost.length) [games] = await this.#within(["games"], "readonly", (kept) => [kept.getAll()]);
    return games.sort((one, other) => other.begun - one.begun);
  }

  /** The journal of a game as it is written to a file: its beginning and all taps; null where there is no such game. */
  async journal(id) {
    const [game, taps] = await this.#within(["games", "taps"], "readonly", (games, kept) =>
      [games.get(id), kept.getAll(tapsOf(id))]);
    if (!game) return await this.#restored(id) ? copies.read(id) : null;
    return { ...game.more, desk: game.desk, start: game.start, taps: taps.map(({ tap }) => tap) };
  }

  /** Keep records, each `{ id, text, … }`. */
  async record(...records) {
    await this.#within(["records"], "readwrite", (kept) => records.map((record) => kept.put(record)));
  }

  /** The records that were kept, or the one that is named; undefined where there is none. */
  async records(id) {
    const [found] = await this.#within(["records"], "readonly", (kept) => [id === undefined ? kept.getAll() : kept.get(id)]);
    return found;
  }

  /** Delete a game or a record; resolves with what puts it back as it was. */
  async delete(id) {
    const parts = ["games", "taps", "records"];
    const [games, taps, records] = await this.#within(parts, "readwrite", (games, kept, records) => {
      const found = [games.getAll(id), kept.getAll(tapsOf(id)), records.getAll(id)];
      games.delete(id);
      kept.delete(tapsOf(id));
      records.delete(id);
      return found;
    });
    copies.delete(id);
    return async () => {
      await this.#within(parts, "readwrite", (...stores) =>
        [games, taps, records].flatMap((rows, at) => rows.map((row) => stores[at].put(row))));
    };
  }
}

export const store = new Store();

/** Whether what a file holds is the journal of a game. */
export const isJournal = (given) => Number.isInteger(given?.desk) && Array.isArray(given.taps) && Object(given.start) === given.start;

/** A game that Python has checked as a record to be kept: the same text is the same record. */
export async function recordOf({ text, headers, verdict, summary }) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const named = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return { id: `record-${[...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`, text, headers: named, verdict, summary, when: Date.now() };
}
