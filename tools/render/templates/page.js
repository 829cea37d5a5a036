// Steps through the game. The document holds all words already; this moves what is current in it, and draws the table.

const LAST = data.steps.length - 1;

/** Every table of a point of view, each the one before with what is new in it. */
function open(view) {
  let table = {};
  view.tables = view.patches.map((patch) => (table = { ...table, ...patch }));
}

open(data.views[0]);
const canUnpack = Boolean(window.DecompressionStream);

/** Unpack data: JSON, compressed, in base64. */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/** The other points of view are packed; this waits until they are there. */
const ready = (async () => {
  const others = byId("others");
  if (!others || !canUnpack) return;
  for (const [number, found] of (await unpack(others.textContent)).entries()) open(Object.assign(data.views[number + 1], found));
})();

let step = 0;
let view = 0;
let flipped = false;
let hiding = false;
const root = document.documentElement;
const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "")) === "dark";

// --- where somebody can go -------------------------------------------------------------------------------------

/** The step of an address: “7E.2”, or “7E” for the last step of that turn; of the set-up the start; -1 for none. */
function stepAt(address) {
  const exact = data.steps.indexOf(address);
  if (exact >= 0) return exact;
  const turn = data.names.indexOf(address);
  return turn < 0 ? -1 : Math.max(0, data.turns.lastIndexOf(turn));
}

/** The last steps of all turns, with the start. */
const ends = data.turns.map((turn, number) => number).filter((number) => data.turns[number] !== data.turns[number + 1]);

const after = (places) => places.find((number) => number > step) ?? step;
const before = (places) => places.filter((number) => number < step).pop() ?? step;

const ways = {
  first: () => 0,
  last: () => LAST,
  back: () => Math.max(0, step - 1),
  on: () => Math.min(LAST, step + 1),
  "turn-back": () => before(ends),
  "turn-on": () => after(ends),
  "vote-back": () => before(data.votes),
  "vote-on": () => after(data.votes),
  "mistake-back": () => before(found().mistakes),
  "mistake-on": () => after(found().mistakes),
  leave: () => step,
};

const deeds = {
  help: () => byId("help").showModal(),
  flip: () => flip(!flipped),
  view: () => look((asked + 1) % data.views.length),
  hide: () => hide(!hiding),
  theme: () => { root.dataset.theme = isDark() ? "light" : "dark"; },
  more: () => unfold(!byId("tools").classList.contains("open")),
  play: () => play(!playing),
  faster: () => hurry(1),
  slower: () => hurry(-1),
  share,
  copy,
};

/** Do what a button or a key says: something with the page, or a step to be shown. */
function take(way) {
  if (deeds[way]) return deeds[way]();
  play(false);
  if (!trial || !goWithin(way)) go(trial && way === "on" ? step : ways[way]());
}

let writing = 0;
let waiting = null;

/** Show a step. Its address goes into the address bar once somebody rests there: browsers refuse it more often. */
function go(number) {
  step = number;
  trial = null;
  draw();
  write();
}

function write() {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", `#${address()}`), 200);
}

/** The address of what is shown: the step, and where they are not as at first, the eyes and the side of the table. */
function address() {
  const more = [];
  if (view) more.push(`as=${data.views[view].name}`);
  if (flipped) more.push("flipped");
  if (hiding) more.push("hide");
  if (root.classList.contains("embed")) more.push("embed");
  const place = trial ? (trial.said.length > 1 ? `${trial.name}.${trial.at}` : trial.name) : data.steps[step];
  return place + (more.length ? `?${more.join("&")}` : "");
}

