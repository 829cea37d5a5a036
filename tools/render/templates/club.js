"use strict";
// The organiser's pages: they show what the server says, and send what a button asks for.

const STORE = "tiro-club-token";
/** What is said here, by name. */
const words = JSON.parse(document.getElementById("words").textContent);
const state = document.getElementById("state");
const view = document.getElementById("view");
/** Milliseconds between two looks at the event. */
const PAUSE = 5000;

/** The token comes once, in the part of the address that no server sees, and leaves it at once. */
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given) {
  history.replaceState(null, "", location.pathname);
  sessionStorage.setItem(STORE, given);
}
const headers = { "X-Tiro-Token": given ?? sessionStorage.getItem(STORE) ?? "" };

/** How many looks go by until what was said is taken away; none for what is wrong. */
let left = 0;

function tell(text, isBad = false) {
  state.textContent = text;
  state.classList.toggle("bad", isBad);
  left = isBad ? 6 : 2;
}

/** Make a node like another one, and keep what is alike, so that what is typed, open or in focus stays so. */
function become(old, now) {
  if (old.nodeType !== 1) return old.data === now.data || (old.data = now.data);
  for (const { name, value } of now.attributes) if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (name !== "open" && !now.hasAttribute(name)) old.removeAttribute(name);
  const keyed = now.querySelector(":scope > [data-key]");
  const parts = (node) => [...(keyed ? node.children : node.childNodes)];
  const key = (node) => node.dataset?.key ?? "";
  const is = (one, other) => one.nodeName === other.nodeName && key(one) === key(other);
  const due = parts(now);
  for (const each of parts(old)) if (key(each) && !due.some((one) => is(one, each))) each.remove();
  let at = 0;
  for (const each of due) {
    const next = parts(old)[at++] ?? null;
    const same = key(each) ? parts(old).find((one) => is(one, each)) : next && is(next, each) && next;
    if (same !== next || !same) old.insertBefore(same || each, next);
    if (same) become(same, each);
  }
  for (const each of parts(old).slice(at)) each.remove();
  return undefined;
}

let shown = "";
let place = "";
let isAway = false;

/** Show the page as it is now. */
async function look() {
  const name = /^#(view|sheets|file)(\?[a-z]+=\d+)?$/.exec(location.hash);
  const page = name ? name[0].slice(1) : place || "view"; // other places are on the page itself
  const found = await fetch(`/organiser/${page}`, { headers, cache: "no-store" }).catch(() => null);
  const text = found ? await found.text() : words.away;
  for (const each of document.querySelectorAll("nav a")) each.ariaCurrent = each.hash === `#${page.split("?")[0]}` ? "page" : null;
  if (!found?.ok) {
    isAway = true;
    return tell(text, true);
  }
  if (isAway || !shown || (left && !--left)) tell("");
  isAway = false;
  const file = page === place && page === "file" && view.querySelector("textarea");
  place = page;
  if (text !== shown && !(file && file.value !== file.defaultValue)) {
    const now = document.createElement("div");
    now.id = view.id;
    now.innerHTML = shown = text;
    become(view, now);
  }
  return undefined;
}

view.addEventListener("submit", (event) => event.preventDefault());
view.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.print !== undefined) return print();
  if (!button) return;
  const entry = button.closest("[data-key][data-seen]");
  const what = { value: "accept", clear: "result" }[button.dataset.what] ?? button.dataset.what;
  const fields = [...(button.closest("form")?.querySelectorAll("[data-value]") ?? [])];
  const value = fields.map((each) => (what === "edit" ? each.value : each.value.trim())).filter(Boolean).join(" ");
  if (fields.length && !value) return fields[0].focus();
  for (const each of view.querySelectorAll("button")) each.disabled = true;
  const body = JSON.stringify({ what, key: entry.dataset.key, seen: entry.dataset.seen, value });
  const found = await fetch("/organiser/act", { method: "POST", headers, body }).catch(() => null);
  if (found?.ok) for (const each of fields) each.matches("textarea") ? (each.defaultValue = each.value) : (each.value = "");
  if (found?.ok && button.closest("details.result")) button.closest("details").open = false;
  await look();
  for (const each of view.querySelectorAll("button")) each.disabled = false;  // what is being written stays as it is
  if (!found) tell(words.lost, true);
  else if (found.ok) tell(words[what] ?? words.done);
  else tell(await found.text(), true);
  (button.isConnected ? button : state).focus();
  return undefined;
});

view.addEventListener("change", async ({ target }) => {
  const [file] = target.files ?? [];
  if (!file) return;
  const found = await fetch("/organiser/journal", { method: "POST", headers, body: await file.text() }).catch(() => null);
  target.value = "";
  await look();
  if (!found) tell(words.lost, true);
  else tell(found.ok ? words.added : await found.text(), !found.ok);
});

addEventListener("hashchange", look);
look();
setInterval(look, PAUSE);
