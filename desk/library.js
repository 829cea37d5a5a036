// What is kept on this device, to be searched, looked at, gone on with, saved and deleted. What a game comes to is told
// by Python, as in the other pages; whatever a record says is put into text nodes alone.

import { ask, gamesOf, moreOf } from "./ask.js";
import { button, byId, complain, data, download, drawVerdict, failure, fileName, fill, journalText, lang, locale, make, offerShelving, pageOf, tooLarge, verdictOf, whenChosen, words } from "./parts.js";
import { fileId, isJournal, named as namedHeaders, recordOf, store } from "./store.js";

/** What is shown, the newest first: `{ id, headers, when, told, text, journal }`; `text` is what is searched. */
let shelf = [];

/** All that is kept; what is in the folder comes file by file. */
async function read() {
  const [games, records] = [await store.games(), await store.records()];
  const before = new Map(shelf.map((each) => [each.id, each]));
  const put = (...more) => {
    shelf = [...shelf, ...more].sort((one, other) => other.when - one.when);
    draw();
  };
  shelf = [];
  put(...games.map(({ id, start, begun, file }) => ({
    id, isGame: true, when: begun, headers: { ...start.headers, Rules: start.rules }, text: JSON.stringify(start), told: "", ...before.get(id), file,
  })), ...records.map((each) => ({ ...each, told: each.summary })));
  offerShelving(byId("only-here"), data.folder ? [...games.filter(({ isOnlyHere }) => isOnlyHere), ...records] : [], store, doing);
  const faults = new Set();
  for await (const { games: found = [], fault } of data.folder ? moreOf({ ask: "folder" }) : []) {
    put(...found.flatMap((game) => {
      const own = shelf.find(({ id, file }) => id === game.game && file === game.file);
      const told = { headers: namedHeaders(game.headers), verdict: game.verdict, told: game.summary, text: `${game.file} ${game.text}` };
      if (own) Object.assign(own, told);
      return own ? [] : [{ ...told, id: fileId(game.file, game.place), file: game.file, when: game.when }];
    }));
    if (waiting) break;  // all of it is read again
    if (fault) complain([...faults.add(fault)].join("\n"), "folder");
  }
}

function draw() {
  const wanted = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = shelf.filter(({ text, verdict, told, when }) => {
    const said = `${text} ${verdictOf(verdict)} ${told} ${new Date(when).toLocaleString(locale)}`.toLowerCase();
    return wanted.every((word) => said.includes(word));
  });
  byId("games").replaceChildren(...found.map(line));
  byId("save-all").disabled = !shelf.length;
  if (!shelf.length) byId("games").append(make("li", "", words.empty));
  document.documentElement.dataset.games = found.length;
}

/** Whether a header says something. */
const isKnown = (value) => /[^?.]/.test(value ?? "");
const named = ({ headers }) => [headers.Caesar, headers.Cleopatra].filter(isKnown).join(" – ") || words.unnamed;

/** When a game was played, as people here write it; a date that is known in part as it is. */
const day = (date, when) => (/^\d{4}(\.\d\d){2}$/.test(date) ? new Date(date.replaceAll(".", "-")) : isKnown(date) ? date : new Date(when)).toLocaleString(locale, { dateStyle: "medium", timeZone: "UTC" });

function line(each) {
  const { id, headers, when, verdict, told, isGame, file } = each;
  const isOver = isKnown((headers.Result ?? "").replace("*", ""));
  const number = (name, said) => (isKnown(headers[name]) ? fill(said, headers[name]) : "");
  const about = [headers.Event, number("Round", words.round), number("Table", words.table), day(headers.Date ?? "", when), headers.Rules].filter(isKnown).join(" · ");
  const link = make("a", "", make("b", "", make("bdi", "", named(each))), make("small", "", make("bdi", "", about)), (verdict || told) && make("small", "", verdict && (isOver || verdict !== "possible") && drawVerdict(verdict), " ", told));
  link.title = file ?? "";
  link.href = pageOf("look", `?${isGame ? "from=library&game" : "record"}=${encodeURIComponent(id)}`);
  const deeds = make("div", "buttons");
  const isAlone = file?.endsWith(".tiro") && shelf.filter((other) => other.file === file).length === 1;
  if (isGame || (isAlone && !isOver)) {
    const on = make("a", "button", isOver ? words.open : words.go_on);
    on.href = pageOf("desk", `?${isGame ? `game=${encodeURIComponent(id)}` : `file=${encodeURIComponent(file)}`}`);
    deeds.append(on);
  }
  if (file) return make("li", "panel", link, deeds);
  const gone = button("", words.delete, () => remove(each));
  gone.setAttribute("aria-label", `${words.delete}: ${named(each)}`);
  deeds.append(gone);
  return make("li", "panel", link, deeds);
}

