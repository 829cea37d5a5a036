// The desk's page. It knows no rules: each tap is kept in the store first, then shown as taken, then told to Python,
// whose answer says what stands on the screen and what can be tapped next. While Python is away, taps are taken all the
// same, and wait in a row.

import { askFolder, isServed } from "./asked.js";
import { Engine } from "./engine.js";
import { button as madeButton, complain, download, failure, fileName, fill, journalText, make, offerShelving, whenChosen, words } from "./parts.js";
import { isJournal, store } from "./store.js";
import { goOnFrom, isSet, now, showClocks, stayAwake, tellAway, watchLeaving } from "./watch.js";

const PLAYERS = data.players;
const SIDES = { R: data.sides[0], E: data.sides[1] };
/** Milliseconds until Python seems slow. */
const NOTICED = 1000;
/** Milliseconds within which the same tap again is one tap of a hand that trembles. */
const REPEATED = 400;
/** What the last game began with, and the one that is open. */
const [LAST, OPEN] = ["tironian-last", "tironian-open"];
/** Numbers come first, then philosophers and actions, then cards that are not seen. */
const RANK = Object.keys(data.cards);
/** Every card, as it may lie: all can be tapped as long as Python has not said which. */
const CARDS = Object.keys(data.symbols).filter((word) => !word.includes("?"))
  .map((word) => ({ card: word.replace(/[()]/g, ""), face: word.startsWith("(") ? "down" : "up" }))
  .sort((one, other) => RANK.indexOf(one.card) - RANK.indexOf(other.card));
/** Influence cards, actions, and cards that lie face down, each in a row. */
const ROWS = [({ card, face }) => face === "up" && "12345pi".includes(card), ({ card, face }) => face === "up" && !"12345pi".includes(card), ({ face }) => face === "down"]
  .map((belongs) => CARDS.filter(belongs));
const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

// --- one game ------------------------------------------------------------------------------------------------------

document.documentElement.classList.add("js");

let game = null;
/** Whether this game can only be read here: another tab records it, or a newer desk has. */
let reads = false;
/** The journal, of which all taps are kept. The screen tells of the first `read`; `isNew`: Python knows none of them. */
let journal = null;
let taps = [];
let read = 0;
let isNew = true;
/** How many taps the file of the game has, where it has one. */
let filed = -1;
/** Whether Python is away for so long that anything may be tapped. */
let isSlow = true;
let slowly = 0;
let screen = null;
let shown = {};
/** Taps are written one after the other. After one that could not be kept those that waited behind it don't count. */
let writing = Promise.resolve();
let failures = 0;
let asking = false;
/** The turn that is drawn; the hand that lies open in it, and which was asked for; the choices that have a place in it. */
const laid = { turn: "", of: "R", wanted: "", choices: [] };
/** The last tap by hand, and the places of those that only repeat the one before. */
let last = { tap: "", at: -Infinity };
const repeats = new Set();
/** What was typed last, until it is known to be accepted. */
let typed = "";

const engine = new Engine((again, isAway) => {
  asking = false;
  filed = -1;
  isNew = isSlow = true;
  if (!isAway) complain(again ? words.restarting : words.stopped, "engine");
  if (again) engine.start().then(catchUp);
  drawOffers();
});

/** Keep a tap; it counts once it is on disk. Where time matters it says when it came. What was said of the one before is forgotten. */
function tap(said, isRepeat = false) {
  if (reads) return;
  complain("", "answer");
  if (journal.start.tournament || screen?.clocks) {
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
    slowly = setTimeout(() => { isSlow = true; drawOffers(); }, NOTICED);
    catchUp();
  });
}

