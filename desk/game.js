// A game that is recorded by taps. The page knows no rules: each tap is kept in the store first, then shown as taken, then
// told to Python, whose answer says what stands on the screen and what can be tapped next. While Python is away, taps are
// taken all the same, and wait in a row.

import { Engine } from "./engine.js";
import { complain, download, failure, fileName, journalText, pageOf, remember, words } from "./parts.js";
import { ask, changeHands, draw, drawOffers, drawTap, fillChoices, layTable, state } from "./screen.js";
import { store } from "./store.js";
import { goOnFrom, isSet, now, showClocks, stayAwake, tellAway, watchLeaving } from "./watch.js";

const PLAYERS = data.players;
/** Milliseconds until Python seems slow. */
const NOTICED = 1000;
/** The link that shows the game, where there is a page for it. */
const look = byId("to-look");
/** What remembers the game that is open. */
export const OPEN = "tironian-open";

let game = null;
/** The journal, of which all taps are kept. The screen tells of the first `read`; `isNew`: Python knows none of them. */
let journal = null;
let taps = [];
let read = 0;
let isNew = true;
/** How many taps the file of the game has, where it has one. */
let filed = -1;
let slowly = 0;
/** Taps are written one after the other. After one that could not be kept those that waited behind it don't count. */
let writing = Promise.resolve();
let failures = 0;
/** The places of the taps that only repeat the one before. */
const repeats = new Set();
let asking = false;
/** What was typed last, until it is known to be accepted; and what was not. */
let typed = "", wrong = "";

/** Whether words are taken by their form, as there is no connection. */
let isOffline = false;

const engine = new Engine((again, isAway) => {
  asking = false;
  filed = -1;
  isNew = state.isSlow = true;
  if (!isAway) complain(again ? words.restarting : words.stopped, "engine");
  if (again) start();
  drawOffers();
}, (isRefused) => {
  if (!data.by_form || !journal) return false;
  state.isByForm = state.isSlow = true;
  ask(words.offline);
  drawOffers();
  return !isRefused;
});

/** Start Python; resolves once it has read what there is. */
export const start = () => engine.start().then(catchUp);

/** Keep a tap; it counts once it is on disk. Where time matters it says when it came. What was said of the one before is forgotten. */
function tap(said, isRepeat = false) {
  if (state.reads) return;
  const isBack = said.tap === "online";
  if (isBack || (state.isByForm && engine.isAway && !isOffline && !journal.start.tournament)) {
    isOffline = !isBack;
    if (!isBack) tap({ tap: "offline" });
  }
  complain("", "answer");
  if (said.choice === "end" && isOffline) changeHands();
  if (said.tap === "text") typed = said.text;
  if (journal.start.tournament || state.screen?.clocks) {
    said = { ...said, at: now() };
    complain(isSet() ? words.clock_set : "", "clock");
  }
  const known = failures;
  writing = writing.then(async () => {
    if (failures !== known) return;
    const longer = { ...journal, taps: [...taps, said] };
    if (isRepeat) repeats.add(taps.length);
    try {
      await store.keep(game, longer, taps.length);
    } catch (error) {
      failures += 1;
      complain(failure(error, words.not_kept), "store");
      // What is on disk counts. The first try may meet a store that the browser is closing.
      const again = () => store.keep(game, journal, taps.length);
      return again().catch(again).then(readAnew).catch(() => {});
    }
    [journal, taps] = [longer, longer.taps];
    complain("", "store");
    channel.postMessage(game);
    drawWaiting();
    drawOffers();
    clearTimeout(slowly);
    slowly = setTimeout(() => { state.isSlow = true; drawOffers(); }, NOTICED);
    catchUp();
  });
}

/** Let Python read what it has not read yet: the whole journal where it is new, then tap by tap; then write the file. */
async function catchUp() {
  if (!game || asking || !engine.isReady) return;
  if (!isNew && read === taps.length) return void (data.folder && !state.reads && filed !== read && await file());
  asking = true;
  const next = isNew ? taps.length : read + 1;
  const isAlone = !isNew && !repeats.has(read);
  const answer = await engine.ask(isNew
    ? { ask: "open", game, journal, keeps: !state.reads }
    : { ask: "take", game, tap: taps[read] });
  if (!answer) return;  // Python is lost, and reads all of it once it is there again
  asking = isNew = false;
  complain("", "engine");
  read = next;
  state.isByForm = Boolean(journal.start.tournament);
  if (isOffline) tap({ tap: "online" });
  if (!state.screen && !answer.screen && journal.desk <= data.version) return cannotRead(answer.fault);
  const unread = state.screen?.unread ?? 0;
  if (answer.screen) state.screen = answer.screen;
  const meantNothing = isAlone && answer.screen?.unread > unread ? words.unread : "";
  complain(answer.fault ?? meantNothing, "answer");
  if (read === taps.length) {
    clearTimeout(slowly);
    state.isSlow = false;
    if (state.screen) draw();
  }
  drawWaiting();
  catchUp();
}

/** Let the game be written to its file: nobody waits for that. */
async function file() {
  asking = true;
  const answer = await engine.ask({ ask: "keep", game });
  if (!answer) return;
  [asking, filed] = [false, read];
  byId("desk").dataset.filed = filed;
  complain(answer.fault ?? answer.told, "folder");
  if (answer.found) tap(answer.found);
  catchUp();
}

/** Where Python can make nothing of a journal, nothing can be tapped; all of it can be saved. */
function cannotRead(fault) {
  state.reads = true;
  byId("prompt").textContent = "";
  byId("offers").hidden = true;
  complain(`${words.unreadable_journal} ${fault}`, "answer");
  drawWaiting();
  drawOffers();
}

