// A text whose words can be marked: by a click, a touch, or the arrow keys and the space bar.

import { announce, h } from "./dom.js";
import { t } from "./texts.js";

/**
 * Return {node, marked, set, clear}. `parts` are {word: text, index} for words that can be marked, and texts between.
 * `label` names the group, `pressed(word)` and `released(word)` are what screen readers hear after a change.
 */
export function markable(parts, { label, kind, pressed, released, onchange }) {
  const marked = new Set();
  const buttons = [];
  const node = h("div.words", { role: "group", "aria-label": label, class: `words ${kind}` });
  for (const part of parts) {
    if (typeof part === "string") {
      node.append(part);
      continue;
    }
    const button = h("button.word", { type: "button", "aria-pressed": "false", tabindex: "-1" }, part.word);
    button.dataset.index = String(part.index);
    buttons.push(button);
    node.append(button);
  }
  if (buttons.length) buttons[0].tabIndex = 0;

  function draw(button) {
    button.setAttribute("aria-pressed", String(marked.has(Number(button.dataset.index))));
  }
  function toggle(button) {
    const index = Number(button.dataset.index);
    if (!marked.delete(index)) marked.add(index);
    draw(button);
    announce(marked.has(index) ? pressed(button.textContent) : released(button.textContent));
    onchange();
  }
  function focus(button) {
    if (!button) return;
    for (const one of buttons) one.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  }
  /** Return the word nearest in the line above or below. */
  function beside(button, step) {
    const own = button.getBoundingClientRect(), middle = own.left + own.width / 2;
    let line = null, best = null, distance = Infinity;
    for (let k = buttons.indexOf(button) + step; buttons[k]; k += step) {
      const box = buttons[k].getBoundingClientRect();
      if (Math.abs(box.top - own.top) < own.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) > own.height / 2) break;
      const away = Math.abs(box.left + box.width / 2 - middle);
      if (away < distance) [best, distance] = [buttons[k], away];
    }
    return best;
  }
  const MOVES = {
    ArrowRight: (k) => buttons[k + 1],
    ArrowLeft: (k) => buttons[k - 1],
    ArrowDown: (k) => beside(buttons[k], 1),
    ArrowUp: (k) => beside(buttons[k], -1),
    Home: () => buttons[0],
    End: () => buttons.at(-1),
  };
  node.addEventListener("click", (event) => {
    const button = event.target.closest("button.word");
    if (!button) return;
    focus(button);
    toggle(button);
  });
  node.addEventListener("keydown", (event) => {
    const position = buttons.indexOf(event.target);
    if (position < 0 || event.ctrlKey || event.altKey || event.metaKey || !MOVES[event.key]) return;
    event.preventDefault();
    focus(MOVES[event.key](position));
  });
  return {
    node,
    get marked() { return [...marked].sort((a, b) => a - b); },
    set(indices) {
      marked.clear();
      for (const index of indices) marked.add(index);
      buttons.forEach(draw);
    },
    clear() { this.set([]); },
    enter() { focus(buttons.find((button) => button.tabIndex === 0)); },
  };
}

/** Return the shortcuts that every text with markable words has; the keys themselves are handled above. */
export function wordShortcuts(words) {
  return [
    { keys: ["w"], label: t("words.enter"), act: () => words.enter() },
    { keys: [], shown: ["←", "→", "↑", "↓"], label: t("words.move"), act: () => {} },
    { keys: [], shown: ["Space"], label: t("words.mark"), act: () => {} },
  ];
}
