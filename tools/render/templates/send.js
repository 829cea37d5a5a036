// The page on which a record is sent in: the answer is what `tiro check` says of it.
"use strict";

/** What is said here, by name. */
const words = JSON.parse(document.getElementById("words").textContent);
const form = document.getElementById("record");
const area = form.querySelector("textarea");
const said = document.getElementById("said");
/** The file that was chosen, and its text: it is sent as it is, unless somebody has changed the text. */
let [chosen, text] = [null, ""];
const headers = { "Content-Type": "text/plain", Accept: "text/plain" };

/** Show an answer as it stands, and go there. */
function show(answer) {
  const lines = document.createElement("pre");
  lines.textContent = answer;
  lines.tabIndex = 0;
  said.replaceChildren(lines);
  said.focus();
}

form.querySelector("input").addEventListener("change", async ({ target }) => {
  [chosen] = target.files;
  area.value = text = await chosen?.text() ?? "";
  target.value = "";
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  said.textContent = words.checking;
  const found = await fetch("/records", { method: "POST", headers, body: area.value === text && chosen ? chosen : area.value }).catch(() => null);
  button.disabled = false;
  show(found ? await found.text() : words.lost);
});
