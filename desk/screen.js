// A screen that Python has answered with, as it is drawn, and what can be tapped on it: for a game that is recorded or
// played, and for a position that is asked. It knows no rules.

import { button as madeButton, make, words } from "./parts.js";

document.documentElement.classList.add("js");

/**
 * What the page draws: the screen, none until Python has answered. Where that `isSlow`, anything may be tapped; where the
 * page only `reads`, nothing; `isByForm`: words are written whole. A tap goes to `tap`; after drawing, `drawn` adds what the
 * page has besides, and `counted` is told how many taps there are.
 */
export const state = { screen: null, isSlow: true, reads: false, isByForm: false, tap() {}, drawn() {}, counted() {} };

const SIDES = { __proto__: null, R: data.sides[0], E: data.sides[1] };
/** Milliseconds within which the same tap again is one tap of a hand that trembles. */
const REPEATED = 400;
/** Numbers come first, then philosophers and actions, then cards that are not seen. */
const RANK = Object.keys(data.cards);
const CHOICES = { __proto__: null, ...Object.fromEntries(data.choices.map(({ key, text }) => [key, text])) };
/** Every card, as it may lie: all can be tapped as long as Python has not said which. */
const CARDS = Object.keys(data.symbols).filter((word) => !word.includes("?"))
  .map((word) => ({ card: word.replace(/[()]/g, ""), face: word.startsWith("(") ? "down" : "up" }))
  .sort((one, other) => RANK.indexOf(one.card) - RANK.indexOf(other.card));
/** Influence cards, actions, and cards that lie face down, each in a row. */
const ROWS = [({ card, face }) => face === "up" && "12345pi".includes(card), ({ card, face }) => face === "up" && !"12345pi".includes(card), ({ face }) => face === "down"]
  .map((belongs) => CARDS.filter(belongs));
/** Letters of a choice that has more than one line. */
const LONG = 30;
/** Letters of choices that are too wide for their line. */
const CROWDED = 22;
const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
/** The turn that is drawn; the hand that lies open in it, and which was asked for; the choices that have a place in it. */
const laid = { turn: "", of: "R", wanted: "", choices: [] };
/** The last tap by hand. */
let last = { tap: "", at: -Infinity };

/** The table that is drawn. */
let before = {};
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

/** Lay the table for a game by these rules, with the hand of a side open; nothing on it is new. */
export function layTable(rules, headers, side) {
  before = {};
  Object.assign(data, data.rules[rules]);
  for (const cell of columns) {
    const name = data.groups[cell.dataset.group];
    cell.hidden = !name;
    cell.querySelector("button")?.setAttribute("aria-label", name ?? "");
  }
  for (const row of all(".groups tr")) row.append(...Object.keys(data.groups).map((group) => row.querySelector(`[data-group="${group}"]`)));
  for (const [number, name] of data.players.entries()) sides[number].querySelector(".person").textContent = headers?.[name] ?? "";
  laid.of = "RE"[side];
}

/** Show the screen that Python has answered with. */
export function draw() {
  if (isPressed) return void (due = draw);
  if (laid.turn !== state.screen.heading) Object.assign(laid, { turn: state.screen.heading, wanted: "", choices: [] });
  byId("heading").textContent = state.screen.heading;
  const { refusal, table, over } = state.screen;
  ask(state.screen.prompt);
  byId("turn").textContent = state.screen.turn;
  byId("said").textContent = state.screen.said ?? "";
  byId("record").querySelector("bdi").textContent = state.screen.record;
  byId("undo").disabled = state.reads || !state.screen.can.undo;
  byId("redo").disabled = state.reads || !state.screen.can.redo;
  byId("refusal").hidden = !refusal;
  byId("refusal").querySelector("p").textContent = refusal?.text ?? "";
  fillChoices(byId("refusal").querySelector(".buttons"), refusal?.choices ?? []);
  byId("answer").hidden = !refusal && !state.screen.said;
  for (const cell of cells) {
    const written = table[cell.key] ?? "";
    lay(cell, written, before[cell.key] ?? written, table);
  }
  lead({ ...blank, ...table }, "");
  document.querySelector(".board").classList.toggle("unknown", !table.turn);
  for (const [number, side] of sides.entries()) side.classList.toggle("to-play", !over && state.screen.side === number);
  for (const part of all(".over")) part.hidden = !table.verdict;
  for (const part of all(".scored")) part.hidden = !table["total.0"];
  before = table;
  document.title = `${state.screen.heading} · ${words.title}`;
  drawWord();
  drawOffers();
  state.drawn();
}