/** Follow the end of an address, “7E.3v?as=caesar&flipped”; return its step, -1 for none. What it leaves out stays. */
function opened(hash) {
  const [place, more = ""] = decodeURIComponent(hash).replace(/^#/, "").split("?");
  const wishes = new URLSearchParams(more);
  const eyes = data.views.findIndex(({ name }) => name === wishes.get("as"));
  if (eyes >= 0 && eyes !== asked) look(eyes);
  if (wishes.has("flipped") && !flipped) flip(true);
  if (wishes.has("hide") && !hiding) hide(true);
  if (wishes.has("embed") || place === "embed") root.classList.add("embed");
  aside = place.includes("/") ? place : "";
  return stepAt(place.split("/")[0]);
}

/** Say that an address names no moment of the game, where it names no part of the page either. */
function miss(hash) {
  const place = decodeURIComponent(hash).replace(/^#/, "").split("?")[0];
  if (place && place !== "embed" && !byId(place)) byId("words").prepend(`${say("miss", { moment: place })} `);
}

/** Turn the table round: the other side sits below. */
function flip(on) {
  flipped = on;
  byId("flip").setAttribute("aria-pressed", String(on));
  const board = document.querySelector(".board");
  board.classList.toggle("flipped", on);
  const [one, other] = on ? [1, 0] : [0, 1];
  board.prepend(board.querySelector(`.side-${one}`));
  board.querySelector(".stage").after(board.querySelector(`.side-${other}`));
  const body = board.querySelector(".groups tbody");
  const upper = on ? "egypt" : "rome";
  if (!body.rows[0].classList.contains(upper)) body.append(...[...body.rows].reverse());
  write();
}

/** Hide what comes after the step, or show it again. */
function hide(on) {
  hiding = on;
  for (const button of all("[data-go=hide][aria-pressed]")) button.setAttribute("aria-pressed", String(on));
  draw();
  write();
}

/** Show what there is no room for on a small screen. */
function unfold(on) {
  byId("tools").classList.toggle("open", on);
  document.querySelector("[data-go=more]").setAttribute("aria-expanded", String(on));
}

/** The eyes that were asked for last: those of now, or those that are still being unpacked. */
let asked = 0;

/** Look through other eyes; a promise until they are unpacked. */
function look(number) {
  if (!data.views[number].tables) {
    if (!canUnpack) return undefined;
    asked = number;
    return (waiting = ready.then(() => asked === number && look(number)));
  }
  asked = number;
  place(data.views[number]);
  view = number;
  trial = null;
  const name = data.views[view].name;
  for (const part of all("[data-view]")) part.hidden = part.dataset.view !== name;
  for (const button of all("[data-view-button]")) {
    button.setAttribute("aria-pressed", String(button.dataset.viewButton === name));
  }
  draw();
  write();
}

// --- what is said about the step -------------------------------------------------------------------------------

/** Put what the page says to a point of view where it belongs; that of the first one is there already. */
function place(each) {
  if (!each.parts) return;
  const made = document.createElement("template");
  made.innerHTML = each.parts;
  for (const part of [...made.content.children]) {
    const host = byId(part.dataset.in);
    (host.querySelector(":scope > .part") ?? host).append(part);
  }
  each.parts = "";
  filter();
}

/** What the list of turns has for the current point of view: the link of each step, mistakes, repairs, the curve. */
function found() {
  const each = data.views[view];
  if (each.found) return each.found;
  const within = document.querySelector(`.turns[data-view="${each.name}"]`);
  const links = [];
  for (const link of all("[data-step]", within)) links[link.dataset.step] = link;
  const judged = all(".judged:not(.only)", within).map((told) => (told.closest("[data-at]")?.dataset.at
    ?? told.closest(".turn").querySelector(".row [data-step]")?.dataset.step));
  for (const first of data.votes) links[first] = links[first + 1];
  const scroll = document.querySelector(`.scroll[data-view="${each.name}"]`);
  return (each.found = {
    links,
    turns: all(".turn", within),
    mistakes: [...new Set(judged.filter(Boolean).map(Number))].sort((one, other) => one - other),
    repairs: within.querySelector(".repairs"), // a point of view that may not know them has none
    course: document.querySelector(`[data-view="${each.name}"] .course`),
    scroll,
    cursor: scroll.querySelector(".cursor"),
  });
}
let current = null;

/** The current step in words, taken from the list of turns. */
function tell() {
  current?.removeAttribute("aria-current");
  const { links, repairs } = found();
  const link = current = links[step];
  const isFirst = data.votes.includes(step);
  byId("place").textContent = step ? data.steps[step].replace("~", " ") : say("start");
  const number = voteAt(step);
  const kept = number ? byId(`vote-${number}`).querySelector(".scene") : null;
  stage(isFirst ? kept : null);
  if (kept && !isFirst) {
    const where = document.createElement("span");
    where.className = "far";
    where.textContent = say("label", { label: kept.querySelector(".about b").textContent, text: "" });
    byId("words").replaceChildren(where, ...kept.querySelector(".second").cloneNode(true).childNodes);
  }
  else if (isFirst) byId("words").textContent = titleOf(link);
  else byId("words").textContent = link ? saidBy(link) : say("before");
  // On a small screen the list, which shows what the whole turn was, is far away.
  const row = link && ends.includes(step) ? link.closest(".turn").querySelector(".row") : null;
  byId("row-now").replaceChildren(...(row ? all(".signs, .ballots", row).map((each) => each.cloneNode(true)) : []));
  const slider = byId("slider");
  slider.max = LAST;
  slider.value = step;
  slider.setAttribute("aria-valuetext", byId("place").textContent);
  const item = link?.closest("[data-at]");
  const within = item ?? link?.closest(".turn").querySelector(".told");
  const inIt = item ? "" : ":scope > ";
  // Of a vote they would tell too early what comes of it. Where the list is in sight it shows those of a whole turn.
  const notes = within && !isFirst && (item || !beside.matches) ? all(`${inIt}:is(.note, .odds)`, within) : [];
  const likely = repairs?.dataset.turn === String(data.turns[step]) ? repairs : null;
  if (likely && !beside.matches) notes.push(likely);
  byId("now-notes").replaceChildren(...notes.map((note) => note.cloneNode(true)));
  byId("now-judged").replaceChildren(...(within && !isFirst ? all(`${inIt}.judged`, within) : []).map((each) => each.cloneNode(true)));
  for (const fold of all(".now-tree details")) treeIsOpen = fold.open;
  for (const shown of all(".now-tree")) shown.remove();
  for (const each of all(".undecided")) each.classList.remove("undecided");
  if (isFirst) item.classList.add("undecided");
  unfoldTurn(link);
  if (link) {
    link.setAttribute("aria-current", "step");
    if (kept) showVote(number, kept, isFirst);
  }
  offer(byId("now"));
  if (link) follows = [link, likely ?? item ?? link];
  tellTrial();
}

let unfolded = [];

/** Unfold the turn of a link alone, before the first one the set-up; hide what comes if that is wished. */
function unfoldTurn(link) {
  const { turns, links } = found();
  for (const each of unfolded) each.classList.remove("open", "half");
  unfolded = link ? [link.closest(".turn")] : turns.filter((each) => each.classList.contains("set-up"));
  for (const each of unfolded) each.classList.add("open");
  if (link && (data.votes.includes(step) || (hiding && !ends.includes(step)))) unfolded[0].classList.add("half");
  const isHidden = hiding && step < LAST;
  if (!isHidden && !root.classList.contains("hiding")) return;
  root.classList.toggle("hiding", isHidden);
  document.querySelector(".kept").hidden = !isHidden;
  const now = turns.indexOf(unfolded[unfolded.length - 1]);
  for (const [number, each] of turns.entries()) each.classList.toggle("later", isHidden && number > now);
  for (const [number, each] of links.entries()) each?.closest("[data-at]")?.classList.toggle("later", isHidden && number > step);
}

/** The number of the vote of a step, 0 for none. */
function voteAt(number) {
  return 1 + data.votes.findIndex((first) => first === number || first === number - 1);
}

/** The words of a vote before its cards: “Vote at the Consuls”. */
function titleOf(link) {
  return say("turned", { vote: link.textContent.split(":")[0].trim() });
}

/** The cards of a vote side by side, in place of the groups. */
function stage(kept) {
  const place = byId("scene");
  place.replaceChildren();
  place.hidden = !kept;
  document.querySelector(".stage").classList.toggle("voting", Boolean(kept));
  if (!kept) return;
  const scene = kept.cloneNode(true);
  scene.querySelector(".second").remove();
  for (const card of all(".gone", scene)) {
    card.classList.remove("gone");
    card.title = card.title.replace(/, [^,]*$/, "");
    card.setAttribute("aria-label", card.title);
  }
  place.append(scene);
}

/**
 * The words of an event, or of a turn as a whole where the step is its end, or where it was not played; where the cards
 * can't be followed, and at the end of such a record, also why.
 */
function saidBy(link) {
  const turn = link.closest(".turn");
  const status = turn.querySelector(".row .status")?.textContent;
  const isLost = turn.classList.contains("not-followed");
  const why = (isLost || step === LAST) && found().repairs?.dataset.told;
  let said = status && !isLost ? say("label", { label: status, text: turn.querySelector(".written").textContent }) : status ?? say("end");
  if (link.closest("[data-at]")) said = link.textContent;
  return why ? `${said}. ${why}` : said;
}

let treeIsOpen = false;
/** The line of the list that is to be kept in sight, down to the end of what belongs to it. */
let follows = null;

const beside = matchMedia("(min-width: 62rem)");

/** What came of a vote, and its decision tree, open if the last one was. */
function showVote(number, kept, isFirst) {
  const host = document.createElement("div");
  host.className = "now-tree";
  if (!isFirst) {
    host.append(kept.cloneNode(true));
    host.querySelector(".second").remove(); // the step says it already
  }
  const tree = byId(`vote-${number}`).querySelector(".tree");
  if (tree && !(hiding && isFirst)) {
    const fold = document.createElement("details");
    const head = document.createElement("summary");
    head.textContent = say("why");
    fold.append(head, tree.cloneNode(true));
    fold.open = treeIsOpen;
    host.append(fold);
  }
  byId("now-notes").before(host);
}

/** Keep the current line in sight within the list, where that scrolls by itself; the page stays where it is. */
function keepInSight() {
  const pane = byId("timeline");
  if (!follows || getComputedStyle(pane).overflowY === "visible") return;
  const [box, line, { bottom }] = [pane, ...follows].map((each) => each.getBoundingClientRect());
  if (line.top < box.top + 60 || bottom > box.bottom - 60) {
    const above = Math.min(box.height / 3, box.height - 60 - (bottom - line.top));
    pane.scrollTop += line.top - box.top - Math.max(60, above);
  }
}

/** Scroll the picture to its cursor. */
function scrollPicture() {
  const { scroll } = found();
  const x = data.xs[step];
  if (x < scroll.scrollLeft + 120 || x > scroll.scrollLeft + scroll.clientWidth - 60) {
    scroll.scrollLeft = x - scroll.clientWidth / 2;
  }
}

/** The cursors in the picture and in the curve. */
function point() {
  const { cursor, course } = found();
  const x = data.xs[step];
  cursor.setAttribute("d", `M${x} ${cursor.dataset.top}V${cursor.dataset.bottom}`);
  if (!course) return;
  const width = course.viewBox.baseVal.width + course.viewBox.baseVal.x;
  const at = 8 + ((width - 16) * step) / LAST;
  const end = hiding ? at + 1 : width;
  course.querySelector(".cursor").setAttribute("d", `M${at} 2V82`);
  course.querySelector(".veil").setAttribute("x", end);
  for (const dot of all(".point", course)) dot.classList.toggle("later", Number(dot.dataset.x) > end);
}

// --- what somebody does ----------------------------------------------------------------------------------------

const KEYS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "turn-back", ArrowDown: "turn-on", Home: "first", End: "last", Escape: "leave" };
const LETTERS = {
  n: "vote-on", p: "vote-back", m: "mistake-on", b: "mistake-back", k: "play", "<": "slower", ">": "faster",
  v: "view", f: "flip", h: "hide", s: "share", t: "theme", "?": "help",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.target === byId("slider") && KEYS[event.key]) return;
  const way = KEYS[event.key] ?? (byId("letters").checked ? LETTERS[event.key] : undefined);
  if (!way) return;
  event.preventDefault();
  take(way);
});

