// The desk's page. It knows no rules: each tap is kept in the store first, then shown as taken, then told to Python,
// whose answer says what stands on the screen and what can be tapped next. While Python is away, taps are taken all the
// same, and wait in a row.

import { askFolder, isServed } from "./asked.js";
import { Engine } from "./engine.js";
import { button as madeButton, complain, download, failure, fileName, fill, journalText, make, offerShelving, remember, remembered, whenChosen, words } from "./parts.js";
import { ask, draw, drawOffers, drawTap, fillChoices, layTable, state } from "./screen.js";
import { isJournal, store } from "./store.js";
import { goOnFrom, isSet, now, showClocks, stayAwake, tellAway, watchLeaving } from "./watch.js";

const PLAYERS = data.players;
/** Milliseconds until Python seems slow. */
const NOTICED = 1000;
/** What the last game began with, and the one that is open. */
const [LAST, OPEN] = ["tironian-last", "tironian-open"];

// --- one game ------------------------------------------------------------------------------------------------------

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
/** What was typed last, until it is known to be accepted. */
let typed = "";

const engine = new Engine((again, isAway) => {
  asking = false;
  filed = -1;
  isNew = state.isSlow = true;
  if (!isAway) complain(again ? words.restarting : words.stopped, "engine");
  if (again) engine.start().then(catchUp);
  drawOffers();
});

/** Keep a tap; it counts once it is on disk. Where time matters it says when it came. What was said of the one before is forgotten. */
function tap(said, isRepeat = false) {
  if (state.reads) return;
  complain("", "answer");
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
  byId("to-look").hidden = journal.start.tournament && !state.screen?.over;
  Object.assign(byId("desk").dataset, { taken: taps.length, read });
}

Object.assign(state, {
  tap,
  drawn() {
    const { clocks, away, over, refusal, offers: { deeds } } = state.screen;
    fillChoices(byId("timing"), deeds.filter(({ key }) => key.startsWith("/clock")));
    fillChoices(byId("deeds"), deeds.filter(({ key }) => !key.startsWith("/clock")));
    byId("ending").hidden = !byId("deeds").hasChildNodes();
    if (refusal && typed) byId("text").value = typed;  // it is corrected, not typed anew
    typed = "";
    showClocks(byId("clocks"), clocks);
    tellAway(byId("away"), away);
    remember(OPEN, over ? "" : game);
    // Once it is over, saving is what comes next.
    byId(over ? "after" : "saving").prepend(...["send", "save", "to-look"].map(byId));
  },
});

// By its own link the page is left, too, and there is time to note it.
byId("other").onclick = (event) => {
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

// --- the beginning -------------------------------------------------------------------------------------------------

/** Record a game, or read it where another tab records it, until that is closed. */
async function open(id) {
  const found = await store.journal(id);
  if (!found) {
    complain(words.gone, "store");
    return list();
  }
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
  byId("to-look").href = `look.html?game=${id}`;
  stayAwake();
  if (start.tournament) {
    state.isTournament = true;
    watchLeaving(tap);
    byId("desk").classList.add("tournament");
    if (taps.length) tap({ tap: "back" });
  }
  remember(OPEN, id);
  ask(words.starting);
  drawWaiting();
  drawOffers();
  catchUp();
}

/** Go on with a record of the folder, which perhaps nobody has tapped so far. */
async function goOnWith(name) {
  const { game: id, journal: found, fault = words.gone } = await askFolder({ ask: "go on", name }) ?? {};
  if (!id) {
    complain(fault, "store");
    return list();
  }
  if (!await store.journal(id)) await store.keep(id, found, 0);
  history.replaceState(null, "", `?game=${encodeURIComponent(id)}`);
  await open(id);
}

/** Take the lock of the game, which this tab keeps as long as it is open; where another one has it, once that is closed. */
async function lock(id) {
  const name = `tironian-desk ${id}`;
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
const sayWhatWasFound = () => complain([...store.told].map((each) => words[each]).join("\n"), "found");

const rulesOf = (rules) => fill(words.by, words.editions[rules]?.[0] ?? rules);

async function list() {
  byId("begin").hidden = false;
  const games = await store.games();
  offerShelving(byId("only-here"), games.filter(({ isOnlyHere }) => isOnlyHere), store, list);
  sayWhatWasFound();
  byId("begin").dataset.games = games.length;
  askFolder({ ask: "played" }).then((told) => {
    const [played] = told?.games ?? [];
    byId("playing").hidden = !played;
    if (!played) return;
    byId("playing").href = `play.html?game=${played.game}`;
    byId("playing").querySelector("small").textContent = fill(words.against, PLAYERS[played.side], played.level, played.turn);
  });
  byId("kept").hidden = !games.length && !store.damaged.length;
  const who = ({ start }) => PLAYERS.map((name) => start.headers?.[name]).filter(Boolean).join(" – ");
  const about = ({ desk, start, begun: when }) => [rulesOf(start.rules), new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }),
    desk > data.version && words.newer_mark].filter(Boolean).join(" · ");
  const recent = games.find(({ id }) => id === (remembered(OPEN) ?? games[0].id));
  byId("open").hidden = !recent;
  if (recent) {
    byId("open").href = `?game=${recent.id}`;
    byId("open").querySelector("small").textContent = [who(recent), about(recent)].filter(Boolean).join(" · ");
  }
  byId("kept").querySelector("ul").replaceChildren(...games.map((each) => {
    const link = make("a", "", make("b", "", make("bdi", "", who(each) || words.unnamed)), make("small", "", about(each)));
    link.href = `?game=${each.id}`;
    return make("li", "", link);
  }), ...store.damaged.map((each) => make("li", "", `${fill(words.damaged, String(each.id))} `,
    madeButton("", words.save_damaged, () => download("damaged.json", JSON.stringify(each, null, 1), "application/json")))));
}

