// --- the table -------------------------------------------------------------------------------------------------

const sides = all(".side");
const board = document.querySelector(".board");

/** Draw the table of the current step; what this step brought is marked, from wherever somebody comes. */
function draw() {
  const [table, old, begun] = shownTables();
  voted = !trial && !data.votes.includes(step) && voteAt(step) ? data.where[step] : "";
  // Marks depend on the step before, so a cell is as it was only where neither has changed.
  const due = cells.filter((cell) => {
    const proved = cell.place.dataset.as === "missions" && (Boolean(trial) || table[cell.key.replace("missions", "prospects")]);
    const drawn = `${wordsOf(cell.key, table, old)}|${old[cell.key]}|${begun[cell.key]}|${proved}|${isVoted(cell.key)}`;
    return drawn !== cell.drawn && ((cell.drawn = drawn), true);
  });
  const seen = sight(due);
  for (const cell of due) {
    const words = wordsOf(cell.key, table, old);
    const before = old[cell.key];
    lay(cell, words, before, trial ? {} : table, begun[cell.key]);
    if (isVoted(cell.key) && !table.verdict && cell.place.dataset.as === "cards") layGone(cell.place, words, before);
  }
  for (const [number, side] of sides.entries()) side.classList.toggle("to-play", !table.verdict && (trial?.sides[trial.at] ?? "RE".indexOf(table.turn.slice(-1))) === number);
  lead(table, trial ? "" : data.where[step]);
  board.classList.toggle("ended", Boolean(table.verdict));
  for (const part of all(".over")) part.hidden = !table.verdict;
  for (const part of all(".scored")) part.hidden = !table.ended;
  for (const part of all(".whose")) part.hidden = Boolean(table.verdict);
  tell();
  tellNext(table);
  point();
  suspect();
  // What asks where things lie now waits for the next picture: asked at once the browser would lay out all of it twice.
  cancelAnimationFrame(nextFrame);
  nextFrame = requestAnimationFrame(() => {
    if (seen) move(seen, due);
    scrollPicture();
    keepInSight();
  });
}

let nextFrame = 0;
/** The group at which this step ends a vote: there stands what the vote was held with. */
let voted = "";
const isVoted = (key) => Boolean(voted) && key.startsWith(`${voted}.`);

/** Frame the card that was probably written wrong, once it lies there. */
function suspect() {
  for (const card of all(".suspect")) card.classList.remove("suspect");
  const [key, word, address] = found().repairs?.dataset.suspect.split(" ") ?? [];
  if (!address || step < stepAt(address)) return;
  all(`[data-k="${key}"] .card`).findLast((card) => card.textContent === word)?.classList.add("suspect");
}

/** Lay what a vote took away beside what is left, faded. */
function layGone(place, words, before) {
  const there = listed(words);
  for (const word of listed(before)) {
    if (taken(there, word) || taken(there, `(${word})`)) continue;
    const card = thing("card gone", symbol(sideOf(place) + data.symbols[word], 44, 62), word, say("gone", { card: NAMES[word] ?? word }));
    place.append(...(place.childNodes.length ? [" "] : []), card);
  }
}

/** How the vote came out, which was held with the sums of a table. */
function votedWords(table) {
  const sign = byId(`vote-${voteAt(step)}`).querySelector(".second .sign").textContent;
  if (sign === "◇") return `${sign} ${say("tie")}`;
  const [rome, egypt] = [0, 1].map((side) => Number(table[`${voted}.sum.${side}`]));
  return `${sign} ${say((sign === "▲") === (rome > egypt) ? "won" : "lower")}`;
}

/** Whose turn it is now: theirs who did what the step says, or the other's. */
function tellNext(table) {
  const same = data.names[data.turns[step]] === table.turn;
  byId("next").textContent = trial || table.verdict ? "" : `· ${say(same ? "on" : "next", { player: data.players["RE".indexOf(table.turn.slice(-1))] })}`;
  byId("said").classList.toggle("long", byId("said").textContent.length > (beside.matches ? 190 : 150));
}

/** What a cell says; of what is only tried out nothing is proved, and the turn is that in which it is tried. */
function wordsOf(key, table, old) {
  if (trial) return key === "turn" ? trial.turns[trial.at] : key.startsWith("bonus.") ? "" : table[key];
  if (!isVoted(key)) return table[key];
  return key.endsWith(".lead") ? votedWords(old) : key.includes(".sum.") ? old[key] : table[key];
}
