// Takes the place of the service worker of a desk that ran without a server: it empties its caches and unregisters, and
// the pages that it served are loaded anew. The games are not in these caches.

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("tironian-"));
  await Promise.all(names.map((name) => caches.delete(name)));
  await clients.claim();
  await registration.unregister();
  for (const page of await clients.matchAll({ type: "window" })) {
    const address = new URL(page.url);
    address.searchParams.set("renewed", "");  // the same address with a part after # would not be loaded anew
    page.navigate(address).catch(() => {});
  }
})()));