/** What is remembered of how a game began. */
const REMEMBERED = ["rules", "view", ...PLAYERS, "Starts"];

/** Choose what was chosen the last time, as far as it can be chosen still. */
function chooseAsBefore() {
  const { elements } = byId("start");
  const chosen = new URLSearchParams(remembered(LAST) ?? "");
  for (const name of REMEMBERED.filter((each) => chosen.has(each))) {
    const value = chosen.get(name);
    if (PLAYERS.includes(name) || [...elements[name]].some((each) => each.value === value)) elements[name].value = value;
  }
}

/** Say what a game begins with. Who begins is asked where the rules leave it open. */
function sayHowItBegins() {
  const given = new FormData(byId("start"));
  byId("begins").hidden = byId("begins").disabled = !data.rules[given.get("rules")].begins;
  const [view, ...names] = ["view", ...PLAYERS].map((name) => given.get(name).trim());
  const seen = byId("start").querySelector(`[value="${view}"] + span b`).textContent;
  byId("last").textContent = [rulesOf(given.get("rules")), seen, names.filter(Boolean).join(" – "), given.has("tournament") && words.tournament].filter(Boolean).join(" · ");
}

byId("start").oninput = sayHowItBegins;
chooseAsBefore();
sayHowItBegins();

byId("start").onsubmit = async (event) => {
  event.preventDefault();
  const given = new FormData(event.target);
  const headers = Object.fromEntries([...given].filter(([name, text]) => /^[A-Z]/.test(name) && text.trim()).map(([name, text]) => [name, text.trim()]));
  headers.Date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  remember(LAST, new URLSearchParams(REMEMBERED.filter((name) => given.has(name)).map((name) => [name, given.get(name)])));
  const start = { rules: given.get("rules"), view: given.get("view"), headers, ...(given.has("tournament") && { tournament: true }) };
  await begun({ desk: data.version, start, taps: [] });
};

/** Keep a game that begins, or a journal, and go on with it. */
async function begun(given) {
  const id = crypto.randomUUID();
  try {
    await store.keep(id, given, 0);
  } catch (error) {
    offerText();
    return complain(failure(error, words.no_store), "store");
  }
  complain("", "store");
  history.pushState(null, "", `?game=${id}`);
  navigator.storage?.persist?.().then(sayWhatIsKept, () => {});  // a browser may ask, and the game does not wait for it
  await showing(open(id));
}

whenChosen(byId("journal"), async ([{ file }]) => {
  try {
    const given = JSON.parse(await file.text());
    if (!isJournal(given) || !(given.desk > data.version || data.rules[given.start.rules])) throw new Error();
    complain("", "file");
    await begun(given);
  } catch {
    complain(words.no_journal, "file");
  }
});
addEventListener("popstate", () => location.reload());

async function sayWhatIsKept() {
  for (const place of data.folder ? all(".stored") : []) place.textContent = fill(words.in_folder, data.folder);
  if (data.folder) return;
  const isPersisted = await navigator.storage?.persisted?.();
  for (const place of all(".stored")) place.textContent = isPersisted ? words.persisted : words.may_clear;
}

/** Where no record can be kept, let it be typed, and saved as a file. */
function offerText() {
  byId("begin").hidden = byId("plain").hidden = false;
  byId("save-sheet").onclick = () => download("game.tiro", byId("sheet").value);
  onbeforeunload = (event) => byId("desk").hidden && byId("sheet").value !== byId("sheet").defaultValue && event.preventDefault();
}

/** Wait until what is kept is shown; where it can't be read, that is said. */
const showing = (done) => done.catch((error) => {
  offerText();
  complain(failure(error, words.not_read), "store");
});

async function begin() {
  const why = !isSecureContext ? words.insecure : !globalThis.indexedDB || !(isServed || globalThis.WebAssembly) || !navigator.locks ? words.too_old : "";
  if (why) {
    for (const part of [byId("start"), byId("journal").parentElement]) part.hidden = true;
    offerText();
    return complain(why, "store");
  }
  sayWhatIsKept().catch(() => {});
  const start = () => engine.start().then(catchUp);
  if (isServed) start();
  const wanted = new URLSearchParams(location.search);
  await showing(wanted.has("file") ? goOnWith(wanted.get("file")) : wanted.has("game") ? open(wanted.get("game")) : list());
  // Python takes a second of processor time: the page is drawn before it, and takes taps.
  if (!isServed) requestAnimationFrame(() => setTimeout(start));
}

begin();
