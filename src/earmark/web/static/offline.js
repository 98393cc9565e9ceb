// Registers the worker that lets the page open without network (sw.js), and keeps for it what is loaded already.

const NAME = "earmark-pages-1"; // as in sw.js

export async function keepPages() {
  if (!("serviceWorker" in navigator) || !globalThis.caches) return; // no secure address
  try {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname);
    const names = new Set(["/", ...loaded.filter((name) => /^\/(static|task)\//.test(name))]);
    const cache = await caches.open(NAME);
    await Promise.all([...names].map(async (name) => {
      const reply = await fetch(name);
      if (reply.ok) await cache.put(name, reply);
    }));
    document.body.dataset.kept = "yes";
  } catch { /* the page works all the same, but cannot be opened without network */ }
}
