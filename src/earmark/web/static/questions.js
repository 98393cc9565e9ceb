// The questions in hand: the one that is shown and the one after it, with their clips, also after a reload without network.

import { call, Offline } from "./api.js";
import { all, get, put, remove } from "./store.js";
import { state } from "./outbox.js";
import { study } from "./texts.js";

/** Return {question} or {nothing} or {finished: {...}} or {refused: reply} or {offline}. */
export async function next(token, besides = "") {
  let reply;
  try {
    reply = await call("GET", `/api/next${besides ? `?besides=${encodeURIComponent(besides)}` : ""}`, { token });
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    return stored(besides);
  }
  if (reply.status === 204) return { nothing: true };
  if (reply.status === 410) return { finished: reply.data?.detail ?? reply.data ?? {} };
  if (reply.status >= 500 || reply.status === 429) return { busy: reply.after || 5 };
  if (reply.status !== 200) return { refused: reply };
  const { unit } = reply.data;
  const { units } = await state();
  if (unit === besides || units.has(unit)) return { nothing: true };
  const known = await get("questions", unit);
  const question = { ...reply.data, blob: known?.blob ?? null, fetched: Date.now() };
  await put("questions", question);
  return { question };
}

/** Return a question that was fetched before and has no answer yet. */
async function stored(besides) {
  const { units } = await state();
  const rows = (await all("questions")).filter((row) => row.unit !== besides && !units.has(row.unit) && !isOver(row));
  rows.sort((a, b) => a.fetched - b.fetched);
  return rows.length ? { question: rows[0] } : { offline: true };
}

/** Fetch the clip of a question, so that it plays at once and without network. */
export async function preload(question, token) {
  if (!question.show?.clip || question.blob) return question;
  try {
    const reply = await fetch(question.show.clip, { headers: { Authorization: `Bearer ${token}` } });
    if (reply.ok) {
      question.blob = await reply.blob();
      await put("questions", question);
    }
  } catch { /* the player asks for the address itself, and says so if that fails */ }
  return question;
}

/** Return whether others are asked a question by now; by this device's own clock, whatever it says. */
export const isOver = (question) => Date.now() - question.fetched > 1000 * (study.lease_seconds ?? Infinity);

export const forget = (unit) => remove("questions", unit);
