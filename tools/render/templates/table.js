"use strict";
// How a table is drawn, on the page of a game and on the desk: its cells are the places that say with data-k what stands
// in them. What cards and busts are called stands in the document's data.

/** Its objects have no prototype: a name that comes from a file finds only what stands there. */
const data = JSON.parse(document.getElementById("data").textContent, (_, each) => (Object(each) === each && !Array.isArray(each) ? Object.setPrototypeOf(each, null) : each));
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** What people read, as Python says it, with its fields. */
const say = (key, fields = {}) => data.says[key].replace(/\{(\w+)\}/g, (_, name) => fields[name]);

const SVG = "http://www.w3.org/2000/svg";

/** A symbol of the sheet, as it is drawn; what it means is said beside it. */
function symbol(name, width, height) {
  const [drawn, use] = [document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "use")];
  drawn.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawn.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#t-${name}`);
  drawn.append(use);
  return drawn;
}

/** The row of patricians beside their number, and the name of their symbol; null for other numbers. */
function tokensOf(place) {
  const host = place.closest(".won, .still");
  if (!host) return null;
  const row = document.createElement("span");
  row.className = "tokens";
  host.prepend(row);
  const side = host.className === "still" ? "" : host.closest("tr").className === "rome" ? "R" : "E";
  return { row, name: side + place.dataset.k[0] };
}

/** Lay as many patricians as there are; those that were won just now are marked. */
function layTokens({ tokens: { row, name } }, count, before) {
  const tokens = Array.from({ length: count }, () => symbol(name, 24, 24));
  for (const token of tokens.slice(before)) token.classList.add("new");
  row.replaceChildren(...tokens);
}

const NAMES = data.cards;

/** How cells are filled that hold more than a text. */
const layers = {
  bonus: (cell, words) => fill(cell, words ? [thing("", words.replace(/[^\d+]/g, ""), words, words)] : []),
  cards: (cell, ...words) => (cell.closest(".devices") ? layDevices : layCards)(cell, ...words),
  copies: layCopies,
  missions: layMissions,
  pile: layPile,
};

/** The side whose cards lie in a cell, by its letter. */
const sideOf = (cell) => (cell.dataset.k.endsWith("1") ? "E" : "R");

/** A symbol for those who see it, with its word as it is written; `name` says what it is. */
function thing(kind, drawn, word, name) {
  const place = document.createElement("span");
  const written = document.createElement("span");
  written.className = "sr";
  written.textContent = word;
  place.className = kind;
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", name);
  place.title = name;
  place.append(drawn, written);
  return place;
}

/** Put things into a cell, apart from each other. */
function fill(cell, things) {
  cell.replaceChildren(...things.flatMap((each, place) => (place ? [" ", each] : [each])));
}

/** Take a word out of a list; return whether it was there. */
function taken(there, word) {
  const known = there.indexOf(word);
  if (known >= 0) there.splice(known, 1);
  return known >= 0;
}

const listed = (words) => words.split(" ").filter(Boolean);

/** Lay cards side by side; those that were not there before are marked, and less so those that came since the turn began. */
function layCards(cell, words, before, table, since = before) {
  const [there, then] = [listed(before), listed(since)];
  fill(cell, listed(words).map((word) => {
    const letter = word.replace(/[()]/g, "");
    const bare = NAMES[letter] ?? letter;
    const name = word === letter ? bare : say("down", { card: bare });
    const card = thing("card", symbol(sideOf(cell) + data.symbols[word], 44, 62), word, name);
    if (!taken(there, word)) card.classList.add("new");
    else if (!taken(then, word)) card.classList.add("lately");
    return card;
  }));
}

/** Lay discards as small cards, each kind once, with how many there are. */
function layCopies(cell, words, before) {
  const there = listed(before);
  fill(cell, listed(words).map((word) => {
    const [letter, count] = word.split("×");
    const name = `${count} × ${NAMES[letter]}`;
    const copies = thing("copies", symbol(sideOf(cell) + data.symbols[letter], 44, 62), count > 1 ? letter : word, name);
    if (count > 1) copies.append(`×${count}`);
    if (!there.includes(word)) copies.classList.add("new");
    return copies;
  }));
}

/** Lay busts or vote cards; one that was not there before is marked. */
function layDevices(cell, words, before) {
  const there = listed(before);
  fill(cell, listed(words).map((word) => {
    const device = thing("device", symbol(data.device + word, 24, 36), word, data.devices[word]);
    if (!taken(there, word) && cell.dataset.k === "out") device.classList.add("new");
    return device;
  }));
}

/** A pile's number, and its symbol pale where it is empty. */
function layPile(cell, words) {
  cell.textContent = words;
  cell.parentElement.classList.toggle("empty", words === "0");
}

/** Missions as lines, each with how it stands. */
function layMissions(cell, words, before, table) {
  const proved = (table[cell.dataset.k.replace("missions", "prospects")] ?? "").split("\n");
  cell.replaceChildren(...words.split("\n").flatMap((line, place) => {
    const mission = document.createElement("span");
    mission.className = "mission";
    mission.textContent = mission.title = line;
    if (proved[place]) mission.dataset.proved = proved[place];
    return place ? ["\n", mission] : [mission];
  }));
}

const cells = all("[data-k]").map((place) => ({ place, key: place.dataset.k, tokens: tokensOf(place), drawn: null }));
const leads = all("[data-k$='.lead']");
const columns = all(".groups [data-group]");
/** Numbers that are marked where they are new: sums and points. */
const MARKED = /sum|points/;

/** Fill a cell; what was not there before, or `since` the turn began, is marked. Of missions `table` says how they stand. */
function lay(cell, words, before, table, since) {
  const layer = layers[cell.place.dataset.as];
  if (layer) layer(cell.place, words, before, table, since);
  else cell.place.textContent = words;
  if (cell.tokens) layTokens(cell, Number(words), Number(before));
  else if (!layer) cell.place.classList.toggle("new", words !== before && before !== "" && MARKED.test(cell.key));
}

/** Colour who would win at each group; frame the groups at which something happens. */
function lead(table, where) {
  for (const place of leads) {
    place.parentElement.classList.toggle("gone", table[place.dataset.k.replace("lead", "left")] === "0");
    const [said] = place.textContent;
    place.className = `lead ${{ "▲": "rome", "▼": "egypt", "◇": "" }[said] ?? (said ? "open" : "")}`;
    place.classList.toggle("lower", place.textContent.slice(2) === say("lower"));
  }
  for (const cell of columns) cell.classList.toggle("here", where.includes(cell.dataset.group));
}