const channel = new BroadcastChannel("tironian-desk");
channel.onmessage = ({ data: changed }) => {
  if (changed === game && state.reads) readAnew().catch((error) => complain(failure(error, words.not_read), "store"));
};

/** Go on from what the store has. */
async function readAnew() {
  journal = await store.journal(game) ?? journal;
  ({ taps } = journal);
  drawWaiting();
  catchUp();
}

/** The taps that Python has not read, as the things that were tapped. */
function drawWaiting() {
  byId("taps").replaceChildren(...taps.slice(read).map(drawTap));
  const line = byId("taps").parentElement;
  line.scrollTop = line.scrollHeight;
  byId("save").disabled = byId("send").disabled = !state.screen || read < taps.length;
  if (look) look.hidden = journal.start.tournament && !state.screen?.over;
  Object.assign(byId("desk").dataset, { taken: taps.length, read });
  state.counted(taps.length);
}

Object.assign(state, {
  tap,
  drawn() {
    const { clocks, away, over, refusal, offers: { deeds } } = state.screen;
    fillChoices(byId("timing"), deeds.filter(({ key }) => key.startsWith("/clock")));
    fillChoices(byId("deeds"), deeds.filter(({ key }) => !key.startsWith("/clock")));
    byId("ending").hidden = !byId("deeds").hasChildNodes();
    if (refusal && typed) byId("text").value = wrong = typed;  // it is corrected, not typed anew
    if (!refusal && byId("text").value === wrong) byId("text").value = wrong = "";  // something else was taken
    typed = "";
    showClocks(byId("clocks"), clocks);
    tellAway(byId("away"), away);
    remember(OPEN, over ? "" : game);
    // Once it is over, saving is what comes next.
    byId(over ? "after" : "saving").prepend(...[byId("send"), byId("save"), look].filter(Boolean));
  },
});

// By its own link the page is left, too, and there is time to note it.
for (const link of all("#other")) link.onclick = (event) => {
  if (!journal.start.tournament || state.reads) return;
  event.preventDefault();
  tap({ tap: "left" });
  writing.then(() => location.assign(event.target.href));
};
for (const each of ["deeds", "timing"]) byId(each).onclick = () => byId("menu").close();
byId("save").onclick = () => download(fileName(journal.start.headers, "tiro"), `${state.screen?.record ?? ""}`);
byId("send").hidden = !navigator.share;
byId("send").onclick = () => {
  const file = new File([state.screen.record], fileName(journal.start.headers, "tiro"), { type: "text/plain" });
  const shared = { files: [file], title: file.name };
  if (!navigator.canShare?.(shared)) return byId("save").click();
  navigator.share(shared).catch(({ name }) => name === "AbortError" || byId("save").click());
};
byId("save-journal").onclick = () =>
  download(fileName(journal.start.headers, "desk.json"), journalText(journal), "application/json");

// --- opened and closed ----------------------------------------------------------------------------------------------

/** Record a game, or read it where another tab records it, until that is closed; resolves with whether there is one. */
export async function open(id) {
  const found = await store.journal(id);
  if (!found) return complain(words.gone, "store");
  journal = found;
  ({ taps } = journal);
  sayWhatWasFound();
  goOnFrom(taps.reduce((last, tap) => (Number.isSafeInteger(tap?.at) ? Math.max(last, tap.at) : last), 0));
  const { start, desk } = journal;
  layTable(start.rules, start.headers, ["caesar", "arbiter"].includes(start.view) || start.headers?.Starts === PLAYERS[0] ? 0 : 1);
  if (desk > data.version) {
    state.reads = true;
    complain(words.newer, "reads");
  } else {
    await lock(id);
  }
  game = id;  // Python is asked from here on: what it finds may forbid what the lock has allowed
  byId("begin").hidden = true;
  byId("desk").hidden = false;
  if (look) look.href = pageOf("look", `?game=${id}`);
  stayAwake();
  if (start.tournament) {
    state.isByForm = true;
    watchLeaving(tap);
    byId("desk").classList.add("tournament");
    if (taps.length) tap({ tap: "back" });
  }
  isOffline = taps.reduce((last, each) => ({ __proto__: null, offline: true, online: false })[each?.tap] ?? last, false);
  remember(OPEN, id);
  ask(words.starting);
  drawWaiting();
  drawOffers();
  if (engine.isAway) engine.left();
  catchUp();
  return true;
}

/** Take the lock of the game, which this tab keeps as long as it is open; where another one has it, once that is closed. */
async function lock(id) {
  const name = `tironian-desk ${id}`;
  if (!navigator.locks) return;  // over plain http: there the store alone refuses the taps of a tab that lags behind
  const keep = () => new Promise(() => {});
  await new Promise((resolve) => {
    navigator.locks.request(name, { ifAvailable: true }, (found) => {
      state.reads = !found;
      resolve();
      return found ? keep() : null;
    });
  });
  if (!state.reads) return;
  complain(words.second, "reads");
  navigator.locks.request(name, async () => {
    await readAnew();
    [state.reads, isNew] = [false, true];
    catchUp();
    complain("", "reads");
    (state.screen ? draw : drawOffers)();
    return keep();
  }).catch((error) => complain(failure(error, words.not_read), "store"));
}

/** Say what the store has found damaged, or restored. */
export const sayWhatWasFound = () => complain([...store.told].map((each) => words[each]).join("\n"), "found");
