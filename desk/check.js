// Records are checked here, and mended. The page knows no rules: files and texts go to Python, whose answers are what
// `tiro check` and `tiro repair` say. Whatever a file says is put into text nodes alone.

import { asker } from "./engine.js";
import { byId, complain, download, fill, make } from "./parts.js";

const data = JSON.parse(document.getElementById("data").textContent);
const { words } = data;
/** Bytes of a file, games of all files, and problems of a game, beyond which the page says that there are more. */
const MOST = { bytes: 1 << 26, games: 5000, problems: 100 };
/** Characters that are shown around a place in a long line. */
const AROUND = 60;

const ask = asker(words);

// --- a text --------------------------------------------------------------------------------------------------------

const sheets = [];

/** A text with its games: one game of a file, or all that is typed. It is checked anew whenever it changes. */
class Sheet {
  /** The texts that it was before. */
  past = [];
  #checking = false;

  constructor(name, games, first, editor = null) {
    Object.assign(this, { name, games, first, editor, isTyped: editor !== null });
    this.text = games.map(({ text }) => text).join("");
    this.number = games[0]?.game ?? 1;
    this.isSaved = true;
    this.found = make("div");
    this.edit = make("div", "edit");
    this.node = make("section", "log panel", this.found, this.edit);
    this.edit.hidden = true;
    sheets.push(this);
    this.draw();
  }

  get isBroken() {
    return this.games.some(({ verdict, diagnostics }) =>
      !["legal", "possible"].includes(verdict) || diagnostics.some(({ severity }) => ["error", "warning"].includes(severity)));
  }

