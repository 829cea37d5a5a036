"use strict";
// The slider above each list of decisions: it hides those that cost less. Without the script all of them are there.
for (const part of document.querySelectorAll(".decisions")) {
  const items = [...part.querySelectorAll("li[data-cost]")];
  const [control, slider] = [part.querySelector(".threshold"), part.querySelector("input")];
  const [least, count] = [part.querySelector("output"), part.querySelector("[role=status]")];
  const show = () => {
    for (const item of items) item.hidden = Number(item.dataset.cost) < Number(slider.value);
    least.textContent = control.dataset.points.split("|")[slider.value];
    const numbers = { shown: items.filter((item) => !item.hidden).length, all: items.length };
    count.textContent = control.dataset.shown.replace(/\{(\w+)\}/g, (_, name) => numbers[name]);
  };
  // Who follows a link to a decision wants to see it.
  const follow = () => {
    const item = items.find((each) => `#${each.id}` === location.hash);
    if (!item) return;
    if (item.hidden) { slider.value = "0"; show(); }
    item.querySelector("details").open = true;
    item.scrollIntoView();
  };
  control.hidden = false;
  slider.addEventListener("input", show);
  addEventListener("hashchange", follow);
  show();
  follow();
}
