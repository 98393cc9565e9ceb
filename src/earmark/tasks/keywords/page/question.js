// Please read this aloud: a recording, listened to and repeated until the speaker is content.

import { announce, DOT, fill, h, icon, STOP } from "../static/dom.js";
import { cap } from "../static/keys.js";
import { FULL, meter, QUIET } from "../static/meter.js";
import { player } from "../static/player.js";
import { recorder } from "../static/recorder.js";
import { has, t } from "../static/texts.js";

const CHOSEN = "earmark:language"; // a speaker says once what they speak

export const needs = ["quiet", "microphone"];

export function introduce() {
  return h("div.guide", {}, h("ol.steps", {}, ["keywords.step1", "keywords.step2", "keywords.step3", "keywords.step4"].map((key) => h("li", {}, t(key)))));
}

const named = (language) => (has(`language.${language}`) ? t(`language.${language}`) : language);

function remembered() {
  try { return JSON.parse(localStorage.getItem(CHOSEN)) ?? {}; } catch { return {}; }
}

export function ask(show, tools) {
  const known = remembered();
  let take = null, heard = null, recording = false;

  // ---- language, and dialect where it matters
  const language = h("select", { id: "language", onchange: choose }, h("option", { value: "" }, t("keywords.choose-language")),
    show.languages.map((one) => h("option", { value: one }, named(one))));
  language.value = show.language && show.languages.includes(show.language) ? show.language : known.language ?? "";
  const dialect = h("input", { id: "dialect", type: "text", maxlength: 60, autocomplete: "off", onchange: choose });
  dialect.value = known.dialect ?? "";
  const dialectRow = h("div.field", {}, h("label", { for: "dialect" }, t("keywords.dialect")), dialect);
  const needsDialect = () => show.needs_dialect.includes(language.value);
  function choose() {
    dialectRow.hidden = !needsDialect();
    localStorage.setItem(CHOSEN, JSON.stringify({ language: language.value, dialect: dialect.value }));
    tools.changed();
  }
  dialectRow.hidden = !needsDialect();

  // ---- the take
  const loudness = meter();
  const level = h("p.soft.level", { "aria-hidden": "true" });
  const button = h("button.record", { type: "button", "aria-keyshortcuts": "R", onclick: toggle });
  const place = h("div.take");
  const device = recorder({
    longest: show.format.longest,
    onlevel(peak, seconds) {
      loudness.set(peak);
      level.textContent = t("keywords.seconds", { seconds: seconds.toFixed(1) });
    },
    onfull: () => { if (recording) toggle(); },
  });
  function draw() {
    fill(button, icon(recording ? STOP : DOT), h("span", {}, t(recording ? "keywords.stop" : take ? "keywords.repeat" : "keywords.record")), cap("R"));
    button.classList.toggle("on", recording);
    loudness.node.hidden = level.hidden = !recording;
    if (!recording) loudness.clear();
  }
  async function toggle() {
    button.disabled = true;
    try {
      if (recording) await stop();
      else {
        setTake(null);
        await device.start();
        recording = true;
        announce(t("keywords.recording"));
      }
    } catch (error) {
      recording = false;
      tools.problem(error.message);
    }
    button.disabled = false;
    draw();
  }
  async function stop() {
    recording = false;
    const result = await device.stop();
    if (result.seconds < show.format.shortest) return tools.problem(t("keywords.too-short"));
    setTake(result.blob);
    announce(t("keywords.recorded", { seconds: result.seconds.toFixed(1) }));
    tools.changed();
    if (result.peak > FULL) tools.problem(t("keywords.too-loud"));
    else if (result.peak < QUIET) tools.problem(t("keywords.too-quiet"));
  }
  function setTake(blob) {
    take = blob;
    heard?.dispose();
    heard = blob ? player({ url: "", blob }, { name: t("keywords.take") }) : null;
    fill(place, heard?.node);
  }
  draw();

  return {
    waits: true, // what the server finds wrong with a take is said before the next one
    node: h("div.question", {},
      show.of > 1 ? h("p.soft", {}, t("keywords.takes", { of: show.of })) : null,
      h("blockquote.read-aloud", {}, show.text),
      h("div.fields", {}, h("div.field", {}, h("label", { for: "language" }, t("keywords.language")), language), dialectRow),
      h("div.recording", {}, button, loudness.node, level), place,
      h("p.soft", {}, has("keywords.advice") ? t("keywords.advice") : show.advice)),
    shortcuts: [
      { keys: ["r"], label: t("keywords.record-key"), act: toggle },
      { keys: ["p"], label: t("player.hint"), act: () => heard?.toggle() },
    ],
    read() {
      if (recording) return { problem: t("keywords.still-recording") };
      if (!language.value) return { problem: t("keywords.language-first"), focus: language };
      if (needsDialect() && !dialect.value.trim()) return { problem: t("keywords.dialect-first"), focus: dialect };
      if (!take) return { problem: t("keywords.record-first") };
      return { value: { language: language.value, dialect: needsDialect() ? dialect.value.trim() : "" }, sound: take };
    },
    draft: () => ({ language: language.value, dialect: dialect.value, take }),
    restore(draft) {
      if (draft.language) language.value = draft.language;
      dialect.value = draft.dialect ?? "";
      dialectRow.hidden = !needsDialect();
      if (draft.take) setTake(draft.take);
      draw();
    },
    refused() {
      setTake(null);
      draw();
      tools.changed();
    },
    dispose() {
      device.cancel();
      heard?.dispose();
    },
  };
}

/** A reference's value in words, for the organiser. */
export const summary = ({ people = [] }) => t("keywords.summary", { count: people.length });
