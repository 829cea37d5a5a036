// Records are checked here, mended and joined. The page knows no rules: files and texts go to Python, whose answers are
// what `tiro check`, `tiro repair` and `tiro merge` say.

import { ask, gamesOf } from "./ask.js";
import { Work, button, byId, data, drawVerdict, fill, isRecord, lang, make, options, tellMissed, verdictOf, whenChosen, words } from "./parts.js";
import { Sheet, isSound, joined, keep, rules, sheets } from "./sheet.js";

const work = new Work();

// --- what is found -------------------------------------------------------------------------------------------------

/** Show a game: those with problems first, the first of them open. */
function add(game) {
  const sheet = new Sheet(game.file, { text: game.text, games: [game] }, { first: game.line });
  const isFirst = sheet.isBroken && !byId("broken").querySelector("[open]");
  (sheet.isBroken ? byId("broken") : byId("fine").querySelector("div")).append(sheet.node);
  if (isFirst) sheet.found.firstChild.open = true;
}

/** Say how many games there are of each verdict, and which may be of one game. */
function count() {
  const counts = {};
  const shown = sheets.filter(({ node }) => !node.hidden);
  for (const { verdict } of shown.flatMap(({ games }) => games)) counts[verdict] = (counts[verdict] ?? 0) + 1;
  byId("totals").replaceChildren(...Object.entries(counts).flatMap(([verdict, number]) =>
    [drawVerdict(verdict, `${number.toLocaleString(lang)} ${verdictOf(verdict)}`), " "]));
  byId("keep-all").hidden = !(counts.legal || counts.possible);
  const fine = byId("fine").querySelector("div").childElementCount;
  byId("fine").querySelector("b").textContent = fine;
  byId("fine").hidden = !fine;
  if (!work.isOn) propose(shown);
}

addEventListener("changed", count);
byId("keep-all").onclick = async () => {
  const kept = await keep(sheets.filter(({ node }) => !node.hidden), isSound);
  if (kept) byId("kept").textContent = fill(words.kept_all, kept.length);
};
byId("rules").onchange = () => sheets.forEach((sheet) => sheet.recheck());

/** Say what is wrong with a file of which there are no games. */
const complainOf = (name, sentence) =>
  byId("broken").append(make("p", "log panel", make("bdi", "", name), `: ${sentence}`));

// --- logs of one game ----------------------------------------------------------------------------------------------

/** Logs of one game are so many at most: where more share a number, it says nothing. */
const LOGS = 4;
/** The sheets that somebody has chosen, each with the number of its game; which proposals are no longer wanted. */
let chosen = [];
const settled = new Set();

const gameOf = ({ sheet, at }) => sheet.games[at];
const keyOf = (logs) => logs.map(({ sheet, at }) => `${sheets.indexOf(sheet)}.${at}`).join();

/** Which logs seem to be of one game, by their texts, as Python has said; and what it is still asked about that. */
const alike = new Map();
let asking = Promise.resolve();

/** Those of some logs, each two or more, that seem to be of one game. */
function partsOf(logs) {
  const texts = logs.map((log) => gameOf(log).text);
  const key = texts.join("\0");
  if (!alike.has(key)) {
    alike.set(key, []);
    const answer = ask({ ask: "alike", logs: texts.map((text) => ({ text })) });
    asking = Promise.all([asking, answer.then((said) => alike.set(key, said.alike ?? []) && count())]);
  }
  return alike.get(key).map((part) => part.map((at) => logs[at])).filter((part) => part.length > 1);
}