/** Let Python read what it has not read yet: the whole journal where it is new, then tap by tap; then write the file. */
async function catchUp() {
  if (!game || asking || !engine.isReady) return;
  if (!isNew && read === taps.length) return void (data.folder && !reads && filed !== read && await file());
  asking = true;
  const next = isNew ? taps.length : read + 1;
  const isAlone = !isNew && !repeats.has(read);
  const answer = await engine.ask(isNew
    ? { ask: "open", game, journal, keeps: !reads }
    : { ask: "take", game, tap: taps[read] });
  if (!answer) return;  // Python is lost, and reads all of it once it is there again
  asking = isNew = false;
  complain("", "engine");
  read = next;
  if (!screen && !answer.screen && journal.desk <= data.version) return cannotRead(answer.fault);
  const unread = screen?.unread ?? 0;
  if (answer.screen) screen = answer.screen;
  const meantNothing = isAlone && answer.screen?.unread > unread ? words.unread : "";
  complain(answer.fault ?? meantNothing, "answer");
  if (read === taps.length) {
    clearTimeout(slowly);
    isSlow = false;
    if (screen) draw();
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
  reads = true;
  byId("prompt").textContent = "";
  byId("offers").hidden = true;
  complain(`${words.unreadable_journal} ${fault}`, "answer");
  drawWaiting();
  drawOffers();
}

const channel = new BroadcastChannel("tironian-desk");
channel.onmessage = ({ data: changed }) => {
  if (changed === game && reads) readAnew().catch((error) => complain(failure(error, words.not_read), "store"));
};

/** Go on from what the store has. */
async function readAnew() {
  journal = await store.journal(game) ?? journal;
  ({ taps } = journal);
  drawWaiting();
  catchUp();
}

// --- what is drawn -------------------------------------------------------------------------------------------------

const sides = all(".side");
document.querySelector(".board").classList.add("unknown");

/** What is to be drawn once no button is pressed: a tap on one that was drawn anew is lost, or goes to another one. */
let due = null;
let isPressed = false;
/** Milliseconds after which a finger that went up has tapped nothing. */
const TAPPED = 100;

/** The fingers on the page, each with what it went down on. Of two at once no click comes, so each clicks where it is lifted. */
const fingers = new Map();
let areSeveral = false;
let releasing = 0;

const pressable = (place) => place?.closest("button, .offered");

function release() {
  const drawing = due;
  [isPressed, due] = [false, null];
  drawing?.();
}

/** Let go after so many milliseconds, unless a finger is down: also one that came while another was about to be let go. */
function releaseIn(pause) {
  clearTimeout(releasing);
  if (!fingers.size) releasing = setTimeout(release, pause);
}

addEventListener("pointerdown", ({ pointerId, isPrimary, target }) => {
  if (isPrimary) fingers.clear();  // of one that left the window nothing was heard
  fingers.set(pointerId, pressable(target));
  areSeveral = !isPrimary;
  clearTimeout(releasing);
  isPressed = true;
});
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, ({ pointerId, clientX, clientY }) => {
    const place = fingers.get(pointerId);
    fingers.delete(pointerId);
    if (areSeveral && end === "pointerup" && place === pressable(document.elementFromPoint(clientX, clientY))) place?.click();
    releaseIn(TAPPED);
  });
}
addEventListener("click", (event) => {
  if (areSeveral && event.isTrusted && event.pointerType === "touch") event.stopImmediatePropagation();
  releaseIn(0);
}, true);

/** Show the screen that Python has answered with. */
function draw() {
  if (isPressed) return void (due = draw);
  if (laid.turn !== screen.heading) Object.assign(laid, { turn: screen.heading, wanted: "", choices: [] });
  byId("heading").textContent = screen.heading;
  const { refusal, table, over } = screen;
  ask(screen.prompt);
  if (screen.refusal && typed) byId("text").value = typed;  // it is corrected, not typed anew
  typed = "";
  byId("turn").textContent = screen.turn;
  byId("said").textContent = screen.said ?? "";
  byId("record").querySelector("bdi").textContent = screen.record;
  byId("undo").disabled = reads || !screen.can.undo;
  byId("redo").disabled = reads || !screen.can.redo;
  byId("refusal").hidden = !refusal;
  byId("refusal").querySelector("p").textContent = refusal?.text ?? "";
  fillChoices(byId("refusal").querySelector(".buttons"), refusal?.choices ?? []);
  byId("answer").hidden = !refusal && !screen.said;
  for (const cell of cells) {
    const written = table[cell.key] ?? "";
    lay(cell, written, shown[cell.key] ?? written, table);
  }
  lead({ ...blank, ...table }, "");
  document.querySelector(".board").classList.toggle("unknown", !table.turn);
  for (const [number, side] of sides.entries()) side.classList.toggle("to-play", !over && screen.side === number);
  showClocks(byId("clocks"), screen.clocks);
  tellAway(byId("away"), screen.away);
  for (const part of all(".over")) part.hidden = !table.verdict;
  for (const part of all(".scored")) part.hidden = !table["total.0"];
  shown = table;
  document.title = `${screen.heading} · ${words.title}`;
  remember(OPEN, over ? "" : game);
  // Once it is over, saving is what comes next.
  byId(over ? "after" : "saving").prepend(...["send", "save", "to-look"].map(byId));
  drawOffers();
}

