// Which words do not fit? A sentence or a passage; every word of it can be marked.

import { h } from "../static/dom.js";
import { cap } from "../static/keys.js";
import { t } from "../static/texts.js";
import { markable, wordShortcuts } from "../static/words.js";

export const needs = [];

export function introduce() {
  const odd = t("context.example-odd");
  return h("div.guide", {},
    h("ol.steps", {}, ["context.step1", "context.step2", "context.step3"].map((key) => h("li", {}, t(key)))),
    h("figure.sheet", {}, h("figcaption", {}, t("context.example-title")),
      h("p.words.odd", {}, t("context.example").split(" ").map((word, k) => [k > 0 && " ", h(word === odd ? "span.word.pressed" : "span.word", {}, word)]))));
}

/** Return the text cut at the words' offsets; what has no letter or digit is no word to mark. */
function partsOf({ text, words, offsets }) {
  const letters = [...text]; // offsets count characters, not the halves of rare ones
  const parts = [];
  let place = 0;
  words.forEach((word, index) => {
    const [start, end] = [offsets[2 * index], offsets[2 * index + 1]];
    if (start > place) parts.push(letters.slice(place, start).join(""));
    parts.push(/[\p{L}\p{N}]/u.test(word) ? { word, index } : word);
    place = end;
  });
  parts.push(letters.slice(place).join(""));
  return parts.filter((part) => part !== "");
}

export function ask(show, tools) {
  const none = h("input", { type: "checkbox", "aria-keyshortcuts": "0", onchange: () => { if (none.checked) words.clear(); changed(); } });
  const total = h("p.soft.total");
  const words = markable(partsOf(show), {
    label: t("context.group"),
    kind: "odd",
    pressed: (word) => t("context.marked", { word }),
    released: (word) => t("context.unmarked", { word }),
    onchange: () => { if (words.marked.length) none.checked = false; changed(); },
  });
  function draw() { total.textContent = t("context.total", { count: words.marked.length }); }
  function changed() { draw(); tools.changed(); }
  draw();
  return {
    node: h("div.question", {}, h("div.sheet.text", {}, words.node), total,
      h("div.choice.none", {}, h("label", {}, none, h("span.name", {}, t("context.none")), cap("0")))),
    sendKey: "Ctrl+Enter",
    shortcuts: [...wordShortcuts(words),
      { keys: ["0"], label: t("context.none"), act: () => none.click() }],
    read() {
      if (!words.marked.length && !none.checked) return { problem: t("context.choose") };
      return { value: { marked: words.marked } };
    },
    draft: () => ({ marked: words.marked, none: none.checked }),
    restore(draft) {
      words.set(draft.marked ?? []);
      none.checked = Boolean(draft.none);
      draw();
    },
  };
}

/** A reference's value in words, for the organiser. */
export const summary = ({ at = [], length = 0 }) => t("context.summary", { count: at.length, length });
