// Where does a sentence end? A transcript without marks; the last word of every sentence is marked.

import { h } from "../static/dom.js";
import { cap } from "../static/keys.js";
import { t } from "../static/texts.js";
import { markable, wordShortcuts } from "../static/words.js";

export const needs = [];

export function introduce() {
  const example = (words, last) => words.map((word, k) => [k > 0 && " ", h(k === last ? "span.word.pressed" : "span.word", {}, word)]);
  return h("div.guide", {},
    h("ol.steps", {}, ["boundaries.step1", "boundaries.step2", "boundaries.step3"].map((key) => h("li", {}, t(key)))),
    h("figure.sheet", {}, h("figcaption", {}, t("boundaries.example-title")),
      h("p.words.ends", {}, example(t("boundaries.example1").split(" "), t("boundaries.example1").split(" ").length - 1), " ",
        example(t("boundaries.example2").split(" "), t("boundaries.example2").split(" ").length - 1))));
}

export function ask(show, tools) {
  const none = h("input", { type: "checkbox", "aria-keyshortcuts": "0", onchange: () => { if (none.checked) words.clear(); changed(); } });
  const total = h("p.soft.total");
  const parts = show.words.flatMap((word, index) => (index ? [" ", { word, index }] : [{ word, index }]));
  const words = markable(parts, {
    label: t("boundaries.group"),
    kind: "ends",
    pressed: (word) => t("boundaries.marked", { word }),
    released: (word) => t("boundaries.unmarked", { word }),
    onchange: () => { if (words.marked.length) none.checked = false; changed(); },
  });
  function draw() { total.textContent = t("boundaries.total", { count: words.marked.length }); }
  function changed() { draw(); tools.changed(); }
  draw();
  return {
    node: h("div.question", {}, h("div.sheet.text", {}, words.node), total,
      h("div.choice.none", {}, h("label", {}, none, h("span.name", {}, t("boundaries.none")), cap("0")))),
    sendKey: "Ctrl+Enter",
    shortcuts: [...wordShortcuts(words),
      { keys: ["0"], label: t("boundaries.none"), act: () => none.click() }],
    read() {
      if (!words.marked.length && !none.checked) return { problem: t("boundaries.choose") };
      return { value: { after: words.marked } };
    },
    draft: () => ({ after: words.marked, none: none.checked }),
    restore(draft) {
      words.set(draft.after ?? []);
      none.checked = Boolean(draft.none);
      draw();
    },
  };
}

/** A reference's value in words, for the organiser: how many ends each person marked. */
export const summary = ({ after, references = [{ after }] }) => references.map((one) => t("boundaries.total", { count: one.after?.length ?? 0 })).join(" · ");
