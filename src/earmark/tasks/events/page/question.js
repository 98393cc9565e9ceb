// Which of these sounds do you hear? A clip, a tick for every class that is in it, or none of them.

import { announce, h, shape } from "../static/dom.js";
import { cap } from "../static/keys.js";
import { chip, player } from "../static/player.js";
import { has, labelled, study, t } from "../static/texts.js";

const NONE = "none";

export const needs = ["headphones", "quiet"];

const meaning = (label, descriptions) => (has(`about.${label}`) ? t(`about.${label}`) : descriptions?.[label] ?? "");

/** The classes with what each means and several examples, before the first question. */
export function introduce() {
  const guide = study.guide ?? {};
  const rows = (guide.labels ?? []).filter((label) => label !== NONE).map((label) => h("li.sheet", {},
    h("h3", {}, labelled(label)),
    h("p", {}, meaning(label, guide.descriptions)),
    h("div.row", {}, (guide.examples?.[label] ?? []).map((url, k) =>
      chip(url, t("events.example-of", { label: labelled(label), number: k + 1 }), t("events.example", { number: k + 1 }))))));
  return h("div.guide", {}, h("ol.steps", {}, ["events.step1", "events.step2", "events.step3"].map((key) => h("li", {}, t(key)))),
    rows.length ? h("h2", {}, t("events.classes")) : null, h("ul.classes", {}, rows));
}

export function ask(show, tools) {
  const sound = player({ url: show.clip, blob: tools.blob }, { onplayed: () => tools.changed() });
  const boxes = new Map();
  const labels = show.labels.filter((label) => label !== NONE);
  const examples = study.guide?.examples ?? {};

  function change(label) {
    if (boxes.get(label).checked)
      for (const [other, box] of boxes) if ((label === NONE) !== (other === NONE)) box.checked = false;
    tools.changed();
  }
  function press(label) {
    const box = boxes.get(label);
    box.checked = !box.checked;
    announce(t(box.checked ? "ticked" : "unticked", { label: label === NONE ? t("events.none") : labelled(label) }));
    change(label);
  }
  function choice(label, key) {
    const box = h("input", { type: "checkbox", value: label, "aria-keyshortcuts": key || null, onchange: () => change(label) });
    boxes.set(label, box);
    const about = label === NONE ? t("events.none-about") : meaning(label, show.descriptions);
    const identity = `about-${boxes.size}`;
    box.setAttribute("aria-describedby", identity);
    return h(label === NONE ? "div.choice.none" : "div.choice", {},
      h("label", {}, box, h("span.name", {}, label === NONE ? t("events.none") : labelled(label)), key ? cap(key) : null),
      h("p.about", { id: identity }, about),
      examples[label]?.length ? chip(examples[label][0], t("events.example-of", { label: labelled(label), number: 1 }), t("events.hear")) : null);
  }
  // nine keys at most: a study with more classes has them by Tab and Space
  const keyOf = (k) => (k < 9 ? String(k + 1) : "");
  const node = h("div.question", {}, sound.node, spectrogram(tools.blob),
    h("fieldset.choices", {}, h("legend", {}, t("events.legend")),
      labels.map((label, k) => choice(label, keyOf(k))), choice(NONE, "0")));
  return {
    node,
    shortcuts: [
      { keys: ["p", "Space"], shown: ["P"], label: t("player.hint"), act: sound.toggle },
      ...labels.slice(0, 9).map((label, k) => ({ keys: [keyOf(k)], label: labelled(label), act: () => press(label) })),
      { keys: ["0"], label: t("events.none"), act: () => press(NONE) },
    ],
    read() {
      const ticked = [...boxes].filter(([, box]) => box.checked).map(([label]) => label);
      if (!sound.played && !this.heard) return { problem: t("listen-first") };
      if (!ticked.length) return { problem: t("events.choose") };
      return { value: { labels: ticked } };
    },
    draft: () => ({ labels: [...boxes].filter(([, box]) => box.checked).map(([label]) => label), played: sound.played }),
    restore(draft) {
      for (const label of draft.labels ?? []) if (boxes.has(label)) boxes.get(label).checked = true;
      this.heard = Boolean(draft.played);
    },
    dispose: () => sound.dispose(),
  };
}

/** A picture of the sound, only where the study asks for it: it changes what people hear. */
function spectrogram(blob) {
  if (!study.spectrogram || !blob) return null;
  const canvas = h("canvas.spectrogram", { role: "img", "aria-label": t("events.spectrogram") });
  import("../static/spectrogram.js").then(({ draw }) => draw(canvas, blob));
  return canvas;
}

/** What the picture means, for the organiser. */
export const legend = () => t("events.faint");

const ROW = 6, GAP = 2; // of the picture, in its own units; it is as wide as 100 of them

/** A reference's value as a picture, for the organiser: a row per label, fainter where it is less certain. */
export function picture({ events = [], duration, doubt = [] }) {
  const labels = [...new Set(events.map(({ label }) => label))].sort();
  if (!labels.length || !duration) return null;
  const uncertain = new Map(doubt);
  const shapes = labels.flatMap((label, row) => {
    const cells = uncertain.get(label) ?? [0], y = row * (ROW + GAP), wide = 100 / cells.length;
    const sounds = (k) => events.some((one) => one.label === label && one.onset < ((k + 0.5) * duration) / cells.length && one.offset > ((k + 0.5) * duration) / cells.length);
    return cells.map((value, k) => [k, sounds(k) ? 1 - value / 2 : value / 2]).filter(([, strength]) => strength > 0.02)
      .map(([k, strength]) => shape("rect", { x: k * wide, y, width: wide, height: ROW, "fill-opacity": strength.toFixed(2) }));
  });
  const tall = labels.length * (ROW + GAP) - GAP;
  const svg = shape("svg", { viewBox: `0 0 100 ${tall}`, preserveAspectRatio: "none", "aria-hidden": "true" }, shapes);
  svg.style.height = `${labels.length * 0.95}rem`;
  return h("div.strip", {}, svg, h("ul", {}, labels.map((label) => h("li", {}, labelled(label)))));
}

/** A reference's value in words, for the organiser. */
export function summary({ events = [] }) {
  const parts = events.map(({ label, onset, offset }) => `${labelled(label)} ${onset}–${offset} s`);
  return parts.join(" · ") || t("events.nothing");
}
