// What is kept on this device: games, each with its beginning, and its taps one by one; and records that came from
// elsewhere. What was kept is on disk before the promise is, as far as the browser can say so; a tap that is there
// already is never replaced.

import { askFolder } from "./asked.js";
import { data, fileName, lang, newId } from "./parts.js";

const NAME = "tironian-desk";
/** What is asked of the folder of records; nothing where there is none. */
const ofFolder = async (question) => (data.folder ? askFolder(question) : null);
/** Begins the names of records that are files in the folder: the place in a file, and its name. */
const FILE = "file/";
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
  text(id) {
    try {
      return localStorage.getItem(this.name(id));
    } catch {
      return null;
    }
  },
  read(id) {
    try {
      return JSON.parse(this.text(id));
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

/** The most taps of a game; what lies beyond is damaged. */
const MOST = 20_000;
const tapsOf = (game) => IDBKeyRange.bound([game, 0], [game, MOST], false, true);
/** All that is kept as a tap of a game, whatever its place is. */
const anyOf = (game) => IDBKeyRange.bound([game], [game, []]);
const isTap = ({ at, tap }) => Number.isInteger(at) && at >= 0 && at < MOST && tap !== undefined;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Opened when it is needed, and anew where the browser has closed it. */
class Store {
  #base = null;
  /** What was found damaged or restored, as the names of sentences; and what can't be read, each `{ id, rows }`. */
  told = new Set();
  damaged = [];

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
      const [game, last] = [games.get(id), kept.openKeyCursor(tapsOf(id), "prev")];
      game.onsuccess = () => isWhole(game.result) || games.put({ id, desk, start, more, begun: game.result?.begun ?? when });
      last.onsuccess = () => {
        const next = last.result ? Math.floor(last.result.key[1]) + 1 : 0;
        if (next > known) return kept.transaction.abort();
        for (let at = next; at < taps.length; at += 1) kept.add({ game: id, at, tap: taps[at], when });
      };
      return [game];
    });
    copies.write(id, { desk, start, taps, ...more });
  }

  /**
   * The journal of a game as both places have it: where one has taps that the other lacks, they are written there; where
   * they contradict each other, the copy becomes a game of its own. Null where neither can be read.
   */
  async #healed(id, game, rows) {
    const copy = copies.read(id);
    if (!isWhole(game) && !isJournal(copy)) return null;
    const [taps, fine] = [[], rows.filter(isTap)];
    for (const { at, tap } of fine) taps[at] = tap;
    if (fine.length < rows.length) this.told.add("damaged_taps");
    const { taps: second, ...begins } = isJournal(copy) ? copy : { taps: [] };
    const journal = isWhole(game) ? { ...game.more, desk: game.desk, start: game.start } : begins;
    if (second.every((tap, at) => !(at in taps) || same(tap, taps[at]))) {
      const missing = [...second.keys()].filter((at) => !(at in taps));
      for (const at of missing) taps[at] = second[at];
      if (missing.length || !isWhole(game)) {
        const when = Date.now();
        await this.#within(["games", "taps"], "readwrite", (games, kept) => [
          ...isWhole(game) ? [] : [games.put({ id, ...parted(journal), begun: game?.begun ?? when })],
          ...missing.map((at) => kept.put({ game: id, at, tap: taps[at], when })),
        ]);
        this.told.add("restored");
      }
    } else {
      await this.keep(newId(), copy, 0);
      this.told.add("two_copies");
    }
    // A tap that both have lost stays a gap: nobody knows what it was, and those after it still count.
    const whole = { ...journal, taps: Array.from(taps, (tap) => tap ?? null) };
    if (whole.taps.length > fine.length && whole.taps.some((tap, at) => !(at in taps))) this.told.add("gap");
    if (!same(copy, whole)) copies.write(id, whole);
    return whole;
  }

  /** All games of this browser and of the folder, the newest first; what can't be read is `damaged`. */
  async games() {
    const filed = (await ofFolder({ ask: "games" }))?.games;
    const own = await this.#own();
    const names = new Set(filed?.map(({ id }) => id));
    const only = own.filter(({ id }) => !names.has(id)).map((each) => ({ ...each, isOnlyHere: Boolean(filed) }));
    return [...only, ...filed ?? []].sort((one, other) => other.begun - one.begun);
  }

  async #own() {
    const all = () => this.#within(["games", "taps"], "readonly", (kept, taps) => [kept.getAll(), taps.getAllKeys()]);
    const [rows, keys] = await all();
    const whole = new Set(rows.filter(isWhole).map(({ id }) => id));
    const ids = [...rows.map(({ id }) => id), ...keys.map(([game]) => game), ...copies.ids()];
    this.damaged = [];
    for (const id of new Set(ids)) {
      if (!whole.has(id) && !await this.journal(id)) this.damaged.push({ id, rows: await this.#rows(id), copy: copies.text(id) });
    }
    return (await all())[0].filter(isWhole);
  }

  /** All that is kept of a game: its row, and its taps. */
  async #rows(id) {
    const [game, taps] = await this.#within(["games", "taps"], "readonly", (games, kept) => [games.get(id), kept.getAll(anyOf(id))]);
    return [game, taps];
  }

  /**
   * The journal of a game as it is written to a file: its beginning and all taps; null where there is no such game. Where
   * the folder contradicts this browser, its file counts, and what the browser has becomes a game of its own.
   */
  async journal(id) {
    const own = await this.#healed(id, ...await this.#rows(id));
    const filed = (await ofFolder({ ask: "journal", game: id }))?.journal;
    if (!isJournal(filed)) return own;
    const taps = own?.taps ?? [];
    let whole = { ...filed, taps: Array.from({ length: Math.max(taps.length, filed.taps.length) }, (_, at) => filed.taps[at] ?? taps[at] ?? null) };
    if (taps.every((tap, at) => tap === null || same(tap, whole.taps[at]))) {
      if (!same(taps, whole.taps) || !own) await this.#rewrite(id, whole);
    } else {
      await this.keep(newId(), own, 0);
      await this.#rewrite(id, whole = filed);
      this.told.add("two_windows");
    }
    return whole;
  }

  /** Keep a journal in the place of what there is of a game. */
  async #rewrite(id, journal) {
    const when = Date.now();
    await this.#within(["games", "taps"], "readwrite", (games, kept) => {
      kept.delete(anyOf(id));
      journal.taps.forEach((tap, at) => tap !== null && kept.put({ game: id, at, tap, when }));
      return [games.put({ id, ...parted(journal), begun: when })];
    });
    copies.write(id, journal);
  }

  /** Bring games and records that only this browser has to the folder; resolves with what went wrong. */
  async shelve(games, records) {
    const told = [];
    for (const { id } of games) {
      const said = await ofFolder({ ask: "open", game: id, journal: await this.#healed(id, ...await this.#rows(id)), keeps: true });
      told.push(said?.fault ?? (await ofFolder({ ask: "keep", game: id }))?.told);
      await ofFolder({ ask: "close", game: id });
    }
    for (const record of records) {
      await this.record({ ...record });
      await this.delete(record.id);
    }
    return told.filter(Boolean).join("\n");
  }

  /** Keep records, each `{ id, text, … }`, in the folder where there is one: there each gets the `id` of its file. */
  async record(...records) {
    for (const record of data.folder ? records : []) {
      const { name } = await ofFolder({ ask: "put", name: fileName(record.headers, "tiro"), text: record.text }) ?? {};
      if (!name) throw new Error();
      record.id = fileId(name);
    }
    if (!data.folder) await this.#within(["records"], "readwrite", (kept) => records.map((record) => kept.put(record)));
  }

  /** The records that were kept, or the one that is named; undefined where there is none. */
  async records(id) {
    if (id?.startsWith(FILE)) {
      const [at, ...name] = id.slice(FILE.length).split("/");
      return ofFolder({ ask: "text", name: name.join("/"), place: Number(at) });
    }
    const [found] = await this.#within(["records"], "readonly", (kept) => [id === undefined ? kept.getAll() : kept.get(id)]);
    return found;
  }

  /** Delete a game or a record; resolves with what puts it back as it was. */
  async delete(id) {
    const parts = ["games", "taps", "records"];
    const [games, taps, records] = await this.#within(parts, "readwrite", (games, kept, records) => {
      const found = [games.getAll(id), kept.getAll(anyOf(id)), records.getAll(id)];
      games.delete(id);
      kept.delete(anyOf(id));
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

/** The name of a record in the folder: the file, and the place of the record there. */
export const fileId = (name, place = 0) => `${FILE}${place}/${name}`;

/** Whether what a file holds is the journal of a game. */
export const isJournal = (given) => Number.isInteger(given?.desk) && Array.isArray(given.taps) && Object(given.start) === given.start;

/** Whether a row begins a game, and its parts as a row has them. */
const isWhole = (row) => isJournal({ ...row, taps: [] });
const parted = ({ desk, start, taps, ...more }) => ({ desk, start, more });

/** The headers of a record by their names. */
export const named = (headers) => Object.fromEntries(headers.map(({ name, value }) => [name, value]));

/** A game that Python has checked as a record to be kept: the same text is the same record. */
export async function recordOf({ text, headers, verdict, summary }) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return { id: `record-${[...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`, text, headers: named(headers), verdict, summary, lang, when: Date.now() };
}
