// The desk's page: games that were recorded here, and a new one.

import { askFolder, isServed } from "./asked.js";
import { OPEN, open, sayWhatWasFound, start } from "./game.js";
import { button as madeButton, complain, download, failure, fill, locale, make, newId, offerShelving, pageOf, remember, remembered, whenChosen, words } from "./parts.js";
import { isJournal, store } from "./store.js";

const PLAYERS = data.players;
/** What remembers how the last game began. */
const LAST = "tironian-last";

/** Show a game, or the list where there is none. */
const show = async (id) => await open(id) || list();

/** Go on with a record of the folder, which perhaps nobody has tapped so far. */
async function goOnWith(name) {
  const { game: id, journal: found, fault = words.gone } = await askFolder({ ask: "go on", name }) ?? {};
  if (!id) {
    complain(fault, "store");
    return list();
  }
  if (!await store.journal(id)) await store.keep(id, found, 0);
  history.replaceState(null, "", `?game=${encodeURIComponent(id)}`);
  await show(id);
}

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
    byId("playing").href = pageOf("play", `?game=${played.game}`);
    byId("playing").querySelector("small").textContent = fill(words.against, { player: data.called[played.side], level: played.level, turn: played.turn });
  });
  byId("kept").hidden = !games.length && !store.damaged.length;
  const who = ({ start }) => PLAYERS.map((name) => start.headers?.[name]).filter(Boolean).join(" – ");
  const about = ({ desk, start, begun: when }) => [rulesOf(start.rules), new Date(when).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }),
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
  const id = newId();
  try {
    await store.keep(id, given, 0);
  } catch (error) {
    offerText();
    return complain(failure(error, words.no_store), "store");
  }
  complain("", "store");
  history.pushState(null, "", `?game=${id}`);
  navigator.storage?.persist?.().then(sayWhatIsKept, () => {});  // a browser may ask, and the game does not wait for it
  await showing(show(id));
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
  if (isServed) start();
  const wanted = new URLSearchParams(location.search);
  await showing(wanted.has("file") ? goOnWith(wanted.get("file")) : wanted.has("game") ? show(wanted.get("game")) : list());
  // Python takes a second of processor time: the page is drawn before it, and takes taps.
  if (!isServed) requestAnimationFrame(() => setTimeout(start));
}

begin();
