// --- the game as a show: played by itself, cards that move, and what is passed on --------------------------------

const SPEEDS = [0.5, 1, 2, 4];
const PAUSE = 1600;
let speed = 1;
let playing = 0;

/** Step on by itself, or stop; the cards of a vote lie there longer. */
function play(on) {
  clearTimeout(playing);
  playing = on ? setTimeout(playOn, playing ? (PAUSE * (data.votes.includes(step) ? 2 : 1)) / SPEEDS[speed] : 0) : 0;
  byId("play").textContent = on ? "❚❚" : "▶";
  byId("play").setAttribute("aria-label", say(on ? "stop" : "play"));
}

function playOn() {
  if (step === LAST) return play(false);
  go(step + 1);
  play(step < LAST);
}

/** Play faster or slower; after the fastest speed comes the slowest. */
function hurry(by) {
  speed = (speed + by + SPEEDS.length) % SPEEDS.length;
  byId("speed").textContent = `${SPEEDS[speed]} ×`;
  byId("speed").setAttribute("aria-label", say("speed", { speed: SPEEDS[speed] }));
}

// --- cards that move -------------------------------------------------------------------------------------------

const still = matchMedia("(prefers-reduced-motion: reduce)");
let last = 0;

/** Where the cards of some cells lie before they are drawn anew; nothing where none is to move. */
function sight(due) {
  const isNext = !trial && step === last + 1 && !still.matches && root.classList.contains("js");
  last = step;
  if (!isNext) return null;
  return due.filter(({ place }) => place.dataset.as === "cards").flatMap(({ key, place }) => all(".card", place)
    .map((card) => ({ key, side: key.slice(-1), word: card.textContent, box: card.getBoundingClientRect() })));
}

/** Let cards come from where they lay: from a hand, a group or a pile; let those that were turned up turn. */
function move(seen, due) {
  const gone = seen.filter(({ key, word }) => !cells.find((cell) => cell.key === key).place.textContent.split(" ").includes(word));
  for (const { key, place } of due) {
    for (const card of all(".card.new, .copies.new", place)) {
      const side = key.slice(-1);
      const word = card.textContent.replace(/×.*/, "");
      const bare = word.replace(/[()]/g, "");
      const turned = gone.find((each) => each.key === key && each.word === `(${bare})`);
      if (turned) { card.animate([{ transform: "scaleX(0)" }, { transform: "none" }], 300 / SPEEDS[speed]); continue; }
      const from = gone.find((each) => each.side === side && each.key !== key && (each.word.replace(/[()]/g, "") === bare || "ia".includes(each.word)));
      if (from) gone.splice(gone.indexOf(from), 1);
      const pile = document.querySelector(`[data-k="${/[1-5pi?]/.test(bare) ? "influence" : "action"}.${side}"]`).parentElement;
      const start = from?.box ?? (key.startsWith("hand") ? pile.getBoundingClientRect() : null);
      const end = card.getBoundingClientRect();
      if (!start || !end.width) continue;
      const way = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
      card.animate([{ transform: way, zIndex: 2 }, { transform: "none", zIndex: 2 }], { duration: 450 / SPEEDS[speed], easing: "ease-out" });
    }
  }
}

// --- swiping ---------------------------------------------------------------------------------------------------

let touched = null;
board.addEventListener("touchstart", ({ touches: [one, more] }) => { touched = more ? null : one; }, { passive: true });
board.addEventListener("touchend", ({ changedTouches: [one] }) => {
  if (!touched) return;
  const [x, y] = [one.clientX - touched.clientX, one.clientY - touched.clientY];
  if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) take(x < 0 ? "on" : "back");
});

// --- what is passed on -----------------------------------------------------------------------------------------

/** The link to what is shown, how to embed it, and what can be saved. */
function share() {
  const link = `${location.href.split("#")[0]}#${address()}`;
  byId("link").value = link;
  byId("frame").value = `<iframe src="${link}${link.includes("?", link.indexOf("#")) ? "&" : "?"}embed" width="900" height="700" title="${document.title.replaceAll('"', "&quot;")}"></iframe>`;
  // A page that is shown by another program has no address to be passed on.
  for (const each of ["link", "frame"]) byId(each).parentElement.hidden = location.protocol === "blob:";
  document.querySelector("[data-save=tiro]").hidden = !data.views[view].record;
  byId("share").showModal();
}

