// One's own mistakes as positions to play again, by taps. What is asked, and what an answer is worth, says Python.

import { ask as question } from "./ask.js";
import { isServed } from "./asked.js";
import { complain, words } from "./parts.js";
import { ask, draw, drawOffers, layTable, state } from "./screen.js";

let number = 0;

/** Ask Python, and show its answer; nothing is tapped meanwhile. */
async function train(asked, meanwhile = words.thinking) {
  document.documentElement.dataset.busy = "1";
  const slowly = setTimeout(() => (state.screen ? ask(meanwhile) : byId("ended").textContent = meanwhile), 400);
  state.reads = true;
  if (state.screen) drawOffers();
  const { fault = "", screen, ended, ...told } = await question({ ask: "train", ...asked });
  clearTimeout(slowly);
  complain(fault);
  [state.isSlow, state.reads] = [false, false];
  if (screen) {
    if (told.number !== number) {
      layTable(screen.rules, {}, screen.side);
      scrollTo(0, 0);
    }
    ({ number } = told);
    state.screen = screen;
    draw();
  }
  byId("desk").hidden = !screen && !fault;
  byId("begin").hidden = Boolean(screen);
  byId("ended").textContent = ended?.join(" ") ?? "";
  Object.assign(document.documentElement.dataset, { busy: "", number });
}

state.tap = (tap) => !state.reads && train({ number, tap });
byId("desk").classList.add("played");

byId("start").onsubmit = (event) => {
  event.preventDefault();
  const given = new FormData(event.target);
  number = 0;
  if (!document.documentElement.dataset.busy) train({ player: given.get("player"), new: Number(given.get("new")) }, words.judging);
};

byId("begin").hidden = false;
const { players = [], fault } = isServed ? await question({ ask: "trained" }) : { fault: words.installed };
byId("player").replaceChildren(...players.map((name) => new Option(name)));
byId("start").hidden = !players.length;
complain(fault ?? (players.length ? "" : words.nobody));
document.documentElement.dataset.players = players.length;