/** Propose to join games that share a number by which logs of one game are known, and that are alike. */
function propose(shown) {
  const known = new Map();
  for (const log of shown.flatMap((sheet) => sheet.games.map((_, at) => ({ sheet, at })))) {
    if (log.sheet.isJoined) continue;
    for (const number of gameOf(log).logs) known.set(number, known.get(number) ?? []).get(number).push(log);
  }
  const proposals = new Map();
  for (const logs of known.values()) {
    const texts = new Set(logs.map((log) => gameOf(log).text));
    if (texts.size > 1 && logs.length <= LOGS && !settled.has(keyOf(logs))) proposals.set(keyOf(logs), logs);
  }
  chosen = chosen.filter((log) => shown.includes(log.sheet) && gameOf(log));
  const parts = new Map([...proposals.values()].slice(0, 100).flatMap(partsOf).map((part) => [keyOf(part), part]));
  for (const key of settled) parts.delete(key);
  const drawn = [...parts.values()].slice(0, 20).map((logs) => drawLogs(logs, words.one_game));
  byId("joins").replaceChildren(...drawn, ...chosen.length ? [drawLogs(chosen, chosen.length > 1 ? words.chosen : words.choose)] : []);
}

/** Logs that can be joined. Whose a log is, is asked where it does not say so. */
function drawLogs(logs, sentence) {
  const eyes = new Map();
  const rows = logs.map((log) => {
    const game = gameOf(log);
    const row = make("li", "", make("bdi", "", log.sheet.called(game)));
    if (!game.headers.some(({ name }) => name.toLowerCase() === "view")) {
      const select = make("select", "", ...options(data.views).reverse());
      select.setAttribute("aria-label", fill(words.whose, log.sheet.called(game)));
      log.view ??= select.value;
      select.value = log.view;
      select.onchange = () => { log.view = select.value; };
      row.append(" ", select);
      eyes.set(log, select);
    }
    return row;
  });
  const join = button("main", words.join_them, async () => {
    const sheet = await joinLogs(logs);
    if (!sheet) return;
    settled.add(keyOf(logs));
    chosen = [];
    count();
    sheet.found.querySelector("summary").focus();
  });
  join.disabled = logs.length < 2;
  const leave = button("", words.leave, () => {
    settled.add(keyOf(logs));
    if (logs === chosen) chosen = [];
    count();
  });
  return make("section", "panel logs rows", make("p", "", make("b", "", sentence)), make("ul", "rows", ...rows),
    eyes.size > 0 && make("p", "quiet", words.whose_says), make("div", "buttons", join, leave));
}

/** Join logs, and show what they come to; nothing where they can't be joined. */
async function joinLogs(logs) {
  const names = new Set();
  const sent = logs.map((log) => {
    const { text, line: first } = gameOf(log);
    const called = log.sheet.called(gameOf(log));
    let name = called;
    for (let number = 2; names.has(name); number += 1) name = `${called} (${number})`;
    names.add(name);
    return { name, text, first, view: log.view ?? "" };
  });
  const number = sheets.filter(({ isJoined }) => isJoined).length;
  const name = number ? words.joined.replace(".", `-${number + 1}.`) : words.joined;
  const state = await joined(name, sent);
  if (!state) return null;
  const sheet = new Sheet(name, state, { isJoined: true });
  byId("broken").prepend(sheet.node);
  sheet.found.firstChild.open = true;
  return sheet;
}

addEventListener("join", ({ detail: sheet }) => {
  const at = Math.max(0, sheet.games.indexOf(sheet.opened));
  const isChosen = (log) => log.sheet === sheet && log.at === at;
  chosen = chosen.some(isChosen) ? chosen.filter((log) => !isChosen(log)) : [...chosen, { sheet, at }];
  count();
});

// --- files ---------------------------------------------------------------------------------------------------------

/** Files that wait until those before them are done. */
const waiting = [];

/** Check files, each `{ file, name, inFolder }`, one after the other; in a folder those that may be records. */
async function take(files) {
  tellMissed(files.filter(({ inFolder }) => inFolder).map(({ name }) => name));
  for (const each of files) if (!each.inFolder || isRecord(each.name)) waiting.push(each);
  if (work.isOn) return;
  work.show(true);
  let done = 0;
  for (let next = waiting.shift(); next && !work.isStopped; next = waiting.shift()) {
    const { file, name, inFolder } = next;
    for await (const { games = [], more, taken = 0, fault } of gamesOf(file, { name, in_folder: inFolder, rules: rules() })) {
      if (work.isStopped) break;
      if (fault) complainOf(name, fault);
      games.forEach(add);
      count();
      const isTooMany = more && sheets.length > data.most.games;
      if (isTooMany) complainOf(name, fill(words.too_many, data.most.games));
      work.isStopped ||= isTooMany;
      // Parts of an archive are read twice.
      work.reach(done + Math.min(taken, file.size), done + file.size + waiting.reduce((sum, each) => sum + each.file.size, 0));
    }
    done += file.size;
  }
  waiting.length = 0;
  work.show(false);
  count();
  await asking;
  document.documentElement.dataset.checked = sheets.length;
}

