// A game against the program, by taps. The game itself stays with Python, and is saved there before anything new is
// shown; the page gets what its side may know.

import { ask as question } from "./ask.js";
import { isServed } from "./asked.js";
import { complain, download, failure, fileName, fill, locale, make, pageOf, remember, remembered, words } from "./parts.js";
import { ask, draw, drawOffers, layTable, state } from "./screen.js";
import { fileId, recordOf, store } from "./store.js";

/** What the last game began with. */
const LAST = "tironian-play";
const address = new URLSearchParams(location.search);
/** The game, how many moves of it were made as far as this page knows, and its record once it is over. */
let [game, made, text] = ["", -1, ""];
let headers = {};

/** Show what Python has answered. */
async function take({ fault, screen, ...told }) {
  complain(fault ?? "");
  [state.isSlow, state.reads] = [false, false];
  if (screen) {
    if (!game) begin(told, screen);
    ({ made, text = "" } = told);
    state.screen = screen;
  }
  if (text) await keep(told.file).catch((error) => complain(failure(error, words.not_read), "store"));
  if (state.screen) draw();
  document.documentElement.dataset.busy = "";
}

/** Have the record of a game that is over in the library: in the folder, where there is one, it is already. */
async function keep(file) {
  let id = file && fileId(file);
  if (!id) {
    const { games: [checked] } = await question({ ask: "check", name: fileName(headers, "tiro"), text });
    const record = await recordOf(checked);
    await store.record(record);
    ({ id } = record);
  }
  byId("to-look").href = pageOf("look", `?record=${encodeURIComponent(id)}`);
}

/** Begin to show a game. */
function begin(told, screen) {
  ({ game, headers } = told);
  history.replaceState(null, "", `?game=${game}`);
  document.getElementById("begin").hidden = true;
  byId("desk").hidden = false;
  byId("desk").classList.add("played");
  layTable(screen.rules, headers, screen.side);
}

/** Ask Python, which may think about it for some seconds; nothing is tapped meanwhile. */
async function play(asked) {
  document.documentElement.dataset.busy = "1";
  const slowly = setTimeout(() => ask(words.thinking), 400);
  state.reads = true;
  if (state.screen) drawOffers();
  await take(await question({ ask: "play", ...asked }));
  clearTimeout(slowly);
}

Object.assign(state, {
  tap: (tap) => !state.reads && play({ game, made, tap }),
  drawn() {
    const { over } = state.screen;
    for (const each of ["save", "to-look"]) byId(each).hidden = !over;
    byId("other").textContent = over ? words.other : words.leave;
    byId(over ? "after" : "saving").prepend(...["to-look", "other", "save"].map(byId));
    document.documentElement.dataset.made = made;
  },
});

byId("save").onclick = () => download(fileName(headers, "tiro"), text);

// --- the beginning -------------------------------------------------------------------------------------------------

/** From which turn of which game it is played on, where a page of a game has led here. */
function origin() {
  if (!address.has("at")) return {};
  const from = sessionStorage.getItem("tironian-desk from") ?? "";
  byId("from").textContent = fill(words.from_turn, address.get("at"));
  byId("from").hidden = false;
  byId("start").elements.view.value = address.get("at").endsWith("E") ? "cleopatra" : "caesar";
  byId("by").hidden = byId("by").disabled = true;
  return { from, at: address.get("at") };
}

async function list() {
  const { games = [], fault } = await question({ ask: "played" });
  byId("begin").hidden = false;
  const from = origin();
  const { elements } = byId("start");
  for (const [name, value] of new URLSearchParams(remembered(LAST) ?? "")) if (elements[name]) elements[name].value = value;
  byId("start").onsubmit = (event) => {
    event.preventDefault();
    remember(LAST, new URLSearchParams(new FormData(event.target)));
    const { level, ...given } = Object.fromEntries(new FormData(event.target));
    const seed = address.has("seed") ? { seed: Number(address.get("seed")) } : {};
    play({ start: { rules: Object.keys(data.rules)[0], ...given, level: Number(level), ...from, ...seed } });
  };
  complain(fault ?? "");
  byId("running").hidden = !games.length;
  byId("running").querySelector("ul").replaceChildren(...games.map(({ game: id, rules, side, level, turn, when }) => {
    const about = fill(words.against, { player: data.called[side], level, turn });
    const link = make("a", "choice", make("b", "", about), make("small", "", `${rules} · ${new Date(when).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" })}`));
    link.href = `?game=${id}`;
    return make("li", "", link);
  }));
  document.documentElement.dataset.games = games.length;
}

if (!isServed) {
  byId("begin").hidden = false;
  byId("start").hidden = true;
  complain(words.installed);
} else await (address.has("game") ? play({ game: address.get("game") }) : list());
