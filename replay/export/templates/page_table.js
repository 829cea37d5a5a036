// --- the table -------------------------------------------------------------------------------------------------

const sides = all(".side");
const board = document.querySelector(".board");

/** Draw the table of the current step; what this step brought is marked, from wherever somebody comes. */
function draw() {
  const [table, old, begun] = shownTables();
  // Marks depend on the step before, so a cell is as it was only where neither has changed.
  const due = cells.filter((cell) => {
    const proved = cell.place.dataset.as === "missions" && (Boolean(trial) || table[cell.key.replace("missions", "prospects")]);
    const drawn = `${wordsOf(cell.key, table)}|${old[cell.key]}|${begun[cell.key]}|${proved}`;
    return drawn !== cell.drawn && ((cell.drawn = drawn), true);
  });
  const seen = sight(due);
  for (const cell of due) {
    const words = wordsOf(cell.key, table);
    const before = old[cell.key];
    lay(cell, words, before, trial ? {} : table, begun[cell.key]);
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

/** Frame the card that was probably written wrong, once it lies there. */
function suspect() {
  for (const card of all(".suspect")) card.classList.remove("suspect");
  const [key, word, address] = found().repairs?.dataset.suspect.split(" ") ?? [];
  if (!address || step < stepAt(address)) return;
  all(`[data-k="${key}"] .card`).findLast((card) => card.textContent === word)?.classList.add("suspect");
}

/** Who won with which sums, where what lies there now is what the vote has left. */
function votedSums() {
  const scene = byId(`vote-${voteAt(step)}`).querySelector(".scene");
  const sign = scene.querySelector(".second .sign").textContent;
  return `${sign} ${sign === "◇" ? "tie" : "won"} ${all(".total", scene).map((sum) => sum.textContent).join(":")}`;
}

/** Whose turn it is now: theirs who did what the step says, or the other's. */
function tellNext(table) {
  const same = data.names[data.turns[step]] === table.turn;
  byId("next").textContent = trial || table.verdict ? "" : `· ${PLAYERS["RE".indexOf(table.turn.slice(-1))]} ${same ? "goes on" : "to move"}`;
}

/** What a cell says; of what is only tried out nothing is proved, and the turn is that in which it is tried. */
function wordsOf(key, table) {
  if (!trial) return key.endsWith(".lead") && key[0] === data.where[step] && !data.votes.includes(step) && voteAt(step) ? votedSums() : table[key];
  return key === "turn" ? trial.turns[trial.at] : key.startsWith("bonus.") ? "" : table[key];
}
