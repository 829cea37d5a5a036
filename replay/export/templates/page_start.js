// --- the beginning ---------------------------------------------------------------------------------------------

document.documentElement.classList.add("js");
for (const part of all(".views, .bar, .filter")) part.hidden = false;
// With their ids the browser would scroll to the lines in the list; who follows an address wants to see the table.
for (const part of all(".turns [id]")) part.removeAttribute("id");
const wanted = opened(location.hash);
if (wanted >= 0) scrollTo({ top: 0, behavior: "instant" });
step = Math.max(0, wanted);
draw();
// The pictures of votes are sent compressed; where they can't be had, their words stand there.
if (byId("pictures") && window.DecompressionStream) {
  unpack(byId("pictures").textContent).then((drawn) => {
    for (const [number, tree] of all("#votes .tree").entries()) {
      tree.firstElementChild.className = "sr";
      tree.insertAdjacentHTML("beforeend", drawn[number]);
    }
    if (document.querySelector(".now-tree")) draw();
  });
}
if (wanted < 0) miss(location.hash);
