// What the pages of the desk share: elements, sentences with something in them, and files that are saved.

export const byId = (id) => document.getElementById(id);

/** Put words into the places `{}` of a sentence. */
export const fill = (sentence, ...parts) => parts.reduce((said, part) => said.replace("{}", () => String(part)), sentence);

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

/** A verdict as a label; `words` explain it where they have it. */
export function drawVerdict(verdict, words, said = verdict) {
  const label = make("b", `verdict ${verdict}`, said);
  label.title = words[verdict] ?? "";
  return label;
}

/** Say what is wrong at the head of the page, or nothing any more. */
export function complain(sentence) {
  const place = document.querySelector(".trouble");
  place.textContent = sentence;
  place.hidden = !sentence;
}

/** Save a file, a text or bytes. A text may hold bytes that were no UTF-8, as lone surrogates: they go as the bytes that they were. */
export function download(name, text, type = "text/plain") {
  const parts = typeof text !== "string" ? [text] : text.split(/([\udc80-\udcff])/u).map((part, at) => (at % 2 ? new Uint8Array([part.charCodeAt(0) - 0xdc00]) : part));
  const link = make("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The name of a file for a game: who played, and when, by the headers of its record. */
export function fileName(headers, kind) {
  const { Caesar, Cleopatra, Date: date } = headers ?? {};
  const parts = [Caesar, Cleopatra, date].filter((each) => typeof each === "string" && each && !each.includes("?"));
  const name = parts.join("-").toLowerCase().replace(/[^\p{L}\p{M}\p{N}.]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80);
  return `${name || "game"}.${kind}`;
}

/** A journal as it is written to a file. */
export const journalText = (journal) => `${JSON.stringify(journal, null, 1)}\n`;
