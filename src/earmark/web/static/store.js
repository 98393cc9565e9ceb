// What must outlive a reload: answers that wait, drafts, questions that were fetched. IndexedDB, or memory without it.

import { study } from "./texts.js";

const STORES = { outbox: "key", drafts: "unit", questions: "unit" };
const memory = Object.fromEntries(Object.keys(STORES).map((name) => [name, new Map()]));
let opened = null;

function open() {
  opened ??= new Promise((resolve) => {
    let request;
    try { request = indexedDB.open(`earmark:${study.id ?? study.name ?? ""}`, 1); } catch { resolve(null); return; }
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, { keyPath });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null); // private windows of some browsers
  });
  return opened;
}

async function act(store, mode, make) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve, reject) => {
    // strict: an answer counts as kept only when it is on the disk
    const transaction = database.transaction(store, mode, { durability: "strict" });
    const request = make(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** Keep a record; return whether it outlives this page. Memory has it in any case. */
export async function put(store, record) {
  memory[store].set(record[STORES[store]], record);
  try { return (await act(store, "readwrite", (place) => place.put(record))) !== undefined; } catch { return false; }
}

export async function remove(store, key) {
  memory[store].delete(key);
  await act(store, "readwrite", (place) => place.delete(key));
}

export async function get(store, key) {
  return (await act(store, "readonly", (place) => place.get(key))) ?? memory[store].get(key);
}

/** Return everything of a store. */
export async function all(store) {
  const rows = (await act(store, "readonly", (place) => place.getAll())) ?? [];
  const known = new Set(rows.map((row) => row[STORES[store]]));
  return [...rows, ...[...memory[store].values()].filter((row) => !known.has(row[STORES[store]]))];
}

export async function clear() {
  for (const store of Object.keys(STORES)) {
    memory[store].clear();
    await act(store, "readwrite", (place) => place.clear());
  }
}
