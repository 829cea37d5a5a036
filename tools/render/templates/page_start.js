// --- the beginning ---------------------------------------------------------------------------------------------

root.classList.add("js");
if (new URLSearchParams(location.search).has("embed")) root.classList.add("embed");
for (const part of all(".bar, .filter")) part.hidden = false;
// On a small screen what comes below the list is folded; the picture stays, as what shows the game at a glance.
for (const part of all("#insight > .part, #votes > .part, #about > .part")) part.open = beside.matches;
addEventListener("beforeprint", () => { for (const part of all(".part")) part.open = true; });
for (const button of all("[data-view-button]")) button.hidden = !canUnpack;
// With their ids the browser would scroll to the lines in the list; who follows an address wants to see the table.
for (const part of all(".turns [id]")) part.removeAttribute("id");
const wanted = opened(location.hash);
if (wanted >= 0) scrollTo({ top: 0, behavior: "instant" });
// A record that breaks off is opened there, as what is wrong is what somebody wants to know.
const broken = location.hash ? null : found().repairs?.closest(".turn");
step = Math.max(0, wanted, Number(broken ? all("[data-step]", broken).pop()?.dataset.step ?? 0 : 0));
const begin = () => {
  draw();
  if (wanted < 0) miss(location.hash);
};
// Whoever is promised other eyes sees nothing through the first ones.
if (waiting) waiting.then(begin);
else begin();
// The pictures of votes are sent compressed; where they can't be had, their words stand there.
if (byId("pictures") && canUnpack) {
  unpack(byId("pictures").textContent).then((drawn) => {
    for (const [number, tree] of all("#votes .tree").entries()) {
      tree.querySelector("ul").className = "sr";
      tree.insertAdjacentHTML("beforeend", drawn[number]);
    }
    if (document.querySelector(".now-tree")) draw();
  });
}
