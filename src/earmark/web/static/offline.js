// Registers the worker that lets the page open without network, and gives it what is loaded already.

export async function keepPages() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
  } catch { return; } // no secure address: the page works, but cannot be opened without network
  const loaded = performance.getEntriesByType("resource").map((one) => one.name)
    .filter((name) => /^\/(static|task)\//.test(new URL(name).pathname));
  // fetched again through the worker, which keeps them
  for (const name of [location.origin + "/", ...new Set(loaded)]) fetch(name).catch(() => {});
}