/** Ask what comes next, in smaller letters where that is long. */
function ask(prompt) {
  byId("prompt").textContent = prompt;
  byId("prompt").classList.toggle("long", prompt.length > 50);
}

const blank = Object.fromEntries(cells.map(({ key }) => [key, ""]));

/** The word that is being tapped, and the taps that Python has not read, as the things that were tapped. */
function drawWaiting() {
  byId("word").replaceChildren(...(screen?.word ?? []).map(drawTap));
  byId("word").hidden = !screen?.word.length;
  byId("filled").replaceChildren(...(screen?.filled ?? []).map(drawTap));
  byId("taps").replaceChildren(...taps.slice(read).map(drawTap));
  const line = byId("taps").parentElement;
  line.scrollTop = line.scrollHeight;
  byId("save").disabled = byId("send").disabled = !screen || read < taps.length;
  byId("to-look").hidden = journal.start.tournament && !screen?.over;
  Object.assign(byId("desk").dataset, { taken: taps.length, read });
}

/** A tap as a symbol, or in letters where it has none. */
function drawTap(tapped) {
  const each = tapped ?? {};
  if (each.tap === "card") return thing("card", symbol(symbolOf(each), 44, 62), wordOf(each), cardName(each));
  if (each.tap === "group") return thing("token", symbol(each.group, 24, 24), each.group, data.groups[each.group] ?? each.group);
  if (each.tap === "bust") return thing("device", symbol(data.device + each.bust, 24, 36), each.bust, data.devices[each.bust] ?? each.bust);
  return make("bdi", "said", { undo: "↶", redo: "↷", found: "…" }[each.tap] ?? each.text ?? each.choice ?? each.n);
}

/** A card as a table has it: its letter, in brackets where it lies face down. */
const wordOf = ({ card, face }) => (face === "down" ? `(${card})` : card);
const UNSEEN = { i: true, a: true };
const symbolOf = (card) => card.of + data.symbols[wordOf(card)];
const cardName = ({ of, card, face }) => `${SIDES[of]}, ${NAMES[card] ?? card}${face === "down" ? ", face down" : ""}`;

/** A button that taps something. */
function button(said, name, ...parts) {
  const made = make("button", "", ...parts);
  if (name) made.setAttribute("aria-label", name);
  made.dataset.tap = JSON.stringify(said);
  made.disabled = reads;
  return made;
}

/** What can be tapped. While Python is away, everything can: a tap that means nothing is refused when it is read. */
function drawOffers() {
  if (isPressed) return void (due ??= drawOffers);
  const offers = screen && !isSlow ? screen.offers : null;
  const kept = document.activeElement.dataset.tap;  // whoever uses keys stays there, or goes on with what comes next
  const answers = offers?.cards.filter(({ text }) => text) ?? [];
  drawHand(offers?.cards.filter(({ text }) => !text) ?? Object.keys(SIDES).flatMap((of) => CARDS.map((card) => ({ of, ...card }))));
  const groups = offers?.groups ?? Object.keys(data.groups);
  for (const cell of columns) {
    const isOffered = groups.includes(cell.dataset.group);
    cell.classList.toggle("offered", isOffered && !reads);
    cell.classList.toggle("here", cell.dataset.group === screen?.at);
    const taken = cell.querySelector("button");
    if (taken) taken.disabled = reads || !isOffered;
  }
  const busts = offers?.busts ?? Object.keys(data.devices);
  byId("busts").classList.toggle("silent", !busts.length);
  byId("busts").replaceChildren(...Object.keys(data.devices).map((bust) => offer(busts.includes(bust), button({ tap: "bust", bust }, data.devices[bust],
    symbol(data.device + bust, 24, 36), make("small", "", data.groups[bust] ?? data.devices[bust])))));
  byId("numbers").replaceChildren(...(offers?.numbers ?? DIGITS).map((n) => button({ tap: "number", n }, "", String(n))));
  drawChoices(offers ? [...answers.map((card) => ({ key: card.text, ...card })), ...offers.choices] : data.choices.filter((each) => journal.start.tournament || !each.by_form));
  byId("offers").classList.toggle("ended", Boolean(screen?.over) && !isSlow);
  byId("offers").classList.toggle("bare", Boolean(offers) && offers.cards.length === answers.length && !offers.busts.length);
  const deeds = offers?.deeds ?? [];
  fillChoices(byId("timing"), deeds.filter(({ key }) => key.startsWith("/clock")));
  fillChoices(byId("deeds"), deeds.filter(({ key }) => !key.startsWith("/clock")));
  byId("ending").hidden = !byId("deeds").hasChildNodes();
  if (!offers) for (const each of ["undo", "redo"]) byId(each).disabled = reads;
  byId("type").disabled = reads;
  if (kept) {
    const open = all("[data-tap]:enabled");
    (open.find((each) => each.dataset.tap === kept) ?? open.find((each) => each.closest("#offers")) ?? open[0])?.focus({ preventScroll: true });
  }
}

