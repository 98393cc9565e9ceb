// Answers on their way to the server. An answer is put here first and taken out when the server has said what
// became of it; its key, made here, lets the server take it once however often it arrives.

import { call, Offline, reasonOf, sentence } from "./api.js";
import { all, put, remove } from "./store.js";
import { said } from "./texts.js";

const FIRST_WAIT = 1000, LONGEST_WAIT = 30_000; // ms between tries, doubled each time
const UPLOAD_PATIENCE = 60_000;
const WITHDRAWN = sentence(said("this person has withdrawn")); // what the server says of those who left

const watchers = new Set();
const outcomes = new Map(); // key to the function that is waiting for what became of it
let running = null, again = false, timer = null, wait = FIRST_WAIT, reachable = true;

/** Call `watcher(state)` with {waiting, refused, reachable} whenever it may have changed. */
export function watch(watcher) {
  watchers.add(watcher);
  tell();
}

let late = () => {}, warn = () => {};
const unkept = new Set(); // keys of answers that only this page's memory has

/** Call `watcher` when this browser cannot keep an answer. */
export const onUnkept = (watcher) => { warn = watcher; };

/** Return whether closing the page would lose an answer. */
export const wouldLose = () => unkept.size > 0;

/** Call `watcher` whenever an answer came too late to count. */
export const onLate = (watcher) => { late = watcher; };

export async function state() {
  const records = await all("outbox");
  return {
    waiting: records.filter((record) => !record.refused).length,
    refused: records.filter((record) => record.refused),
    units: new Set(records.map((record) => record.unit)),
    reachable,
  };
}

async function tell() {
  const now = await state();
  for (const watcher of watchers) watcher(now);
}

/** Keep an answer and send it; return once it is kept. */
export async function post(record) {
  const isKept = await put("outbox", { ...record, created: Date.now() });
  if (isKept) navigator.storage?.persist?.(); // asks the browser not to clear it when the disk is full
  else {
    unkept.add(record.key);
    warn();
  }
  await tell();
  flush();
}

/** Return what became of an answer: "sent", "late", "refused", or "waiting" when the network is gone. */
export function outcome(key) {
  return new Promise((resolve) => outcomes.set(key, resolve));
}

function settle(key, result) {
  outcomes.get(key)?.(result);
  outcomes.delete(key);
}

/** Take a refused answer out, to be given again. */
export async function withdraw(key) {
  await remove("outbox", key);
  await tell();
}

/** Send under a new token what was refused because the old one had run out; not what somebody withdrew. */
export async function readdress(token) {
  for (const { refused, status, ...record } of await all("outbox")) {
    if (status !== 401) continue;
    if (refused.startsWith(WITHDRAWN)) await remove("outbox", record.key);
    else await put("outbox", { ...record, token });
  }
  flush();
}

/** Send what waits; return whether everything has gone. */
export function flush() {
  if (running) {
    again = true;
    return running;
  }
  clearTimeout(timer);
  running = (async () => {
    do { again = false; } while ((await sendAll()) && again);
    running = null;
    await tell();
    return (await state()).waiting === 0;
  })();
  return running;
}

async function sendAll() {
  const records = (await all("outbox")).filter((record) => !record.refused);
  for (const record of records.sort((a, b) => a.created - b.created)) {
    let reply;
    try {
      reply = await send(record);
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
      retryLater(0, false);
      return false;
    }
    if (reply.status === 429 || reply.status >= 500) {
      retryLater(reply.after * 1000, true);
      return false;
    }
    await conclude(record, reply);
  }
  reachable = true;
  wait = FIRST_WAIT;
  return true;
}

async function send(record) {
  const { unit, key, seconds, value, token } = record;
  if (!record.sound) return call("POST", "/api/answers", { token, body: { unit, value, seconds, key } });
  const form = new FormData();
  form.set("unit", unit);
  form.set("key", key);
  form.set("seconds", String(seconds));
  form.set("value", JSON.stringify(value));
  form.set("file", record.sound, "take.wav");
  return call("POST", "/api/recordings", { token, form, patience: UPLOAD_PATIENCE });
}

async function conclude(record, reply) {
  reachable = true;
  unkept.delete(record.key);
  if (reply.status === 200 || reply.status === 201 || reply.status === 409) {
    await remove("outbox", record.key);
    settle(record.key, { result: reply.status === 409 ? "late" : "sent" });
    if (reply.status === 409) late();
  } else {
    // wrong, or not allowed any more: the person is shown why, and nothing is thrown away
    const refused = reasonOf(reply);
    await put("outbox", { ...record, refused, status: reply.status });
    settle(record.key, { result: "refused", reason: refused, status: reply.status });
  }
  await tell();
}

function retryLater(least, answered) {
  reachable = answered;
  for (const key of outcomes.keys()) settle(key, { result: "waiting" });
  timer = setTimeout(flush, Math.max(least, wait));
  wait = Math.min(wait * 2, LONGEST_WAIT);
}

globalThis.addEventListener?.("online", () => {
  wait = FIRST_WAIT;
  flush();
});
