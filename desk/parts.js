// What the pages of the desk share: their words, elements, sentences with something in them, and files that are chosen
// and saved.

import { formOf, lang } from "./language.js";

export { lang, locale, remember, remembered } from "./language.js";

export const byId = (id) => document.getElementById(id);

/** What the page knows when it begins, and its words; as in `table.js`, its objects have no prototype. */
export const data = JSON.parse(byId("data").textContent, (_, each) => (Object(each) === each && !Array.isArray(each) ? Object.setPrototypeOf(each, null) : each));
export const { words } = data;

/** The address of a page of the desk in this language, with what comes after it. */
export const pageOf = (name, more = "") => data.pages[name] + more;

/** Put words into the places `{}` of a sentence, or into those with their names. */
export const fill = (sentence, ...parts) => parts.reduce((said, part) => (Object(part) === part
  ? said.replace(/{(\w+)}/g, (_, name) => part[name]) : said.replace("{}", () => String(part))), sentence);
/** A sentence about a number of things, whose forms Python has given. */
export const fillNumber = (forms, number, said = number) => fill(formOf(forms, number), said);

/** Make an element with a class and what it holds: texts, elements, or nothing where one is missing. */
export function make(kind, name, ...parts) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  made.append(...parts.filter((part) => part || part === 0));
  if (kind === "button") made.type = "button";
  return made;
}

/** Make a button. */
export function button(name, said, press) {
  const made = make("button", name, said);
  made.onclick = press;
  return made;
}

/** What a list offers: titles by their values. */
export const options = (named) => Object.entries(named).map(([value, title]) => new Option(title, value));

/** Open a page in another tab; where the browser blocks that, say what to do. */
export const openTab = (href) => complain(open(href) ? "" : words.blocked, "tab");

/** What a verdict is called. */
export const verdictOf = (verdict) => words.verdicts[verdict] ?? verdict ?? "";

/** A verdict as a label, which is explained where there are words for it. */
export function drawVerdict(verdict, said = verdictOf(verdict)) {
  const label = make("b", `verdict ${verdict}`, said);
  label.title = words[verdict] ?? "";
  return label;
}

const troubles = {};

/** Say what is wrong at the head of the page, or nothing any more: one kind of trouble that is over leaves the others. */
export function complain(sentence, kind = "") {
  troubles[kind] = sentence;
  const said = Object.values(troubles).filter(Boolean).join("\n");
  // One that somebody has put away stays so, until something else is said.
  for (const place of document.querySelectorAll(".trouble")) if (place.textContent !== said) Object.assign(place, { textContent: said, hidden: !said });
}

/** What to say where the store has failed. */
export const failure = (error, sentence) => (error?.name === "VersionError" ? words.newer_store : sentence);

export const isRecord = (name) => data.suffixes.some((suffix) => name.toLowerCase().endsWith(suffix));

export const missed = new Set();

/** Say which files of a folder are not read though somebody may miss them; pages show what is in records. */
export function tellMissed(names) {
  for (const name of names) {
    if (!isRecord(name) && !/\.html?$/i.test(name) && RegExp(data.missed, "i").test(name.split("/").pop())) missed.add(name);
  }
  complain(missed.size ? fill(words.passed_over, [...missed].slice(0, 10).join(", ") + (missed.size > 10 ? " …" : "")) : "", "missed");
}

/** What to say of a file that is too large for a page. */
export const tooLarge = ({ size }) => (size > data.most.bytes ? fill(words.too_large, data.most.bytes >> 20) : "");

/** Take the files that somebody chooses, each `{ file, name, inFolder }`; in a folder the name is the whole path. */
export function whenChosen(input, take) {
  input.onchange = () => {
    const files = [...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name, inFolder: Boolean(file.webkitRelativePath) }));
    input.value = "";
    take(files);
  };
}

/** A long work, which shows how far it is, and goes on until it is done or somebody stops it. */
export class Work {
  isOn = false;
  isStopped = false;

  /** Begin, or end. */
  show(isOn) {
    Object.assign(this, { isOn, isStopped: false });
    byId("progress").hidden = byId("stop").hidden = !isOn;
    byId("stop").onclick = () => { this.isStopped = true; };
  }

  reach(value, max) { Object.assign(byId("progress"), { max: max || 1, value }); }
}

/** Save a file, a text or bytes, and say under which name. A text may hold bytes that were no UTF-8, as lone surrogates: they go as the bytes that they were. */
export function download(name, text, type = "text/plain") {
  const parts = typeof text !== "string" ? [text] : text.split(/([\udc80-\udcff])/u).map((part, at) => (at % 2 ? new Uint8Array([part.charCodeAt(0) - 0xdc00]) : part));
  const link = make("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  for (const place of document.querySelectorAll(".saved")) place.textContent = fill(words.saved, name);
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The name of a file for a game: who played, and when, by the headers of its record. */
export function fileName(headers, kind) {
  const { Caesar, Cleopatra, Date: date } = headers ?? {};
  const parts = [Caesar, Cleopatra, date].filter((each) => typeof each === "string" && each && !each.includes("?"));
  const name = parts.join("-").toLowerCase().replace(/[^\p{L}\p{M}\p{N}.]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80);
  return `${name || "game"}.${kind}`;
}

/** Say how many games only this browser keeps, and offer them to the folder; then `done`. */
export function offerShelving(place, only, store, done) {
  place.hidden = !only.length;
  place.replaceChildren(fill(words.only_here, only.length), " ", button("", fill(words.shelve, data.folder), async () => {
    const [games, records] = [only.filter(({ start }) => start), only.filter(({ start }) => !start)];
    complain(await store.shelve(games, records).catch(() => words.not_shelved), "folder");
    await done();
  }));
}

/** A name that nothing else has; over plain http a browser makes none itself. */
export const newId = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A journal as it is written to a file. */
export const journalText = (journal) => `${JSON.stringify(journal, null, 1)}\n`;
