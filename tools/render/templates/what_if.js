// --- what else could have been played --------------------------------------------------------------------------
// The options are packed, and unpacked when somebody first asks for them.

/** What is tried out in place of the step: tables, the first one that of the step, and words for each after it. */
let trial = null;
/** An address within a step, “7E.1/(3)A” or “7E/1.2”, to be opened once its options are unpacked. */
let aside = "";
let isAsking = false;

const packed = byId("options");
let unpacked = null;

/** The decisions and recorded alternatives of the current point of view. */
async function options() {
  unpacked ??= unpack(packed.textContent);
  const { views, ...known } = await unpacked;
  return { ...views[view], ...known };
}

/** A table with changes, which are numbers of parts. */
function changed(table, changes, { parts }) {
  const other = { ...table };
  for (const number of changes) other[parts[number][0]] = parts[number][1];
  return other;
}

/** Open the address within a step that was asked for; what there is none of leaves the step as it is. */
async function enter(address) {
  const asked = [view, step];
  const known = await options();
  const [place, rest] = address.split(/\/(.*)/s);
  const [, number, at] = rest.match(/^(\d+)(?:\.(\d+))?$/) ?? [];
  const line = known.lines[`${place}/${number}`];
  if (line?.length > 1) tryLine(`${place}/${number}`, line, Number(at ?? 1), known);
  else if (asked[0] === view && asked[1] === step) {
    for (const decision of known.decisions) {
      const option = decision[0] === step && decision[4].find(([, written]) => written === rest);
      if (option) return tryOption(decision, option, known);
    }
    miss(address);
  }
}

/** Show what a recorded alternative would have brought, after its event with that number. */
function tryLine(name, [begin, ...events], at, known) {
  step = begin;
  const tables = [data.views[view].tables[step]];
  for (const [, changes] of events) tables.push(changed(tables[tables.length - 1], changes, known));
  trial = { name, tables, at: Math.min(Math.max(1, at), events.length), said: events.map(([words]) => known.words[words]), ...movers(events) };
  draw();
  write();
}

/** Whose turn each event of an alternative is, and which; before the first it is that of the first. */
function movers(events) {
  const turns = events.map(([, , turn]) => turn);
  turns.unshift(turns[0]);
  return { turns, sides: turns.map((turn) => "RE".indexOf(turn.slice(-1))) };
}

/** Show the table after an option. */
function tryOption([, side], option, known) {
  const [words, written, , changes] = option;
  const table = data.views[view].tables[step];
  const tables = [table, changes ? changed(table, changes, known) : table];
  trial = { name: `${data.steps[step]}/${written}`, tables, at: 1, said: [hiding ? guessed(side, option, known) : subject(side, known.words[words])], sides: [side, side], turns: [table.turn, table.turn] };
  draw();
  write();
  document.querySelector(".board").scrollIntoView({ block: beside.matches ? "nearest" : "start" });
}

/** What is said of a guess: whether that is what was played. */
function guessed(side, option, known) {
  const decision = known.decisions.find(([at, , , , options]) => at === step && options.includes(option));
  const played = decision[4].find(([, , wasPlayed]) => wasPlayed);
  const guess = say("guess", { move: known.words[option[0]] });
  if (played === option) return `${guess} ${say("right")}`;
  return played ? `${guess} ${say("wrong", { move: subject(side, known.words[played[0]]) })}` : `${guess} `;
}

const subject = (side, words) => (words.startsWith(data.players[side]) ? words : say("subject", { player: data.players[side], action: words }));

/** Go on or back within what is tried out; return whether there was somewhere to go. */
function goWithin(way) {
  const at = trial.at + { on: 1, back: -1 }[way];
  if (!(at >= 1 && at < trial.tables.length)) return false;
  trial.at = at;
  draw();
  write();
  return true;
}

/** The table that is shown, the one before it, and the one before the turn. */
function shownTables() {
  const { tables } = data.views[view];
  const begun = tables[Math.max(0, data.turns.indexOf(data.turns[step]) - 1)];
  if (trial) return [trial.tables[trial.at], trial.tables[trial.at - 1], begun];
  return [tables[step], tables[step - 1] ?? tables[step], begun];
}

