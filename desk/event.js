// The folder of an event: its files go to Python, which says what `tiro event` says. Nothing in the folder is changed.

import { ask } from "./ask.js";
import { Work, byId, complain, data, isRecord, make, missed, openTab, pageOf, tellMissed, verdictOf, whenChosen, words } from "./parts.js";

/** Files of a folder, and files that are read before what has come is looked through. */
const MOST = { files: 2000, some: 4 };
const work = new Work();
/** What belongs to an event: its file, its journal of changes, and records but for those that were kept as they were. */
const belongs = (name) => ["event.toml", "originals/journal.jsonl"].includes(name)
  || (!name.startsWith("originals/") && isRecord(name));

whenChosen(byId("folder"), async (chosen) => {
  const [called] = chosen[0].name.split("/");
  const files = chosen.map(({ file, name }) => ({ file, name: name.slice(called.length + 1) })).filter(({ name }) => belongs(name));
  byId("told").hidden = true;
  complain("", "left out");
  missed.clear();
  tellMissed(chosen.map(({ name }) => name));
  if (files.length > MOST.files || files.reduce((sum, { file }) => sum + file.size, 0) > data.most.bytes) return complain(words.too_large);
  work.show(true);
  const fault = await read(called, files).catch(() => words.not_read);
  work.show(false);
  complain(fault);
  document.documentElement.dataset.told = called;
});

/** Let Python read the files, the event's own first, unless that is stopped; return what is wrong. */
async function read(called, files) {
  files.sort((one, other) => (other.name === "event.toml") - (one.name === "event.toml") || (one.name < other.name ? -1 : 1));
  let { fault } = await ask({ ask: "event", name: called });
  for (let at = 0; at < files.length && !fault; at += 1) {
    const { file, name } = files[at];
    ({ fault } = await ask({ ask: "event file", name }, await file.arrayBuffer()));
    work.reach(at, files.length);
    if (work.isStopped) return words.stopped_here;
    if (!fault && at % MOST.some === MOST.some - 1) ({ fault } = await ask({ ask: "event told" }));
  }
  if (fault) return fault;
  const told = await ask({ ask: "event told" });
  if (!told.fault) show(told);
  complain(told.left_out?.join("\n"), "left out");
  return told.fault ?? "";
}

function show({ event, count, to_do: toDo, pairings, standings, verdicts }) {
  byId("said").textContent = `${event.event} · ${count}`;
  const records = (places) => places.filter((place) => verdicts[place]).map((place) => record(place, verdicts[place]));
  byId("to-do").replaceChildren(...toDo.map(({ lines, places }) =>
    make("li", "panel", make("p", "", make("b", "", lines[0]), `\n${lines.slice(1).map((each) => each.trim()).join("\n")}`), ...records(places))));
  byId("games").replaceChildren(...event.games.map(({ winner, points, forfeit, kind, places, left_out: why }, at) => {
    const came = winner ? [words[winner], points?.join("–"), forfeit && words.forfeit].filter(Boolean).join(", ") : why ?? words[kind] ?? "";
    return make("li", "panel", make("p", "", make("b", "", pairings[at]), `\n${came}`), ...records(places));
  }));
  const [heads, ...rows] = standings;
  byId("standings").replaceChildren(
    make("thead", "", make("tr", "", ...heads.map((each) => make("th", "", each)))),
    make("tbody", "", ...rows.map((row) => make("tr", "", ...row.map((each) => make("td", "", each))))));
  byId("told").hidden = false;
}

/** A record, which is looked at in another tab, so that the folder stays open here. */
function record(place, verdict) {
  const link = make("a", "button", make("bdi", "", place), "\u00a0", `· ${verdictOf(verdict)}`);
  link.href = pageOf("look", "?given");
  link.target = "_blank";
  link.rel = "opener";  // it takes what this page hands over
  link.onclick = async (event) => {
    event.preventDefault();
    const { text, fault } = await ask({ ask: "event text", name: place });
    if (fault) return complain(fault);
    sessionStorage.setItem("tironian-desk shown", text);
    openTab(link.href);
  };
  return link;
}