document.addEventListener("click", (event) => {
  const hit = event.target.closest("[data-go], [data-view-button], [data-all], [data-save], a[href^='#'], .course");
  if (!hit) return;
  if (hit.dataset.go) take(hit.dataset.go);
  else if (hit.dataset.save) save(hit.dataset.save);
  else if (hit.matches(".course")) seek(hit, event.clientX);
  else if (hit.dataset.viewButton) look(data.views.findIndex((each) => each.name === hit.dataset.viewButton));
  else if (hit.dataset.all) {
    for (const box of all("[data-filter]")) box.checked = hit.dataset.all === "on";
    filter();
  } else follow(hit, event);
});

/** Go to the step at which somebody points on a curve. */
function seek(course, x) {
  const { left, width } = course.getBoundingClientRect();
  const { x: start, width: whole } = course.viewBox.baseVal;
  const share = (((x - left) / width) * whole + start - 8) / (whole + start - 16);
  play(false);
  go(Math.round(Math.min(1, Math.max(0, share)) * (hiding ? step : LAST)));
}

/** A link within the page: to a step, or to a vote's tree; others are left to the browser. */
function follow(link, event) {
  for (const part of all(`#${CSS.escape(link.getAttribute("href").slice(1))} > .part`)) part.open = true;
  const number = opened(link.getAttribute("href"));
  if (number >= 0) {
    event.preventDefault();
    play(false);
    go(number);
    if (link.closest("#votes, #overview, #insight")) byId("player").scrollIntoView({ block: "start" });
    if (link.dataset.vote) {
      const shown = document.querySelector(".now-tree");
      for (const fold of shown.querySelectorAll("details")) fold.open = true;
      shown.scrollIntoView({ block: "nearest" });
    }
    // Where the list is not beside the table: from the head of the page to the repairs, from a repair to its table.
    if (link.closest(".broken")) byId("now-notes").querySelector(".repairs")?.scrollIntoView({ block: "center" });
    if (link.closest(".repairs")) document.querySelector(".board").scrollIntoView({ block: "nearest" });
  }
}

function filter() {
  const off = new Set(all("[data-filter]").filter((box) => !box.checked).map((box) => box.dataset.filter));
  for (const note of all(".note[data-kind]")) note.hidden = off.has(note.dataset.kind);
}

for (const box of all("[data-filter]")) box.addEventListener("change", filter);
byId("slider").addEventListener("input", (event) => { play(false); go(Number(event.target.value)); });
addEventListener("hashchange", (event) => {
  // Not location.hash: by now the address of the step before may have been written over the new one.
  const number = opened(new URL(event.newURL).hash);
  if (number >= 0) go(number);
  else miss(new URL(event.newURL).hash);
});
beside.addEventListener("change", tell);
// Whoever unfolds a vote in the list of votes finds the table there, too.
for (const fold of all("[data-goes]")) {
  fold.addEventListener("toggle", () => { if (fold.open) go(stepAt(fold.dataset.goes)); });
}
