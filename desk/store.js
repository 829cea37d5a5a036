// What is kept on this device: games, each with its beginning, and its taps one by one. A tap that was added is on disk
// before the promise is kept, as far as the browser can say so; one that is there already is never replaced.

const NAME = "tironian-desk";
/** The version of the store; a desk that finds a newer one opens nothing, and says so. */
const VERSION = 1;
/** The version of a journal. */
const JOURNAL = 1;

/** Open the store. Rejects where the browser keeps none, or a newer desk has made it. */
export function openStore() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, VERSION);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("games", { keyPath: "id" });
      opening.result.createObjectStore("taps", { keyPath: ["game", "at"] });
    };
    opening.onsuccess = () => resolve(new Store(opening.result));
    opening.onerror = () => reject(opening.error);
  });
}

class Store {
  constructor(base) {
    this.base = base;
    // A newer desk in another tab may change the store; what is written here after that is refused, and said.
    base.onversionchange = () => base.close();
  }

  /** Do something with some parts of the store, all of it or nothing; resolves with its answer once it is done. */
  async #within(parts, mode, deed) {
    const transaction = this.base.transaction(parts, mode, { durability: "strict" });
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(asked?.result);
      transaction.onabort = () => reject(transaction.error);
      const asked = deed(transaction);
    });
  }

  /** Keep a game, new or from a journal, whatever version that has; returns its id. */
  async begin({ desk = JOURNAL, start, taps = [] }) {
    const id = crypto.randomUUID();
    await this.#within(["games", "taps"], "readwrite", (within) => {
      for (const [at, tap] of taps.entries()) within.objectStore("taps").add({ game: id, at, tap, when: Date.now() });
      return within.objectStore("games").add({ id, desk, start, begun: Date.now() });
    });
    return id;
  }

  /** Keep a tap under its number in its game. Rejects where it could not be kept, or another tab has kept that number. */
  async add(game, at, tap) {
    await this.#within(["taps"], "readwrite", (within) => within.objectStore("taps").add({ game, at, tap, when: Date.now() }));
  }

  /** All games, the newest first. */
  async games() {
    const games = await this.#within(["games"], "readonly", (within) => within.objectStore("games").getAll());
    return games.sort((one, other) => other.begun - one.begun);
  }

  /** The journal of a game as it is written to a file: its beginning and all taps; null where there is no such game. */
  async journal(id) {
    const game = await this.#within(["games"], "readonly", (within) => within.objectStore("games").get(id));
    const taps = await this.#within(["taps"], "readonly", (within) =>
      within.objectStore("taps").getAll(IDBKeyRange.bound([id, 0], [id, Infinity])));
    return game ? { desk: game.desk, start: game.start, taps: taps.map((each) => each.tap) } : null;
  }
}
