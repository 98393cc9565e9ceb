// Calls to the server. A network that is gone is an exception; everything else is a status.

import { said, t } from "./texts.js";

/** The server could not be reached. */
export class Offline extends Error {}

const PATIENCE = 20_000; // ms; a phone on a bad line needs seconds, not minutes

/** Return {status, data, after} of a call; `body` is sent as JSON, `form` as multipart. */
export async function call(method, path, { body, form, token, csrf, patience = PATIENCE } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  if (csrf) headers["X-CSRF-Token"] = csrf;
  let reply, text;
  try {
    reply = await fetch(path, {
      method,
      headers,
      body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: AbortSignal.timeout(patience),
      cache: "no-store",
      credentials: "same-origin",
    });
    text = await reply.text();
  } catch (error) {
    throw new Offline(String(error));
  }
  let data = null;
  try { data = text ? JSON.parse(text) : null; } catch { /* a page of a proxy, not ours */ }
  return { status: reply.status, data, after: Number(reply.headers.get("Retry-After")) || 0 };
}

/** Return in words why a call was refused. */
export function reasonOf({ status, data }) {
  const error = data?.detail ?? data?.error ?? data;
  if (typeof error === "string") return said(error);
  if (Array.isArray(error)) return error.map((one) => said(one.msg ?? String(one))).join(" ");
  if (error?.what) return [error.what, error.fix ?? error.want].filter(Boolean).map(said).map(sentence).join(" ");
  return t("error.status", { status });
}

/** Return a server's words as a sentence. */
export function sentence(text) {
  const first = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