  /** Let the text be another one. The last text wins: one that was changed meanwhile is checked only then. */
  async change(text, isNew = true) {
    if (text === this.text) return;
    if (isNew) this.past.push(this.text);
    this.text = text;
    this.isSaved = false;
    this.drawEdit();
    if (this.#checking) return;
    this.#checking = true;
    for (let seen = null; seen !== this.text;) {
      seen = this.text;
      const { games, fault } = await ask({ ask: "check", name: this.name, text: seen, first: this.first, rules: byId("rules").value });
      if (fault) complain(fault);
      else this.games = games;
    }
    this.#checking = false;
    this.draw();
  }

  draw() {
    const open = [...this.found.children].map((each) => each.open);
    const isFocused = this.found.contains(document.activeElement);
    this.found.replaceChildren(...this.games.map((game, at) => this.drawGame(game, open[at] ?? this.isTyped)));
    this.edit.hidden = !this.found.querySelector("[open]");
    if (isFocused) this.found.querySelector("summary")?.focus();
    this.node.hidden = this.isTyped && !this.text;
    this.drawEdit();
    count();
  }

  drawGame(game, isOpen) {
    const { verdict, title, summary } = game;
    const place = this.games.length > 1 || this.number > 1 ? fill(words.game, this.name, game.game + this.number - this.games[0].game) : this.name;
    const shown = make("details", "", make("summary", "", make("b", `verdict ${verdict}`, verdict), " ", make("bdi", "", place), " ",
      make("span", "quiet", [title, summary].filter(Boolean).join(" · "))));
    const draw = () => {
      if (!shown.open || shown.childElementCount > 1) return;
      const problems = game.diagnostics.slice(0, MOST.problems).map((problem) => drawProblem(problem, game));
      const more = game.diagnostics.length - problems.length;
      shown.append(make("ol", "", ...problems, more > 0 && make("li", "", fill(words.more, more))));
      if (["illegal", "unreadable", "unchecked"].includes(verdict)) shown.append(this.drawRepairs(game));
    };
    shown.ontoggle = () => {
      this.edit.hidden = !this.found.querySelector("[open]");
      this.drawEdit();
      draw();
    };
    shown.open = isOpen;
    draw();
    return shown;
  }

  /** A button for what was probably meant. It is pressed at once where nobody is typing. */
  drawRepairs(game) {
    const [place, button] = [make("div", "meant"), make("button", "", words.meant)];
    button.onclick = async () => {
      button.disabled = true;
      button.textContent = words.searching;
      const said = await ask({ ask: "repair", name: this.name, text: game.text, first: game.line, rules: byId("rules").value });
      if (this.games.includes(game)) place.replaceChildren(...this.repairs(game, said));
    };
    place.append(button);
    if (!document.activeElement.matches("textarea")) button.click();
    return place;
  }

  repairs(game, { repairs = [], found = 0, stopped, fault }) {
    const each = repairs.map((repair) => {
      const button = make("button", "main", words.accept);
      button.setAttribute("aria-label", `${words.accept}: ${repair.words.join("; ")}`);
      button.onclick = () => {
        const text = this.games.map((one) => (one === game ? repair.text : one.text)).join("");
        this.node.scrollIntoView({ block: "nearest" });
        this.change(text);
      };
      return make("li", "", make("p", "", make("b", "", repair.words.join("; "))), drawDifference(repair.difference),
        make("p", "quiet", `${repair.verdict}: ${repair.summary}`), button);
    });
    return [
      make("h2", "", repairs.length ? words.meant : fault ?? words.no_repair),
      stopped && make("p", "quiet", words.given_up),
      repairs[0]?.alike && make("p", "quiet", fill(words.alike, repairs[0].alike + 1)),
      make("ol", "", ...each),
      found > repairs.length && make("p", "quiet", fill(words.more, found - repairs.length)),
    ].filter(Boolean);
  }

  /** What can be done with the text; made when the first of its games is opened. */
  drawEdit() {
    if (this.edit.hidden) return;
    if (!this.undo) {
      this.undo = make("button", "", words.undo);
      this.undo.onclick = () => this.change(this.past.pop(), false);
      const save = make("button", "", words.save);
      save.onclick = () => this.save();
      this.edit.append(make("div", "buttons", this.undo, save));
      if (!this.editor) {
        this.editor = make("textarea");
        this.editor.setAttribute("aria-label", words.change);
        Object.assign(this.editor, { rows: 16, spellcheck: false, autocapitalize: "off" });
        this.edit.append(make("details", "", make("summary", "", words.change), this.editor));
        this.editor.oninput = () => this.change(this.editor.value);
      }
    }
    this.undo.disabled = !this.past.length;
    if (this.editor.value !== this.text && !(document.activeElement === this.editor)) this.editor.value = this.text;
  }

  /** Save the file of this text, with all of its games. */
  save() {
    const whole = sheets.filter(({ name }) => name === this.name);
    download(this.name.split("/").pop().replace(/\.(gz|zst|bz2|xz)$/, ""), whole.map(({ text }) => text).join(""));
    for (const each of whole) each.isSaved = true;
  }
}

// --- what is drawn -------------------------------------------------------------------------------------------------

function drawProblem({ code, severity, message, cite, rule, help, here, labels, turn, ...place }, game) {
  const by = cite && rule ? `${cite} [${rule}]` : cite || rule;
  return make("li", "",
    make("p", "", make("b", severity, `${severity} ${code}`), " ", make("b", "", message)),
    place.file === undefined && place.line !== null && drawLine(place, game, here, ""),
    ...labels.filter(({ file, line }) => file === undefined && line !== null).map((label) => drawLine(label, game, label.text, "other")),
    by && make("p", "quiet", by),
    help && make("p", "", help));
}

/** A line of a game with the underlined word, and what is said of it. Columns count characters, from 1. */
function drawLine({ line, column, end_column }, game, said, name) {
  const text = [...game.text.split(/\r\n|\r|\n/)[line - game.line] ?? ""];
  const [from, to] = [Math.max(0, column - 1 - AROUND), end_column - 1 + AROUND];
  const part = (begin, end) => text.slice(begin, end).join("");
  return make("pre", "", make("span", "quiet", `${line}  ${from ? "…" : ""}`), part(from, column - 1),
    make("mark", name, part(column - 1, Math.min(end_column - 1, to))), part(end_column - 1, to), to < text.length && "…",
    said && make("span", "quiet", `\n${said}`));
}

/** What a repair changes, line by line; without the names of the files. */
function drawDifference(rows) {
  return make("pre", "", ...rows.filter((row) => !/^(---|\+\+\+|@@) /.test(row)).map((row) =>
    make({ "+": "ins", "-": "del" }[row[0]] ?? "span", "", `${row}${/^[+-]/.test(row) ? "" : "\n"}`)));
}

/** Say how many games there are of each verdict. */
function count() {
  const counts = {};
  for (const { verdict } of sheets.filter(({ node }) => !node.hidden).flatMap(({ games }) => games)) counts[verdict] = (counts[verdict] ?? 0) + 1;
  byId("totals").textContent = Object.entries(counts).map(([verdict, number]) => `${number.toLocaleString("en")} ${verdict}`).join(", ");
  const fine = byId("fine").querySelector("div");
  byId("fine").querySelector("b").textContent = fine.childElementCount;
  byId("fine").hidden = !fine.childElementCount;
}

// --- files ---------------------------------------------------------------------------------------------------------

/** Files that wait, and how many bytes are read of all that were given since the last one was done. */
const waiting = [];
let [isWorking, isStopped] = [false, false];
const progress = byId("progress");

/** Check files, each `{ file, name, inFolder }`, one after the other. */
async function take(files) {
  waiting.push(...files);
  if (isWorking) return;
  [isWorking, isStopped] = [true, false];
  let done = 0;
  const show = (isOn) => { progress.hidden = byId("stop").hidden = !isOn; };
  show(true);
  for (let next = waiting.shift(); next && !isStopped; next = waiting.shift()) {
    const { file, name, inFolder } = next;
    if (file.size > MOST.bytes) {
      complainOf(name, fill(words.too_large, MOST.bytes >> 20));
      continue;
    }
    let said = await file.arrayBuffer().then(
      (bytes) => ask({ ask: "check", name, in_folder: inFolder, rules: byId("rules").value }, bytes),
      () => ({ fault: words.not_read }));
    while (!isStopped) {
      if (said.fault) complainOf(name, said.fault);
      for (const game of said.games ?? []) add(game);
      if (!said.more) break;
      if (sheets.length > MOST.games) {
        complainOf(name, fill(words.too_many, MOST.games));
        isStopped = true;
      } else {
        progress.max = done + file.size + waiting.reduce((sum, each) => sum + each.file.size, 0) || 1;
        progress.value = done + said.taken;
        said = await ask({ ask: "more" });
      }
    }
    done += file.size;
  }
  waiting.length = 0;
  isWorking = false;
  show(false);
  document.documentElement.dataset.checked = sheets.length;
}

/** Show a game: those with problems first, the first of them open. */
function add(game) {
  const sheet = new Sheet(game.file, [game], game.line);
  const isFirst = sheet.isBroken && !byId("broken").querySelector("[open]");
  (sheet.isBroken ? byId("broken") : byId("fine").querySelector("div")).append(sheet.node);
  if (isFirst) sheet.found.firstChild.open = true;
  count();
}

/** Say what is wrong with a file of which there are no games. */
const complainOf = (name, sentence) =>
  byId("broken").append(make("p", "log panel", make("bdi", "", name), `: ${sentence}`));

const isRecord = (name) => data.suffixes.some((suffix) => name.toLowerCase().endsWith(suffix));

byId("files").onchange = ({ target }) => {
  take([...target.files].map((file) => ({ file, name: file.name })));
  target.value = "";
};
byId("folder").onchange = ({ target }) => {
  take([...target.files].map((file) => ({ file, name: file.webkitRelativePath, inFolder: true })).filter(({ name }) => isRecord(name)));
  target.value = "";
};
byId("for-folder").hidden = !("webkitdirectory" in byId("folder"));
byId("stop").onclick = () => { isStopped = true; };

/** The files of what was dropped, at any depth of a folder. */
async function* within(entry, inFolder = false) {
  if (entry.isFile) {
    const name = entry.fullPath.slice(1);
    if (!inFolder || isRecord(name)) yield { name, inFolder, file: await new Promise((...told) => entry.file(...told)) };
    return;
  }
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
      complainOf(entry.name, words.not_read);
    }
  }
});

// --- what is typed -------------------------------------------------------------------------------------------------

const typed = new Sheet(words.typed, [], 1, byId("typed"));
byId("broken").append(typed.node);
byId("typed").oninput = () => typed.change(byId("typed").value);
onbeforeunload = (event) => sheets.some(({ isSaved, text }) => !isSaved && text) && event.preventDefault();