/** Draw the word that is being tapped, and what was filled in. */
function drawWord() {
  byId("word").replaceChildren(...(state.screen?.word ?? []).map(drawTap));
  byId("word").hidden = !state.screen?.word.length;
  byId("filled").replaceChildren(...(state.screen?.filled ?? []).map(drawTap));
}

/** Ask what comes next, in smaller letters where that is long. */
export function ask(prompt) {
  byId("prompt").textContent = prompt;
  byId("prompt").classList.toggle("long", prompt.length > 50);
}

const blank = Object.fromEntries(cells.map(({ key }) => [key, ""]));


/** A tap as a symbol, or in letters where it has none. */
export function drawTap(tapped) {
  const each = tapped ?? {};
  if (each.tap === "card") return thing("card", symbol(symbolOf(each), 44, 62), wordOf(each), cardName(each));
  if (each.tap === "group") return thing("token", symbol(each.group, 24, 24), each.group, data.groups[each.group] ?? each.group);
  if (each.tap === "bust") return thing("device", symbol(data.device + each.bust, 24, 36), each.bust, data.devices[each.bust] ?? each.bust);
  return make("bdi", "said", { __proto__: null, undo: "↶", redo: "↷", found: "…" }[each.tap] ?? each.text ?? CHOICES[each.choice] ?? each.choice ?? each.n);
}

/** A card as a table has it: its letter, in brackets where it lies face down. */
const wordOf = ({ card, face }) => (face === "down" ? `(${card})` : card);
const UNSEEN = { i: true, a: true };
const symbolOf = (card) => card.of + data.symbols[wordOf(card)];
const cardName = ({ of, card, face }) => `${SIDES[of]}, ${NAMES[card] ?? card}${face === "down" ? `, ${words.face_down}` : ""}`;

/** A button that taps something. */
function button(said, name, ...parts) {
  const made = make("button", "", ...parts);
  if (name) made.setAttribute("aria-label", name);
  made.dataset.tap = JSON.stringify(said);
  made.disabled = state.reads;
  return made;
}

/** Open the other hand: without Python nothing else says that a turn is over. */
export function changeHands() {
  laid.wanted = laid.of === "R" ? "E" : "R";
  drawOffers();
}

/** What can be tapped. While Python is away, everything can: a tap that means nothing is refused when it is read. */
export function drawOffers() {
  if (isPressed) return void (due ??= drawOffers);
  const offers = state.screen && !state.isSlow ? state.screen.offers : null;
  const kept = document.activeElement.dataset.tap;  // whoever uses keys stays there, or goes on with what comes next
  const answers = offers?.cards.filter(({ text }) => text) ?? [];
  drawHand(offers?.cards.filter(({ text }) => !text) ?? Object.keys(SIDES).flatMap((of) => CARDS.map((card) => ({ of, ...card }))));
  const groups = offers?.groups ?? Object.keys(data.groups);
  for (const cell of columns) {
    const isOffered = groups.includes(cell.dataset.group);
    cell.classList.toggle("offered", isOffered && !state.reads);
    cell.classList.toggle("here", cell.dataset.group === state.screen?.at);
    const taken = cell.querySelector("button");
    if (taken) taken.disabled = state.reads || !isOffered;
  }
  const busts = offers?.busts ?? Object.keys(data.devices);
  byId("busts").classList.toggle("silent", !busts.length);
  byId("busts").replaceChildren(...Object.keys(data.devices).map((bust) => offer(busts.includes(bust), button({ tap: "bust", bust }, data.devices[bust],
    symbol(data.device + bust, 24, 36), make("small", "", data.groups[bust] ?? data.devices[bust])))));
  byId("numbers").replaceChildren(...(offers?.numbers ?? DIGITS).map((n) => button({ tap: "number", n }, "", String(n))));
  drawChoices(offers ? [...answers.map((card) => ({ key: card.text, ...card })), ...offers.choices] : data.choices.filter((each) => state.isByForm || !each.by_form));
  byId("offers").classList.toggle("blind", state.isByForm && !offers);
  byId("offers").classList.toggle("ended", Boolean(state.screen?.over) && !state.isSlow);
  byId("offers").classList.toggle("bare", Boolean(offers) && offers.cards.length === answers.length && !offers.busts.length);
  if (!offers) for (const each of ["undo", "redo"]) byId(each).disabled = state.reads;
  byId("type").disabled = state.reads;
  if (kept) {
    const open = all("[data-tap]:enabled");
    (open.find((each) => each.dataset.tap === kept) ?? open.find((each) => each.closest("#offers")) ?? open[0])?.focus({ preventScroll: true });
  }
  const inSight = all("#offers [data-tap]:not([data-tap='']):enabled");
  if (offers && inSight.length && inSight.every((each) => each.getBoundingClientRect().top >= innerHeight)) inSight[0].scrollIntoView({ block: "nearest" });
}

