// What goes on beside the taps: clocks that run, a screen that stays awake, and a page that is left.

import { locale, make } from "./parts.js";

/** Keep the screen awake as long as the page is in sight; a browser that can't, or may not, says nothing. */
export function stayAwake() {
  const ask = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}

/** Tell `told` by a tap whenever the page is left or come back to, as long as `told` takes it. */
export function watchLeaving(told) {
  document.addEventListener("visibilitychange", () => told({ tap: document.visibilityState === "visible" ? "back" : "left" }));
}

/** Say when the page was left, and when it was come back to; of a page that was closed only the latter is known. */
export function tellAway(place, away) {
  const time = (at) => (at === null ? "?" : new Date(at).toLocaleTimeString(locale));
  place.hidden = !away.length;
  place.querySelector("ul").replaceChildren(...away.map(({ turn, from, to }) => make("li", "", `${turn} · ${time(from)} – ${time(to)}`)));
}

/** When this page was loaded, by the clock of the system: what has passed since is told by one that nobody sets. */
let loaded = Date.now() - performance.now();
export const now = () => Math.round(loaded + performance.now());
/** Let no time be before one that is known, though the clock of the system has been set back. */
export function goOnFrom(at) { loaded = Math.max(loaded, at - performance.now()); }
/** Whether the clock of the system was set while this page is open; the clocks of a game take no notice. */
export const isSet = () => Math.abs(Date.now() - now()) > 5000;

const two = (number) => String(number).padStart(2, "0");

function inWords(seconds) {
  const whole = Math.floor(Math.max(0, seconds));
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

let ticking = 0;

/** Show clocks as they stood at a time, and let the one that runs go on; nothing where there are none. */
export function showClocks(place, clocks) {
  clearInterval(ticking);
  place.hidden = !clocks;
  if (!clocks) return;
  const show = () => {
    const gone = Math.max(0, now() - clocks.at) / 1000;
    place.textContent = clocks.left.map((left, side) => `${"▲▼"[side]} ${inWords(left - (side === clocks.runs ? gone : 0))}`).join("  ");
  };
  show();
  if (clocks.runs !== null) ticking = setInterval(show, 1000);
}
