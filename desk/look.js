// A game is looked at here: its page, as Python makes it, is shown in a frame. There the policies of both pages hold, by
// which no script runs but that which every page of a game has.

import { ask } from "./ask.js";
import { byId, complain, data, download, failure, fileName, make, options, pageOf, words } from "./parts.js";
import { store } from "./store.js";

const place = new URLSearchParams(location.search);
/** The text of the game, its rules where it names none, and what Python has answered last: its page, its record and its sheet for some eyes. */
let [text, rules, seen] = ["", "", null];

/** The text of the game of this address: recorded by taps, kept in the library, or handed over by another page. */
async function textOf() {
  if (place.has("game")) {
    const journal = await store.journal(place.get("game"));
    return journal ? ask({ ask: "record", journal }) : { fault: words.gone };
  }
  return await (place.has("record") ? store.records(place.get("record")) : { text: sessionStorage.getItem("tironian-desk shown") }) ?? {};
}

/** Show the game as some eyes have seen it. */
async function show(view) {
  const { fault, ...answer } = await ask({ ask: "look", text, view, rules });
  byId("waiting").hidden = true;
  if (view !== byId("eyes").value) return;
  if (fault) return complain(fault);
  byId("unruled").hidden = Boolean(answer.page);
  if (!answer.page) return;
  seen = answer;
  byId("eyes").replaceChildren(byId("eyes").options[0], ...options(data.views).filter(({ value }) => answer.views.includes(value)));
  byId("eyes").value = view;
  for (const part of [byId("eyes"), byId("more")]) part.disabled = false;
  const frame = make("iframe");
  frame.title = words.title;
  frame.src = URL.createObjectURL(file());
  frame.onload = () => { document.documentElement.dataset.shown = view || "all"; };
  const before = byId("game").firstChild;
  if (before) URL.revokeObjectURL(before.src);  // not at once: links within the page ask for its address again
  byId("game").replaceChildren(frame);
  byId("score").querySelector("pre").textContent = answer.sheet.join("\n");
}

/** The headers of the record, as far as they name a file. */
const headers = () => Object.fromEntries([...seen.record.matchAll(/^\[(Caesar|Cleopatra|Date) "([^"\\]*)"\]/gm)].map(([, name, value]) => [name, value]));
const file = () => new File([seen.page], fileName(headers(), "html"), { type: "text/html" });

byId("eyes").onchange = () => show(byId("eyes").value);
/** What a record does not say is kept with it, and asked once. */
byId("rules").append(...options(data.editions));
byId("rules").onchange = async () => {
  rules = byId("rules").value;
  const record = await store.records(place.get("record") ?? "").catch(() => null);
  if (record) store.record({ ...record, rules }).catch((error) => complain(failure(error, words.not_read), "store"));
  await show("");
};
byId("more").onclick = () => byId("menu").showModal();
byId("save-page").onclick = () => download(fileName(headers(), "html"), seen.page, "text/html");
byId("save").onclick = () => download(fileName(headers(), "tiro"), seen.record);
byId("share").onclick = () => {
  const shared = { files: [file()], title: file().name };
  if (!navigator.canShare?.(shared)) return byId("save-page").click();
  navigator.share(shared).catch(() => {});
};
/** Play on against the program from the turn that the page of the game shows. */
byId("play-on").onclick = () => {
  const [at] = byId("game").firstChild.contentDocument.getElementById("place").textContent.split(".");
  sessionStorage.setItem("tironian-desk from", text);
  location.assign(pageOf("play", `?at=${encodeURIComponent(at)}`));
};
byId("to-sheet").onclick = () => {
  byId("menu").close();
  byId("score").showModal();
};
byId("print").onclick = () => print();

if (place.has("game") && !place.has("from")) byId("back").href = pageOf("desk", `?game=${encodeURIComponent(place.get("game"))}`);
// Where another page has opened this one in a tab of its own, the way back is to close it: there all is as it was.
byId("back").onclick = (event) => {
  if (!opener || opener.closed) return;
  event.preventDefault();
  close();
};
const { fault, ...found } = await textOf().catch((error) => ({ fault: failure(error, words.not_read) }));
({ text = "", rules = "" } = found);
if (text) await show("");
else {
  byId("waiting").hidden = true;
  complain(fault ?? words.gone);
}