export function fillChoices(place, choices) {
  place.classList.toggle("crowded", choices.reduce((length, { text }) => length + text.length, 0) > CROWDED);
  place.replaceChildren(...choices.map(({ key, of, card, face, text }) => {
    if (card) return button({ tap: "card", of, card, face }, "", symbol(symbolOf({ of, card, face }), 44, 62), text);
    const made = button({ tap: "choice", choice: key }, "", text);
    made.classList.toggle("long", text.length > LONG);
    return made;
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
  laid.of = [laid.wanted, state.screen ? Object.keys(SIDES)[state.screen.side] : laid.of, ...there].find((of) => there.includes(of)) ?? laid.of;
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
  const found = (each) => offered.find((card) => card.of === of && card.card === each.card && card.face === each.face);
  const arePiles = offered.every(({ card }) => card in UNSEEN);
  byId("cards").replaceChildren(...ROWS.map((row, at) => {
    const kinds = row.filter(({ card }) => !state.screen || card in UNSEEN || state.screen.deck.includes(card));
    return make("div", kinds.some(found) ? "" : "silent", make("small", "face", arePiles ? "" : words.rows[at]), ...kinds.map((kind) => {
      const each = { of, ...kind };
      const sign = found(kind)?.sign ?? "";
      return offer(found(kind), button({ tap: "card", ...each }, cardName(each) + (sign && `, ${words.drawn}`), symbol(symbolOf(each), 44, 62), make("b", "drawn", sign)));
    }));
  }));
}

for (const cell of all(".groups .left [data-group]")) {
  const made = button({ tap: "group", group: cell.dataset.group }, data.groups[cell.dataset.group]);
  made.className = "take";
  cell.prepend(made);
}

addEventListener("click", ({ target, timeStamp }) => {
  const group = target.closest(".offered")?.dataset.group;  // its column has three cells, and the button is in one
  const made = target.closest("[data-tap]") ?? (group && document.querySelector(`.left [data-group="${group}"] [data-tap]`));
  if (!made || made.disabled) return;
  const isRepeat = last.tap === made.dataset.tap && timeStamp - last.at < REPEATED;
  last = { tap: made.dataset.tap, at: timeStamp };
  const said = JSON.parse(last.tap);
  if (said.choice?.startsWith("/edit ")) return type(said.choice);
  state.tap(said, isRepeat);
});

byId("undo").onclick = () => {
  if (!byId("typing").hidden) byId("type").click();
  state.tap({ tap: "undo" });
};
byId("redo").onclick = () => state.tap({ tap: "redo" });
byId("more").onclick = () => byId("menu").showModal();
for (const each of all(".hush")) if (!each.closest("dialog")) each.onclick = () => { (each.parentElement.id === "notice" ? each.previousElementSibling : each.parentElement).hidden = true; };
/** Let something be typed that begins like this. */
function type(text) {
  if (byId("typing").hidden) byId("type").click();
  byId("text").value = text;
}
byId("type").onclick = () => {
  byId("typing").hidden = !byId("typing").hidden;
  byId("type").setAttribute("aria-expanded", !byId("typing").hidden);
  if (!byId("typing").hidden) byId("text").focus();
};
byId("typing").onsubmit = (event) => {
  event.preventDefault();
  const text = byId("text").value.trim();
  if (text) state.tap({ tap: "text", text });
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