whenChosen(byId("files"), take);
whenChosen(byId("folder"), take);
byId("for-folder").hidden = !("webkitdirectory" in byId("folder"));

/** The files of what was dropped, at any depth of a folder. */
async function* within(entry, inFolder = false) {
  if (entry.isFile) return yield { name: entry.fullPath.slice(1), inFolder, file: await new Promise((...told) => entry.file(...told)) };
  const reader = entry.createReader();
  for (let some; (some = await new Promise((...told) => reader.readEntries(...told))).length;) {
    for (const each of some) yield* within(each, true);
  }
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  byId("given").classList.add("over");
});
addEventListener("dragleave", () => byId("given").classList.remove("over"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  byId("given").classList.remove("over");
  const dropped = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean);
  for (const entry of dropped) {
    try {
      if (entry instanceof File) take([{ file: entry, name: entry.name }]);
      else for await (const file of within(entry)) take([file]);
    } catch {
      complainOf(entry.name, words.unreadable);
    }
  }
});

// --- what is typed -------------------------------------------------------------------------------------------------

/** What is typed; `completed` is its text where Tab was pressed last. */
const area = byId("typed");

/** Put something in place of what is selected, or of so many characters before it. */
function insert(text, before = 0) {
  area.focus();
  area.setRangeText(text, Math.max(0, area.selectionStart - before), area.selectionEnd, "end");
  area.dispatchEvent(new Event("input"));
}

/** Complete the word before the cursor as far as it is certain, and offer how it can go on. */
async function complete() {
  const before = area.value.slice(0, area.selectionStart);
  const { typed: begun = "", start = "", choices = [] } = await ask({ ask: "complete", text: before, rules: rules() });
  if (area.value.slice(0, area.selectionStart) !== before) return;
  if (start.length > begun.length) insert(start, begun.length);
  const rest = start.length > begun.length ? start : begun;
  area.completed = start.length > begun.length ? null : area.value;
  byId("offers").replaceChildren(...choices.map(({ text, words: said, whole }) => {
    const offer = button("", "", () => {
      insert(whole ? `${text} ` : text, rest.length);
      byId("offers").replaceChildren();
      if (!whole) complete();
    });
    offer.append(make("code", "", text), " ", make("span", "quiet", said));
    return make("li", "", offer);
  }));
}

/** The second Tab in a row goes on to what is offered, and to the rest of the page. */
area.onkeydown = (event) => {
  if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey || !area.value || area.completed === area.value) return;
  event.preventDefault();
  complete();
};
for (const { text, words: said } of data.keys) {
  const key = button("", text.trim() || said, () => insert(text));
  key.setAttribute("aria-label", said);
  byId("letters").append(key);
}
byId("letters").append(button("", words.line, () => insert("\n")), button("", words.complete, complete));
byId("letters").onpointerdown = (event) => event.preventDefault();  // what is typed into keeps the focus
/** Show the keys in place of those that the device would show, or hide them. */
byId("keys").onclick = () => {
  const isOpen = byId("letters").classList.toggle("open");
  byId("keys").setAttribute("aria-expanded", String(isOpen));
  area.inputMode = isOpen ? "none" : "";
  area.focus();
};

const typed = new Sheet(words.typed, { text: "", games: [] }, { editor: area });
byId("broken").append(typed.node);
area.oninput = () => {
  byId("offers").replaceChildren();
  typed.write(area.value);
};
onbeforeunload = (event) => {  // what such a function returns would be a reason to ask, even false
  if (sheets.some(({ state, text }) => !state.isSaved && text)) event.preventDefault();
};