/** Say what is tried out, in place of the words of the step. */
function tellTrial() {
  byId("leave").hidden = !trial;
  document.querySelector(".board").classList.toggle("trial", Boolean(trial));
  if (!trial) return;
  byId("place").textContent = trial.said.length > 1 ? say("tries", { at: trial.at, count: trial.said.length }) : say("tried");
  byId("words").textContent = trial.said[trial.at - 1];
  byId("now-judged").replaceChildren(...(hiding ? all(":scope > .judged", found().links[step + 1]?.closest("[data-at]") ?? byId("now-judged")) : []).map((each) => each.cloneNode(true)));
  const link = document.querySelector(`.turns:not([hidden]) a[href="#${CSS.escape(`${trial.name}.${trial.at}`)}"]`);
  if (!link) return;
  current?.removeAttribute("aria-current");
  current = link;
  unfoldTurn(link);
  link.setAttribute("aria-current", "step");
  follows = [link, link];
}

/** Offer what could be done at the step: a fold for each decision, below what is said of the step. */
function offer(host) {
  for (const shown of all(".what-if")) shown.remove();
  if (!canUnpack) return;
  const due = data.views[view].choices.map(([at], number) => [at, number]).filter(([at]) => at === step);
  for (const [, number] of due) host.append(fold(number));
  if (aside && packed) enter(aside);
  aside = "";
}