function fillChoices(place, choices) {
  place.replaceChildren(...choices.map(({ key, of, card, face, text }) => {
    if (card) return button({ tap: "card", of, card, face }, "", symbol(symbolOf({ of, card, face }), 44, 62), text);
    return button({ tap: "choice", choice: key }, "", text);
  }));
}

/** Draw the choices. As long as some stay, each keeps its place in its turn, also while it is not offered. */
function drawChoices(choices) {
  const keys = choices.map(({ key }) => key);
  const known = laid.choices.filter((each) => !keys.includes(each.key));
  if (choices.length && known.length === laid.choices.length) laid.choices = [];
  laid.choices.push(...choices.filter(({ key }) => !laid.choices.some((each) => each.key === key)));
  fillChoices(byId("choices"), laid.choices);
  for (const [at, made] of [...byId("choices").children].entries()) made.classList.toggle("silent", !offer(keys.includes(laid.choices[at].key), made).dataset.tap);
}

/** Let a button be tapped, or only keep its place: whoever knows the places need not look. */
function offer(isOffered, made) {
  if (!isOffered) [made.disabled, made.dataset.tap] = [true, ""];
  return made;
}

/** Draw the cards of one side, and whose they are. Where those of both can be tapped, one asks for the other hand. */
function drawHand(offered) {
  const there = Object.keys(SIDES).filter((of) => offered.some((card) => card.of === of));
  laid.of = [laid.wanted, screen ? Object.keys(SIDES)[screen.side] : laid.of, ...there].find((of) => there.includes(of)) ?? laid.of;
  const { of } = laid;
  byId("hands").classList.toggle("silent", !there.length);
  byId("offers").dataset.of = there.length ? of : "";
  byId("hands").replaceChildren(...Object.entries(SIDES).map(([each, name]) => {
    const made = madeButton(each === "R" ? "rome" : "egypt", `${each === "R" ? "▲" : "▼"} ${name}`, () => {
      laid.wanted = each;
      drawOffers();
    });
    made.dataset.hand = each;
    made.setAttribute("aria-pressed", there.length > 0 && each === of);
    made.disabled = !there.includes(each);
    return made;
  }));
  const isOffered = (each) => offered.some((card) => card.of === of && card.card === each.card && card.face === each.face);
  byId("cards").replaceChildren(...ROWS.map((row) => {
    const kinds = row.filter(({ card }) => !screen || card in UNSEEN || screen.deck.includes(card));
    return make("div", kinds.some(isOffered) ? "" : "silent", ...kinds.map((kind) => {
      const each = { of, ...kind };
      return offer(isOffered(kind), button({ tap: "card", ...each }, cardName(each), symbol(symbolOf(each), 44, 62)));
    }));
  }));
}

// --- what is done --------------------------------------------------------------------------------------------------

for (const cell of all(".groups .left [data-group]")) {
  const made = button({ tap: "group", group: cell.dataset.group }, data.groups[cell.dataset.group]);
  made.className = "take";
  cell.prepend(made);
}

addEventListener("click", ({ target, timeStamp }) => {
  const made = target.closest("[data-tap]") ?? target.closest(".offered")?.querySelector("[data-tap]");
  if (!made || made.disabled) return;
  const isRepeat = last.tap === made.dataset.tap && timeStamp - last.at < REPEATED;
  last = { tap: made.dataset.tap, at: timeStamp };
  tap(JSON.parse(last.tap), isRepeat);
});

