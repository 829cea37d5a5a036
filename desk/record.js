// A table of a club: this device asks for its game, and records it once it may. What it knows of the game is kept here, so
// that it goes on without the server.

import { open, start } from "./game.js";
import { complain, failure, fill, fillNumber, words } from "./parts.js";
import { askAnew, become, device, kept, pairing, pause, sent } from "./asked.js";
import { state } from "./screen.js";
import { store } from "./store.js";

const tell = (sentence) => { byId("told").textContent = sentence; };

/** Ask until this device may record; resolves with what the server says, or with nothing where it is away. */
async function admitted() {
  for (let answer; ; await pause()) {
    answer = device ? await sent("state") : await askAnew();
    if (!answer) {
      tell(words.away_now);
    } else if (answer.status === 404) {
      return tell(words.no_pairing);
    } else if (answer.status === 403) {
      answer = await askAnew();  // the organiser has another list of devices
    } else if (answer.status === 200 && answer.said.state === "admitted" && answer.said.start) {
      become(device.token, answer.said.device);  // the organiser may have let it go on in the place of another one
      return answer.said;
    } else if (answer.status === 200) {
      tell(fill(words[answer.said.state] ?? words.asking, answer.said.device));
    } else {
      tell(words.full);
    }
  }
}

/** Ask who records, and let the server begin the game; resolves with its journal. */
async function begun({ pairing: title, start: { rules, headers } }) {
  tell("");
  byId("which").textContent = title;
  byId("players").textContent = data.players.map((name) => headers[name]).join(" – ");
  byId("begins").hidden = byId("begins").disabled = !data.rules[rules].begins;
  byId("start").hidden = false;
  await new Promise((resolve) => { byId("start").onsubmit = (event) => { event.preventDefault(); resolve(); }; });
  byId("start").hidden = true;
  const given = new FormData(byId("start"));
  for (;; await pause()) {
    const answer = await sent("begin", { who: given.get("view"), starts: given.get("Starts") ?? "" });
    if (answer?.status === 200) return answer.said.journal;
    tell(answer ? words.asking : words.away_now);
  }
}

/** Say how many taps are kept, and where. */
let count = 0;
function sayWhereKept() {
  const waiting = Math.max(0, count - kept.count);
  byId("sent").textContent = fillNumber(waiting ? words.not_sent : words.all_sent, waiting || count);
  byId("sent").classList.toggle("waiting", waiting > 0);
  byId("desk").dataset.waits = count - Math.min(kept.count, Number(byId("desk").dataset.read));
}
kept.told = sayWhereKept;
state.counted = (taps) => { count = taps; sayWhereKept(); };

async function begin() {
  if (!globalThis.indexedDB) return complain(words.too_old, "store");
  if (!pairing) return tell(words.no_table);
  const name = `table ${location.host} ${pairing}`;  // whichever device it is to the organiser
  let found = device && await store.journal(name);
  if (!found) {
    const said = await admitted();
    if (!said) return undefined;
    found = said.journal ?? await begun(said);
    await store.keep(name, found, 0);
  }
  navigator.storage?.persist?.().catch(() => {});
  start();
  return open(name);
}

begin().catch((error) => complain(failure(error, words.no_store), "store"));