function fold(number) {
  const [, asked, guess, counted] = data.views[view].choices[number];
  const made = document.createElement("details");
  made.className = "what-if";
  const head = made.appendChild(document.createElement("summary"));
  const size = document.createElement("small");
  size.textContent = counted && ` ${counted}`;
  head.append(hiding ? guess : asked, size);
  let isAsked = false;
  head.addEventListener("click", () => { isAsked = true; });
  made.addEventListener("toggle", async () => {
    if (!made.isConnected) return;
    isAsking = made.open;
    if (made.open && made.childElementCount === 1) made.append(listOf((await options()).decisions[number], await options()));
    if (made.open && isAsked) made.scrollIntoView({ block: "nearest" });
  });
  made.open = isAsking;
  return made;
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
const PLACED = /^(\(?)([1-5pi])\)?([A-Z])$/;

/** All options of a decision: placings as a grid of cards and groups, the others by kind. */
function listOf(decision, known) {
  const host = document.createElement("div");
  host.className = "options";
  host.style.setProperty("--whose", `var(--${["rome", "egypt"][decision[1]]})`);
  const meaning = meaningOf(decision, known);
  if (meaning.firstChild) host.append(meaning);
  const kinds = new Map();
  for (const option of decision[4]) {
    const placed = option[1].match(PLACED);
    const kind = placed ? say(`kind${placed[1]}`) : data.says[`kind${option[1][0]}`] ?? capital(data.cards[option[1][0]]);
    kinds.set(kind, [...(kinds.get(kind) ?? []), option]);
  }
  for (const [kind, found] of kinds) {
    const head = Object.assign(document.createElement("p"), { className: "head" });
    head.textContent = kind;
    const part = host.appendChild(document.createElement("div"));
    const content = PLACED.test(found[0][1]) ? grid(decision, found, known) : row(decision, found, known, kind);
    if (found.length < 13 || content.tagName === "TABLE") part.append(head, content);
    else {
      const more = part.appendChild(document.createElement("details"));
      const open = more.appendChild(document.createElement("summary"));
      open.append(`${kind} `, Object.assign(document.createElement("small"), { textContent: say("ways", { count: found.length }) }));
      more.append(content);
    }
  }
  return host;
}

const hasOdds = (decision) => decision[4].some(([, , , , effects]) => effects.length);

/** What the percents of a decision mean, in keys with a sample each, or why it has none, where others have some. */
function meaningOf(decision, known) {
  const [, side, , seesHand, found] = decision;
  const player = data.players[side];
  const host = Object.assign(document.createElement("p"), { className: "meaning" });
  if (hasOdds(decision)) {
    shade(key(host, "60 %", "", say("chance", { player })), 60);
    key(host, "+8", "", say("gain"));
    if (!hiding) key(host, "60 %", "played", say("played"));
  } else if (seesHand && found.some(([, written]) => PLACED.test(written)) && known.decisions.some(hasOdds)) {
    host.textContent = say("unknown", { player });
  }
  return host;
}

function key(host, sample, kind, words) {
  const shown = Object.assign(document.createElement("b"), { textContent: sample, className: kind });
  host.appendChild(document.createElement("span")).append(shown, ` ${words}`);
  return shown;
}

/** Shade what shows a chance: the likelier, the stronger. */
function shade(shown, percents) {
  shown.classList.add("shaded");
  shown.style.setProperty("--chance", percents);
}

/** Placings: a row for each card, a column for each group. */
function grid(decision, found, known) {
  const table = document.createElement("table");
  const groups = [...new Set(Object.keys(data.views[view].tables[0]).filter((key) => key.endsWith(".left")).map((key) => key[0]))]
    .filter((letter) => found.some(([, written]) => written.endsWith(letter)));
  const head = table.createTHead().insertRow();
  head.append(document.createElement("td"));
  for (const letter of groups) {
    const cell = head.appendChild(Object.assign(document.createElement("th"), { scope: "col", title: data.groups[letter] }));
    cell.append(symbol(letter, 24, 24), Object.assign(document.createElement("small"), { textContent: data.groups[letter] }));
  }
  const body = table.createTBody();
  for (const card of new Set(found.map(([, written]) => written.slice(0, -1)))) {
    const line = body.insertRow();
    const mark = (card[0] === "(" && card !== "(i)" ? card : card.replace("(i)", "(?)"));
    const name = line.appendChild(Object.assign(document.createElement("th"), { scope: "row" }));
    name.append(thing("card", symbol("RE"[decision[1]] + data.symbols[mark], 44, 62), card, NAMES[card.replace(/[()]/g, "")] ?? say("card")));
    for (const letter of groups) {
      const option = found.find(([, written]) => written === card + letter);
      const cell = line.insertCell();
      if (option) cell.append(button(decision, option, known, effect(decision, option, known, letter)));
    }
  }
  return table;
}

/** Options as a list. */
function row(decision, found, known, kind) {
  const list = document.createElement("ul");
  for (const option of found) {
    const item = list.appendChild(document.createElement("li"));
    const letters = [...new Set(option[4].map(([letter]) => letter))];
    const effects = letters.map((letter) => `${data.groups[letter]} ${effect(decision, option, known, letter)}`);
    item.append(button(decision, option, known, brief(known.words[option[0]], kind)));
    if (effects.length) item.append(Object.assign(document.createElement("small"), { textContent: ` ${effects.join(", ")}` }));
  }
  return list;
}

/** The words of an option without those that stand in its heading already. */
function brief(words, kind) {
  const rest = words.split(new RegExp(`\\b${kind.toLowerCase()}\\b`))[1]?.replace(/^\s*:? ?(of )?/, "") || words;
  return capital(rest);
}

function button(decision, option, known, text) {
  const [words, written, played, , effects] = option;
  const wasPlayed = played && !hiding;
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  const move = subject(decision[1], known.words[words]);
  const said = wasPlayed ? say("as", { move }) : move;
  made.setAttribute("aria-label", text === said ? said : say("label", { label: said, text }));
  made.title = said;
  made.classList.toggle("played", Boolean(wasPlayed));
  made.setAttribute("aria-pressed", String(trial?.name === `${data.steps[step]}/${written}`));
  const isChance = / %$/.test(text);
  for (const [, ...shares] of effects) {
    if (isChance) shade(made, shares[2 + decision[1]]);
    const gain = shares[2 + decision[1]] - shares[decision[1]];
    if (!gain) continue;
    made.dataset.gain = gain > 0 ? "more" : "less";
    if (isChance) made.append(" ", Object.assign(document.createElement("small"), { textContent: `${gain > 0 ? "+" : "−"}${Math.abs(gain)}` }));
  }
  made.addEventListener("click", () => tryOption(decision, option, known));
  return made;
}

/** What an option does at a group: how likely its player then wins a vote there, or the sums that lie there then. */
function effect([, side], [, , , changes, effects], known, letter) {
  const odds = effects.find(([group]) => group === letter);
  if (odds) return `${odds[3 + side]} %`;
  const table = changes ? changed(data.views[view].tables[step], changes, known) : data.views[view].tables[step];
  const [rome, egypt] = [table[`${letter}.sum.0`], table[`${letter}.sum.1`]];
  return rome && egypt ? `${rome} : ${egypt}` : [rome, egypt][side] || "•";
}