byId("undo").onclick = () => {
  if (!byId("typing").hidden) byId("type").click();
  tap({ tap: "undo" });
};
byId("redo").onclick = () => tap({ tap: "redo" });
byId("more").onclick = () => byId("menu").showModal();
// By its own link the page is left, too, and there is time to note it.
byId("other").onclick = (event) => {
  if (!journal.start.tournament || reads) return;
  event.preventDefault();
  tap({ tap: "left" });
  writing.then(() => location.assign(event.target.href));
};
for (const each of ["deeds", "timing"]) byId(each).onclick = () => byId("menu").close();
for (const each of all(".hush")) each.onclick = () => { (each.parentElement.id === "notice" ? each.previousElementSibling : each.parentElement).hidden = true; };
byId("type").onclick = () => {
  byId("typing").hidden = !byId("typing").hidden;
  byId("type").setAttribute("aria-expanded", !byId("typing").hidden);
  if (!byId("typing").hidden) byId("text").focus();
};
byId("typing").onsubmit = (event) => {
  event.preventDefault();
  const text = typed = byId("text").value.trim();
  if (text) tap({ tap: "text", text });
  byId("text").value = "";
};

addEventListener("keydown", (event) => {
  if (byId("desk").hidden || event.altKey || event.target.matches("input, textarea")) return;
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  if (isUndo) {
    event.preventDefault();
    (event.shiftKey ? byId("redo") : byId("undo")).click();
  } else if (!event.ctrlKey && !event.metaKey && event.key === "/") {
    event.preventDefault();
    byId("typing").hidden = true;
    byId("type").click();
  }
});
byId("typing").onkeydown = ({ key }) => {
  if (key !== "Escape") return;
  byId("type").click();
  byId("type").focus();
};

byId("save").onclick = () => download(fileName(journal.start.headers, "tiro"), `${screen?.record ?? ""}`);
byId("send").hidden = !navigator.share;
byId("send").onclick = () => {
  const file = new File([screen.record], fileName(journal.start.headers, "tiro"), { type: "text/plain" });
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
  game = id;
  journal = found;
  ({ taps } = journal);
  sayWhatWasFound();
  goOnFrom(taps.reduce((last, tap) => (Number.isSafeInteger(tap?.at) ? Math.max(last, tap.at) : last), 0));
  const { start, desk } = journal;
  Object.assign(data, data.rules[start.rules]);
  for (const cell of columns) {
    const name = data.groups[cell.dataset.group];
    cell.hidden = !name;
    cell.querySelector("button")?.setAttribute("aria-label", name);
  }
  for (const row of all(".groups tr")) row.append(...Object.keys(data.groups).map((group) => row.querySelector(`[data-group="${group}"]`)));
  if (desk > data.version) {
    reads = true;
    complain(words.newer, "reads");
  } else {
    await lock();
  }
  byId("begin").hidden = true;
  byId("desk").hidden = false;
  byId("to-look").href = `look.html?game=${id}`;
  stayAwake();
  if (start.tournament) {
    watchLeaving(tap);
    byId("desk").classList.add("tournament");
    if (taps.length) tap({ tap: "back" });
  }
  remember(OPEN, id);
  ask(words.starting);
  // Who begins, as far as the page can tell before Python does.
  laid.of = ["caesar", "arbiter"].includes(start.view) || start.headers?.Starts === PLAYERS[0] ? "R" : "E";
  for (const [number, name] of PLAYERS.entries()) {
    sides[number].querySelector(".person").textContent = start.headers?.[name] ?? "";
  }
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
async function lock() {
  const name = `tironian-desk ${game}`;
  const keep = () => new Promise(() => {});
  await new Promise((resolve) => {
    navigator.locks.request(name, { ifAvailable: true }, (found) => {
      reads = !found;
      resolve();
      return found ? keep() : null;
    });
  });
  if (!reads) return;
  complain(words.second, "reads");
  navigator.locks.request(name, async () => {
    await readAnew();
    [reads, isNew] = [false, true];
    catchUp();
    complain("", "reads");
    (screen ? draw : drawOffers)();
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

/** Remember something for the next time; a browser that keeps nothing begins anew. */
function remember(name, said) {
  try {
    localStorage.setItem(name, said);
  } catch { }
}

function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
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
