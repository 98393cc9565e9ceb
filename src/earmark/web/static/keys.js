// Shortcuts: single keys, shown on the page, that can be switched off.

import { h } from "./dom.js";
import { t } from "./texts.js";

const SWITCH = "earmark:shortcuts", OPEN = "earmark:shortcuts-open";
let current = [];

export const enabled = () => localStorage.getItem(SWITCH) !== "off";
export function enable(on) {
  localStorage.setItem(SWITCH, on ? "on" : "off");
  document.documentElement.classList.toggle("no-shortcuts", !on);
}

/** Set the shortcuts of what is shown: [{keys: ["1"], label, act}]. */
export function set(shortcuts) {
  current = shortcuts;
}

const isText = (node) => node.matches?.("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select");

function onKey(event) {
  if (event.altKey || event.isComposing || event.repeat) return;
  const target = event.target;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return run("Ctrl+Enter", event);
  if (event.ctrlKey || event.metaKey || !enabled() || isText(target) || document.querySelector("dialog[open]")) return;
  // a focused control keeps its own keys
  if ((event.key === "Enter" || event.key === " ") && target.closest("button, a, summary, [role=slider]")) return;
  if (event.key === " " && target.matches("input")) return;
  run(event.key === " " ? "Space" : event.key.length === 1 ? event.key.toLowerCase() : event.key, event);
}

function run(key, event) {
  const shortcut = current.find((one) => one.keys.includes(key));
  if (!shortcut) return;
  event.preventDefault();
  shortcut.act();
}

document.addEventListener("keydown", onKey);
enable(enabled());

/** Return a key as it is drawn on the page; screen readers get `aria-keyshortcuts` instead. */
export const cap = (key) => h("kbd", { "aria-hidden": "true" }, has(key));
const has = (key) => (key === "Space" || key === "Enter" || key === "Ctrl+Enter" ? t(`key.${key}`) : key.toUpperCase());

/** Return the list of all shortcuts of what is shown. */
export function legend(shortcuts) {
  const rows = shortcuts.filter((one) => one.label).map((one) => h("li", {},
    (one.shown ?? one.keys).map((key, index) => [index > 0 && " ", h("kbd", {}, has(key))]), " ", one.label));
  const box = h("input", { type: "checkbox", id: "shortcuts-on" });
  box.checked = enabled();
  box.addEventListener("change", () => enable(box.checked));
  const details = h("details.legend", { ontoggle: () => localStorage.setItem(OPEN, details.open ? "yes" : "no") },
    h("summary", {}, t("shortcuts.title")),
    h("ul", {}, rows),
    h("label.small", {}, box, " ", t("shortcuts.on")));
  details.open = localStorage.getItem(OPEN) !== "no";
  return details;
}