/** Say what was done, with a button that undoes it where there is one. */
const say = (sentence, ...more) => byId("said").replaceChildren(make("bdi", "", sentence), ...more);

/** What is done one after the other, and how much of it waits: Python reads one file at a time. */
let done = Promise.resolve();
let waiting = 0;

/** Do something with the store; what fails is said, and nothing is thought to be done. */
function doing(deed = () => {}) {
  waiting += 1;
  done = done.then(async () => {
    waiting -= 1;
    try {
      await deed();
      await read();
    } catch (error) {
      complain(failure(error, words.not_kept));
    }
  });
  return done;
}

/** Delete a game, unless a tab has it open. All of it stays in this page, and can be put back. */
async function remove(each) {
  await doing(() => navigator.locks.request(`tironian-desk ${each.id}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return say(words.in_use);
    const back = await store.delete(each.id);
    const undo = button("", words.undo, () => doing(async () => {
      await back();
      say(fill(words.put_back, named(each)));
    }));
    say(fill(words.deleted, named(each)), " ", undo);
    undo.focus();
  }));
}

// --- added and saved -----------------------------------------------------------------------------------------------

whenChosen(byId("files"), (files) => doing(async () => {
    const [known, kept, records, journals, faults] = [new Set(), [], [], [], []];
    for (const { file, name } of files) {
      const fault = await readFile(file, records, journals).catch(() => words.unreadable);
      if (fault) faults.push(`${name}: ${fault}`);
    }
    for (const { id, isGame, file } of shelf) if (isGame || !file) known.add(isGame ? JSON.stringify(await store.journal(id)) : id);
    const add = async (mark, keep) => {
      if (known.has(mark)) return;
      await keep();
      known.add(mark);
      kept.push(mark);
    };
    for (const record of records) await add(record.id, () => store.record(record));
    for (const journal of journals) await add(JSON.stringify(journal), () => store.keep(crypto.randomUUID(), journal, 0));
    if (data.folder) await store.shelve((await store.games()).filter(({ isOnlyHere }) => isOnlyHere), []);
    say(fill(words.added, { added: kept.length, known: records.length + journals.length - kept.length }));
    complain(faults.join("\n"));
}));

/** Read the records and journals of a file; return what is wrong with it. */
async function readFile(file, records, journals) {
  if (tooLarge(file)) return tooLarge(file);
  const before = records.length + journals.length;
  let wrong = "";
  if (file.name.endsWith(".json")) {
    journals.push(...[JSON.parse(await file.text())].filter(isJournal));
  } else {
    const inZip = await ask({ ask: "journals" }, await file.arrayBuffer());
    journals.push(...(inZip.journals ?? []).filter(isJournal));
    wrong = inZip.fault;
    for await (const { games = [], fault } of gamesOf(file, { name: file.name })) {
      for (const game of games) if (game.text?.trim()) records.push(await recordOf(game));
      wrong = fault ?? wrong;
    }
  }
  return wrong || (records.length + journals.length > before ? "" : words.unreadable);
}

byId("save-all").hidden = Boolean(data.folder);
if (data.folder) byId("said").textContent = fill(words.in_folder, data.folder);
byId("save-all").onclick = async () => {
  const files = [];
  for (const { id, headers, isGame, text } of shelf) {
    files.push(isGame ? [fileName(headers, "desk.json"), journalText(await store.journal(id))] : [fileName(headers, "tiro"), text]);
  }
  const { zip, fault } = await ask({ ask: "zip" }, new TextEncoder().encode(JSON.stringify(files)).buffer);
  if (fault) return complain(fault);
  const name = `tironian-${new Date().toLocaleDateString("sv")}.zip`;
  download(name, Uint8Array.from(atob(zip), (char) => char.charCodeAt(0)), "application/zip");
};

byId("search").oninput = draw;

await doing();
// What came of the games that were recorded here is told one after the other, the newest first.
for (const each of [...shelf]) {
  if (each.isGame ? each.verdict : each.file || (each.lang ?? "en") === lang) continue;
  const journal = each.isGame && await store.journal(each.id).catch(() => null);
  const asked = journal ? { ask: "record", journal } : { ask: "check", name: each.id, text: each.text, rules: each.rules };
  const { games: [game] = [], text, fault } = journal || !each.isGame ? await ask(asked) : {};
  if (game) each.headers = namedHeaders(game.headers);
  Object.assign(each, { verdict: game?.verdict, told: fault ?? game?.summary ?? "", ...text && { text: `${each.text} ${text}` } });
  draw();
}
document.documentElement.dataset.told = "";
