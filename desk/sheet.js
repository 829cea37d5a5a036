// A text with its games, as the page of checking shows it: verdicts, what is wrong, what was probably meant, and where
// the logs disagree of which it was joined. Whatever a file says is put into text nodes alone.

import { ask, askLast } from "./ask.js";
import { button, byId, complain, data, download, drawVerdict, fill, fillNumber, make, openTab, options, pageOf, verdictOf, words } from "./parts.js";
import { recordOf, store } from "./store.js";

/** Problems of a game that are shown, and characters around a place in a long line. */
const [MOST, AROUND] = [100, 60];

export const sheets = [];
export const rules = () => byId("rules").value;
byId("rules").append(...options(data.editions));
/** Whether nothing speaks against a game. */
export const isSound = ({ verdict }) => ["legal", "possible"].includes(verdict);
const isFine = ({ verdict, diagnostics }) => isSound({ verdict }) && !diagnostics.some(({ severity }) => ["error", "warning"].includes(severity));

/** A text with its games: one game of a file, all that is typed, or what was joined. It is checked whenever it changes. */
export class Sheet {
  /** What it was before: each a `state`, that is a `text` with its `games`, and the `join` that it came of. */
  past = [];
  /** What was done to it last, with a button that takes it back. */
  #said = make("span");
  #done = make("p", "done", this.#said, button("", words.undo, async () => {
    await this.change(this.past.pop(), false);
    if (!this.past.length) this.found.querySelector("summary")?.focus();
  }));
  #checking = false;
  /** The games that are drawn, by what they are drawn of. */
  #drawn = new Map();

  constructor(name, state, { first = 1, editor = null, isJoined = false } = {}) {
    Object.assign(this, { name, state, first, editor, isJoined, isTyped: editor !== null });
    state.isSaved = !isJoined;
    this.games = state.games;
    this.number = this.games[0]?.game ?? 1;
    this.found = make("div");
    this.edit = make("div", "edit rows");
    this.node = make("section", "log panel rows", this.#done, this.found, this.edit);
    this.#said.setAttribute("role", "status");
    this.edit.hidden = true;
    sheets.push(this);
    this.draw();
  }

  get text() { return this.state.text; }

  get isBroken() { return !this.games.every(isFine); }

  /** What a game is called. */
  called({ game }) {
    const at = game + this.number - (this.games[0]?.game ?? 1);
    return this.games.length > 1 || this.number > 1 ? fill(words.game, { name: this.name, number: at }) : this.name;
  }

  /** Let it be something else. What comes last counts: a text that was changed meanwhile is checked only then. */
  async change(state, isNew = true) {
    if (isNew) this.past.push(this.state);
    this.state = state;
    this.drawEdit();
    if (this.#checking) return;
    this.#checking = true;
    for (let seen = null; seen !== this.state;) {
      seen = this.state;
      if (!seen.games) {
        const { games, fault } = await ask({ ask: "check", name: this.name, text: seen.text, first: this.first, rules: rules() });
        if (fault) complain(fault);
        seen.games = games;
      }
    }
    this.#checking = false;
    this.games = this.state.games ?? this.games;
    this.draw();
  }

  /** Let the text be another one, where it is, and say what was done. */
  async write(text, said = words.rewritten) {
    if (text !== this.text) await this.change({ text, said });
  }

  /** Check it again where its rules are those that are chosen on the page. */
  recheck() {
    if (this.isJoined || this.games.every(({ headers }) => headers.some(({ name }) => name.toLowerCase() === "rules"))) return;
    this.state.games = null;
    this.change(this.state, false);
  }

  draw() {
    const open = [...this.found.children].map((each) => each.open);
    const isFocused = this.found.contains(document.activeElement);
    const before = this.#drawn;
    this.#drawn = new Map();
    for (const [at, game] of this.games.entries()) {
      const key = JSON.stringify([at, this.games.length, this.state.join?.picks, game]);
      const drawn = before.get(key) ?? { game, node: this.drawGame(game, open[at] ?? this.isTyped) };
      this.#drawn.set(key, drawn);
      this.games[at] = drawn.game;
    }
    this.found.replaceChildren(...[...this.#drawn.values()].map(({ node }) => node));
    this.edit.hidden = !this.opened;
    if (isFocused && !this.found.contains(document.activeElement)) this.found.querySelector("summary")?.focus();
    this.node.hidden = this.isTyped && !this.text;
    this.drawEdit();
    this.node.dispatchEvent(new Event("changed", { bubbles: true }));
  }

  /** The first game that is open. */
  get opened() { return this.games[[...this.found.children].findIndex((each) => each.open)]; }

  drawGame(game, isOpen) {
    const { verdict, title, summary } = game;
    const shown = make("details", "", make("summary", "", drawVerdict(verdict), " ", make("bdi", "", this.called(game)), " ",
      make("span", "quiet", [title, summary].filter(Boolean).join(" · "))));
    const draw = () => {
      if (!shown.open || shown.childElementCount > 1) return;
      const problems = game.diagnostics.filter((problem) => !this.isDisagreement(problem));
      const more = problems.length - MOST;
      shown.append(...this.drawJoin(problems.length > 0), ...verdict === "possible" ? [make("p", "quiet", words.possible)] : [],
        make("ol", "rows", ...problems.slice(0, MOST).map((problem) => this.drawProblem(problem, game)), more > 0 && make("li", "", fillNumber(words.more_problems, more))));
      if (["illegal", "unreadable", "unchecked"].includes(verdict)) shown.append(this.drawRepairs(game));
    };
    shown.ontoggle = () => {
      this.edit.hidden = !this.opened;
      this.drawEdit();
      draw();
    };
    shown.open = isOpen;
    draw();
    return shown;
  }

  /** A button for what was probably meant. It is pressed at once where nobody is typing. */
  drawRepairs(game) {
    const place = make("div", "meant rows", button("", words.meant, async ({ currentTarget: pressed }) => {
      pressed.disabled = true;
      pressed.textContent = words.searching;
      const said = await askLast({ ask: "repair", name: this.name, text: game.text, first: game.line, rules: rules() });
      if (this.games.includes(game)) place.replaceChildren(...this.repairs(game, said));
    }));
    if (!document.activeElement.matches("textarea")) place.firstChild.click();
    return place;
  }

  repairs(game, { repairs = [], stands, found = 0, stopped, fault }) {
    const draw = (label, done) => (way) => {
      const said = way.words.join("; ");
      const accept = button("main", label, async () => {
        await this.write(this.games.map((one) => (one === game ? way.text : one.text)).join(""), fill(done, said));
        this.#done.scrollIntoView({ block: "nearest" });
      });
      accept.setAttribute("aria-label", `${label}: ${said}`);
      return make("li", "", make("p", "", make("b", "", said)), ...(way.notes ?? []).map((note) => make("p", "", fill(words.record_says, note))),
        drawDifference(way.difference), make("p", "quiet", `${verdictOf(way.verdict)}: ${way.summary}`), accept);
    };
    return [
      make("h2", "", repairs.length ? words.meant : fault ?? words.no_repair),
      stopped && make("p", "quiet", words.given_up),
      repairs[0]?.alike && make("p", "quiet", fillNumber(words.alike, repairs[0].alike + 1)),
      make("ol", "rows", ...repairs.map(draw(words.accept, words.accepted))),
      found > repairs.length && make("p", "quiet", fillNumber(words.less_likely, found - repairs.length)),
      stands && make("h2", "", words.or_stands),
      stands && make("ol", "rows", draw(words.stands, words.stood)(stands)),
    ].filter(Boolean);
  }

  /** What can be done with the text; made when the first of its games is opened. */
  drawEdit() {
    const { said, isKept } = this.state;
    this.#done.lastChild.hidden = !this.past.length;
    const done = [said, isKept && words.kept].filter(Boolean).join(" · ");
    if (this.#said.textContent !== done) this.#said.textContent = done;  // what has not changed is not told again
    if (this.edit.hidden) return;
    if (!this.edit.firstChild) {
      const join = button("join", words.join, () => join.dispatchEvent(new CustomEvent("join", { bubbles: true, detail: this })));
      this.edit.append(make("div", "buttons", button("", words.save, () => this.save()), button("", words.keep, () => keep([this])),
        button("", words.look, () => this.look()), join));
      if (!this.editor) {
        this.editor = make("textarea");
        this.editor.setAttribute("aria-label", words.change);
        Object.assign(this.editor, { rows: 16, spellcheck: false, autocapitalize: "off" });
        this.edit.append(make("details", "", make("summary", "", words.change), this.editor));
        this.editor.oninput = () => this.write(this.editor.value);
      }
    }
    if (this.editor.value !== this.text && !(document.activeElement === this.editor)) this.editor.value = this.text;
  }

  /** Keep the game in the library, and look at it in another tab: here nothing is lost. */
  async look() {
    const records = await keep([this]);
    if (records) openTab(pageOf("look", `?record=${records[Math.max(0, this.games.indexOf(this.opened))].id}`));
  }

  /** Save the file of this text, with all of its games. */
  save() {
    const whole = sheets.filter(({ name }) => name === this.name);
    download(this.name.split("/").pop().replace(/\.(gz|zst|bz2|xz)$/, ""), whole.map(({ text }) => text).join(""));
    for (const { state } of whole) state.isSaved = true;
  }

  // --- logs that were joined

  /** Where the logs disagree, side by side: a tap on what one of them says decides. */
  drawJoin(isMore) {
    const { join } = this.state;
    if (!join) return this.past.some((state) => state.join) ? [make("p", "quiet", words.changed)] : [];
    return [
      join.stopped && make("p", "quiet", words.join_given_up),
      join.disagreements.length > 0 && make("h2", "", words.disagree),
      ...join.disagreements.map(({ name, said }) => {
        const pair = make("div", "pair", ...said.map((one) => this.drawSaid(name, one)));
        pair.setAttribute("role", "group");
        pair.setAttribute("aria-label", name);
        return make("div", "versions", make("h3", "", name), pair);
      }),
      !join.disagreements.length && make("h2", "", words.agree),
      join.disagreements.length > 0 && isMore && make("h2", "", words.assumed),
    ].filter(Boolean);
  }

  drawSaid(name, { who, number, text, places, taken, allowed }) {
    const parts = [];
    let at = 0;
    for (const [start, end] of places) {
      parts.push(...[text.slice(at, start), make("mark", "", text.slice(start, end))].filter(Boolean));
      at = end;
    }
    const law = allowed === null ? "" : allowed ? words.allowed : words.forbidden;
    const chosen = button("said rows", "", () => this.pick(name, number));
    chosen.append(make("b", "", who), make("code", "", ...parts, text.slice(at)),
      make("span", "quiet", [taken, law].filter(Boolean).join(" · ")));
    chosen.classList.toggle("forbidden", allowed === false);
    chosen.setAttribute("aria-pressed", String(Boolean(taken)));
    return chosen;
  }

  /** Take what one log says. */
  async pick(name, number) {
    const { logs, picks } = this.state.join;
    const state = await joined(this.name, logs, { ...picks, [name]: number });
    const { who } = this.state.join.disagreements.find((each) => each.name === name).said.find((one) => one.number === number);
    if (state) await this.change({ ...state, said: fill(words.picked, { place: name, who }) });
  }

  /** Whether a problem is shown among what the logs disagree about. */
  isDisagreement({ code, file = this.name, line }) {
    return ["M101", "M206"].includes(code)
      && this.state.join?.disagreements.some(({ said }) => said.some((one) => one.file === file && one.line === line));
  }

  // --- what is wrong

  drawProblem({ code, severity, message, cite, rule, help, here, labels, ...place }, game) {
    const by = cite && rule ? `${cite} [${rule}]` : cite || rule;
    const lines = [{ ...place, text: here }, ...labels].map((one, at) => this.drawPlace(one, game, at ? "other" : ""));
    return make("li", "", make("p", "", make("b", severity, `${words.severities[severity]} ${code}`), " ", make("b", "", message)), ...lines,
      by && make("p", "quiet", by), help && make("p", "", help),
      help.includes("--rules") ? make("p", "quiet", words.rules_here) : help.includes("tiro ") && make("p", "quiet", words.command));
  }

  /** A line with the underlined word, and what is said of it. Of other files only those of joined logs are known. */
  drawPlace({ file, line, column, end_column, text: said }, game, name) {
    const log = file === undefined ? { text: game.text, first: game.line } : this.state.join?.logs.find((each) => each.name === file);
    if (!log || line === null) return null;
    const text = [...log.text.split(/\r\n|\r|\n/)[line - log.first] ?? ""];  // columns count characters, from 1
    const [from, to] = [Math.max(0, column - 1 - AROUND), end_column - 1 + AROUND];
    const part = (begin, end) => text.slice(begin, end).join("");
    return make("pre", "", make("span", "quiet", file && make("bdi", "", `${file}\n`), `${line}  ${from ? "…" : ""}`), part(from, column - 1),
      make("mark", name, part(column - 1, Math.min(end_column - 1, to))), part(end_column - 1, to), to < text.length && "…",
      said && make("span", "quiet", `\n${said}`));
  }
}

/** Keep games of sheets in the library, each as it is now: what was kept before is another record. Return the records. */
export async function keep(some, isWanted = () => true) {
  const states = some.filter(({ games, state }) => games === state.games && games.every(isWanted)).map(({ state }) => state);
  try {
    const found = await Promise.all(some.flatMap(({ games }) => games).filter(isWanted).map(recordOf));
    const records = found.map((record) => ({ ...record, rules: rules() }));
    await store.record(...records);
    for (const state of states) Object.assign(state, { isSaved: true, isKept: true });
    for (const sheet of some) sheet.drawEdit();
    return records;
  } catch {
    return void complain(words.not_kept);
  }
}

/** What logs come to, joined; nothing where that can't be, and the page says why. */
export async function joined(name, logs, picks = {}) {
  const { fault, games, ...join } = await ask({ ask: "join", name, logs, picks });
  if (fault) return void complain(fault);
  return { text: games[0].text, games, join: { logs, picks, ...join } };
}

/** What a repair changes, line by line; without the names of the files. */
function drawDifference(rows) {
  return make("pre", "", ...rows.filter((row) => !/^(---|\+\+\+|@@) /.test(row)).map((row) =>
    make({ "+": "ins", "-": "del" }[row[0]] ?? "span", "", `${row}${/^[+-]/.test(row) ? "" : "\n"}`)));
}
