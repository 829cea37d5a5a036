// Keeps the site for use without a network. SITE, which `tiro desk -o` writes above, has the version and the files. A new
// version is fetched beside the old one and used once no page of the old one is open: never in mid-game.

const CACHE = `tironian-desk ${SITE.version}`;

// Each file is fetched anew: one that the browser still holds may be of another version.
const keep = async () => (await caches.open(CACHE)).addAll(SITE.files.map((name) => new Request(name, { cache: "no-cache" })));

async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith("tironian-desk ") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

const found = async (request) =>
  (await (await caches.open(CACHE)).match(request, { ignoreSearch: true })) ?? fetch(request);

addEventListener("install", (event) => {
  event.waitUntil(keep());
  // What a page is made of comes from the cache without this worker, where the browser can do that: it is there sooner.
  const parts = ["image", "manifest", "script", "style"].map((requestDestination) => ({ requestDestination }));
  event.addRoutes?.({ condition: { or: parts }, source: { cacheName: CACHE } }).catch(() => {});
});
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(found(event.request));
});
