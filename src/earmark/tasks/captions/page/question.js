// Which caption describes the sound better? One of two, or neither.

import { announce, h } from "../static/dom.js";
import { cap } from "../static/keys.js";
import { player } from "../static/player.js";
import { study, t } from "../static/texts.js";

const CHOICES = [["first", "1"], ["second", "2"], ["neither", "0"]];

export const needs = study.has_sound === false ? [] : ["headphones", "quiet"];

export function introduce() {
  return h("div.guide", {}, h("ol.steps", {}, ["captions.step1", "captions.step2", "captions.step3"].map((key) => h("li", {}, t(key)))));
}

export function ask(show, tools) {
  const sound = show.clip ? player({ url: show.clip, blob: tools.blob }, { onplayed: () => tools.changed() }) : null;
  const radios = new Map();
  function choice([name, key]) {
    const radio = h("input", { type: "radio", name: "winner", value: name, "aria-keyshortcuts": key, onchange: () => tools.changed() });
    radios.set(name, radio);
    const words = name === "neither" ? t("captions.neither") : show[name];
    return h(name === "neither" ? "div.choice.none" : "div.choice.caption", {}, h("label", {}, radio, h("span.name", {}, words), cap(key)));
  }
  function press(name) {
    radios.get(name).checked = true;
    announce(t("ticked", { label: name === "neither" ? t("captions.neither") : show[name] }));
    tools.changed();
  }
  const chosen = () => [...radios].find(([, radio]) => radio.checked)?.[0];
  return {
    node: h("div.question", {}, sound?.node, h("fieldset.choices.stacked", {}, h("legend", {}, t("captions.legend")), CHOICES.map(choice))),
    shortcuts: [
      ...(sound ? [{ keys: ["p", "Space"], shown: ["P"], label: t("player.hint"), act: sound.toggle }] : []),
      ...CHOICES.map(([name, key]) => ({ keys: [key], label: t(`captions.${name}`), act: () => press(name) })),
    ],
    read() {
      if (sound && !sound.played && !this.heard) return { problem: t("listen-first") };
      return chosen() ? { value: { winner: chosen() } } : { problem: t("captions.choose") };
    },
    draft: () => ({ winner: chosen() ?? null, played: sound?.played ?? true }),
    restore(draft) {
      if (radios.has(draft.winner)) radios.get(draft.winner).checked = true;
      this.heard = Boolean(draft.played);
    },
    dispose: () => sound?.dispose(),
  };
}

/** A reference's value in words, for the organiser. */
export const summary = ({ texts = [] }) => texts.map((text) => `“${text}”`).join(" · ");