function copy() {
  byId("link").select();
  navigator.clipboard?.writeText(byId("link").value);
}

/** Save the record as the current eyes see it, or the table as a picture. */
async function save(kind) {
  const name = `${document.title.replace(/[^\p{L}\d]+/gu, "-")}-${byId("place").textContent}`;
  if (kind === "tiro") return offerFile(new Blob([data.views[view].record], { type: "text/plain" }), `${name}.tiro`);
  const drawn = picture();
  if (kind === "svg") return offerFile(new Blob([drawn], { type: "image/svg+xml" }), `${name}.svg`);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => offerFile(blob, `${name}.png`));
}

function offerFile(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** The table as it is seen now as a picture: its boxes, symbols and words, where the browser has put them. */
function picture() {
  const { left, top, width, height } = board.getBoundingClientRect();
  const parts = [`<rect width="${width + 24}" height="${height + 60}" fill="${getComputedStyle(document.body).backgroundColor}"/>`];
  const at = (box) => `x="${(box.left - left + 12).toFixed(1)}" y="${(box.top - top + 48).toFixed(1)}" width="${box.width.toFixed(1)}" height="${box.height.toFixed(1)}"`;
  const words = (text, style, x, y) => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${style.color}" font-size="${style.fontSize}" font-weight="${style.fontWeight}">${escaped(text)}</text>`;
  const style = getComputedStyle(document.querySelector("h1"));
  parts.push(words(`${document.title} · ${byId("place").textContent}`, { color: style.color, fontSize: "16px", fontWeight: 700 }, 12, 20));
  parts.push(words(byId("words").textContent, { color: style.color, fontSize: "13px", fontWeight: 400 }, 12, 38));
  const symbols = new Set();
  for (const node of all("*", board)) {
    if (node.closest("svg") !== (node.tagName === "svg" ? node : null) || !node.checkVisibility({ visibilityProperty: true })) continue;
    const [box, look] = [node.getBoundingClientRect(), getComputedStyle(node)];
    if (look.clipPath !== "none") continue; // words for those who don't see the table
    if (node.tagName === "svg") {
      const use = node.querySelector("use")?.getAttribute("href");
      if (use) parts.push(`<svg ${at(box)} viewBox="${node.getAttribute("viewBox")}"><use href="${use}"/></svg>`);
      if (use) symbols.add(use.slice(1));
      continue;
    }
    const [ground, edge] = [look.backgroundColor, parseFloat(look.borderTopWidth) || parseFloat(look.borderLeftWidth)];
    if (box.width && (edge || !/, 0\)$|transparent/.test(ground))) parts.push(`<rect ${at(box)} rx="${parseFloat(look.borderRadius) || 0}" fill="${ground}" stroke="${edge ? look.borderTopColor : "none"}" stroke-width="${edge}"/>`);
    for (const text of node.childNodes) {
      if (text.nodeType !== 3 || !text.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const line = range.getBoundingClientRect();
      if (line.width > 1) parts.push(words(text.data.trim(), look, line.left - left + 12, line.top - top + 48 + line.height * 0.78));
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width + 24}" height="${height + 60}" font-family="system-ui, sans-serif"><style>${colours()}</style><defs>${document.querySelector(".sheet defs").innerHTML}</defs>${parts.join("")}</svg>`;
}

/** The rules for the symbols, with the colours that hold now. */
function colours() {
  const now = getComputedStyle(root);
  const rules = [...document.styleSheets[0].cssRules].filter((rule) => rule.selectorText?.includes(".sy-"));
  return rules.map((rule) => rule.cssText).join("")
    .replace(/var\((--[\w-]+)\)/g, (_, name) => now.getPropertyValue(name))
    .replace(/light-dark\(([^,]+), ([^)]+)\)/g, (_, day, night) => (isDark() ? night : day));
}
