// Who answers in this browser: the token that the server gave, and the code with which they can withdraw.

import { study } from "./texts.js";

const PLACE = `earmark:${study.id ?? study.name ?? ""}:person`;

export function read() {
  try { return JSON.parse(localStorage.getItem(PLACE)) ?? {}; } catch { return {}; }
}
export const token = () => read().token ?? "";
export const save = (more) => localStorage.setItem(PLACE, JSON.stringify({ ...read(), ...more }));
export const forget = () => localStorage.removeItem(PLACE);
