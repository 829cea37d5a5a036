"use strict";
// The organiser's page: it shows what the server says, and sends what a button asks for.

const STORE = "tiro-club-token";
const state = document.getElementById("state");
const view = document.getElementById("view");
/** Milliseconds between two looks at the event, while nobody types. */
const PAUSE = 5000;

/** The token comes once, in the part of the address that no server sees, and leaves it at once. */
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given) {
  history.replaceState(null, "", location.pathname);
  sessionStorage.setItem(STORE, given);
}
const headers = { "X-Tiro-Token": given ?? sessionStorage.getItem(STORE) ?? "" };

function tell(words, isBad = false) {
  state.textContent = words;
  state.classList.toggle("bad", isBad);
}

let shown = "";

/** Show the event as it is now; return whether that was possible. */
async function look() {
  const found = await fetch("/organiser/view", { headers, cache: "no-store" }).catch(() => null);
  const text = found ? await found.text() : "The server can’t be reached. This page goes on when it is back.";
  if (!found?.ok) return tell(text, true);
  if (state.textContent && (state.classList.contains("away") || !shown)) tell("");
  if (text !== shown) {
    const open = new Set([...view.querySelectorAll("details[open]")].map((each) => each.closest("[data-key]")?.dataset.key));
    view.innerHTML = shown = text;
    for (const each of view.querySelectorAll("[data-key] details")) each.open = open.has(each.closest("[data-key]").dataset.key);
  }
  return undefined;
}

view.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-what]");
  if (!button) return;
  const entry = button.closest("[data-key]");
  const what = button.dataset.what === "value" ? "accept" : button.dataset.what;
  const value = button.dataset.what === "value" ? entry.querySelector("[data-value]").value.trim() : "";
  if (button.dataset.what === "value" && !value) return entry.querySelector("[data-value]").focus();
  for (const each of view.querySelectorAll("button")) each.disabled = true;
  const body = JSON.stringify({ what, key: entry.dataset.key, seen: entry.dataset.seen, value });
  const found = await fetch("/organiser/act", { method: "POST", headers, body }).catch(() => null);
  shown = "";
  await look();
  if (!found) tell("The server can’t be reached: nothing is known to have been done.", true);
  else if (found.ok) tell({ accept: "Done.", refuse: "It stays as it is.", undo: "Undone.", admit: "Admitted.", revoke: "Revoked." }[what]);
  else tell(await found.text(), true);
  return undefined;
});

look();
setInterval(() => view.contains(document.activeElement) && document.activeElement.matches("input") || look(), PAUSE);
