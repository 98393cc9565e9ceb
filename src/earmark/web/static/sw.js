// Keeps the pages themselves, so that a reload without network still opens them. Answers and questions are kept
// by the page (store.js); nothing of the interface under /api/ is kept here.

const NAME = "earmark-pages-1";
const isPage = (url) => url.pathname === "/" || url.pathname.startsWith("/static/") || url.pathname.startsWith("/task/");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("earmark-") && name !== NAME) await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !isPage(url)) return;
  event.respondWith(fresh(event.request, url));
});

/** Return what the server says, and what it said last where it cannot be reached. */
async function fresh(request, url) {
  const cache = await caches.open(NAME);
  try {
    const reply = await fetch(request);
    if (reply.ok && !reply.redirected) await cache.put(url.pathname, reply.clone());
    return reply;
  } catch (error) {
    const kept = await cache.match(url.pathname);
    if (kept) return kept;
    throw error;
  }
}
