// The wake word demo: five recordings enrol a keyword, then the page says of everything it hears whether it wakes.

import { call, Offline, reasonOf } from "./api.js";
import { announce, DOT, fill, h, icon, STOP } from "./dom.js";
import * as keys from "./keys.js";
import { meter } from "./meter.js";
import { player, stopAll } from "./player.js";
import { joined, openMicrophone, resampled, wav } from "./recorder.js";
import { language, study, t } from "./texts.js";
import { utterances } from "./utterances.js";

const SAMPLES = 5; // as the challenge enrols a speaker
const ENROLMENT_PATIENCE = 180_000; // ms: the networks are loaded first
const REMEMBERED = 8; // utterances that are listed

const main = document.querySelector("main");
const digits = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const problem = h("p.problem", { role: "alert", hidden: true });

function page(name, heading, ...children) {
  stopAll();
  document.body.dataset.page = name;
  const title = h("h1", { tabindex: "-1" }, heading);
  problem.hidden = true;
  fill(main, title, ...children);
  document.title = `${heading} · ${study.title}`;
  title.focus({ preventScroll: true });
}

function fail(text) {
  problem.hidden = false;
  problem.textContent = text;
}

/** Open the microphone; every utterance goes to `onutterance` as a WAV file. */
async function openUtterances(level, onutterance, onspeech) {
  let cut = null;
  const microphone = await openMicrophone((block, peak) => { level.set(peak); cut?.(block, peak); });
  const { rate } = microphone;
  cut = utterances(rate, async (blocks) => onutterance(wav(await resampled(joined(blocks), rate))), onspeech);
  return microphone;
}

// ---- five samples

function enrolment() {
  const samples = [];
  let microphone = null, players = [];
  const level = meter();
  const lamp = h("div.lamp", { role: "status", "data-state": "off" });
  const button = h("button.record", { type: "button", "aria-keyshortcuts": "R", onclick: toggle });
  const list = h("ol.samples");
  const go = h("button.primary", { type: "button", "aria-keyshortcuts": "Enter", onclick: enrol }, h("span", {}, t("wake.enrol")), " ", keys.cap("Enter"));

  function draw(hears = false) {
    const done = samples.length >= SAMPLES;
    fill(button, icon(microphone ? STOP : DOT), h("span", {}, t(microphone ? "wake.stop" : "wake.record")), keys.cap("R"));
    button.classList.toggle("on", Boolean(microphone));
    button.disabled = done;
    level.node.hidden = !microphone;
    lamp.dataset.state = hears ? "hears" : done ? "awake" : microphone ? "waits" : "off";
    lamp.textContent = t("wake.samples", { count: samples.length, of: SAMPLES });
    go.classList.toggle("open", !done);
  }
  function drawList() {
    for (const one of players) one.dispose();
    players = samples.map((blob, k) => player({ url: "", blob }, { name: t("wake.sample", { number: k + 1 }) }));
    fill(list, players.map((one, k) => h("li.take", {}, one.node,
      h("button.plain", { type: "button", "aria-label": t("wake.again-number", { number: k + 1 }), onclick: () => { samples.splice(k, 1); drawList(); draw(); } }, t("wake.again")))));
  }
  async function toggle() {
    problem.hidden = true;
    if (samples.length >= SAMPLES) return;
    try {
      if (microphone) await close();
      else microphone = await openUtterances(level, (blob) => { if (microphone) add(blob); }, (speaks) => draw(speaks));
    } catch (error) {
      fail(error.message);
    }
    draw();
  }
  async function close() {
    const open = microphone;
    microphone = null;
    await open?.close();
  }
  async function add(blob) {
    samples.push(blob);
    if (samples.length >= SAMPLES) await close();
    drawList();
    draw();
  }
  async function enrol() {
    if (samples.length < SAMPLES) return fail(t("wake.record-first", { of: SAMPLES }));
    go.disabled = true;
    main.setAttribute("aria-busy", "true");
    announce(t("wake.enrolling"));
    const form = new FormData();
    samples.forEach((blob, k) => form.append("files", blob, `sample-${k + 1}.wav`));
    try {
      const reply = await call("POST", "/api/wake", { form, patience: ENROLMENT_PATIENCE });
      if (reply.status !== 201) throw new Error(reasonOf(reply));
      listening(reply.data);
    } catch (error) {
      fail(error instanceof Offline ? t("error.offline") : error.message);
      go.disabled = false;
    }
    main.removeAttribute("aria-busy");
  }
  page("wake-enrol", t("wake.title"), h("p.lead", {}, t("wake.lead", { of: SAMPLES })), lamp,
    h("div.recording", {}, button, level.node), list, problem, h("div.actions", {}, go));
  draw();
  keys.set([{ keys: ["r"], act: toggle }, { keys: ["Enter", "Ctrl+Enter"], act: enrol }]);
}

// ---- does it wake?

function listening({ id, threshold }) {
  let microphone = null;
  const level = meter(), lamp = h("div.lamp", { role: "status", "data-state": "off" }, t("wake.off"));
  const button = h("button.record", { type: "button", "aria-keyshortcuts": "L", onclick: toggle });
  const list = h("ul.heard");

  function draw() {
    fill(button, icon(microphone ? STOP : DOT), h("span", {}, t(microphone ? "wake.stop-listening" : "wake.listen")), keys.cap("L"));
    button.classList.toggle("on", Boolean(microphone));
    level.node.hidden = !microphone;
    if (!microphone) light("off", t("wake.off"));
  }
  function light(state, text) {
    lamp.dataset.state = state;
    lamp.textContent = text;
  }
  async function toggle() {
    button.disabled = true;
    try {
      if (microphone) {
        await microphone.close();
        microphone = null;
      } else {
        microphone = await openUtterances(level, judge, (speaks) => { if (speaks) light("hears", t("wake.hears")); });
        light("waits", t("wake.waits"));
      }
    } catch (error) {
      fail(error.message);
    }
    button.disabled = false;
    draw();
  }
  async function judge(blob) {
    const form = new FormData();
    form.set("file", blob, "utterance.wav");
    try {
      const reply = await call("POST", `/api/wake/${encodeURIComponent(id)}`, { form, patience: ENROLMENT_PATIENCE });
      if (reply.status === 404) return enrolment();
      if (reply.status !== 200) return light("waits", t("wake.waits"));
      add(reply.data);
    } catch (error) {
      fail(error instanceof Offline ? t("error.offline") : error.message);
    }
  }
  function add({ awake, score }) {
    light(awake ? "awake" : "asleep", t(awake ? "wake.awake" : "wake.asleep"));
    list.prepend(h("li", { "data-awake": awake ? "yes" : "no" }, h("b", {}, t(awake ? "wake.woke" : "wake.slept")), " ",
      h("span.soft", {}, t("wake.score", { score: digits.format(score), threshold: digits.format(threshold) }))));
    while (list.children.length > REMEMBERED) list.lastChild.remove();
  }
  page("wake-listen", t("wake.try-title"), h("p.lead", {}, t("wake.try")), lamp,
    h("div.recording", {}, button, level.node), problem,
    h("section.sheet", {}, h("h2", {}, t("wake.heard")), h("p.soft", {}, t("wake.threshold", { threshold: digits.format(threshold) })), list),
    h("div.actions", {}, h("button.plain", { type: "button", onclick: async () => { await microphone?.close(); enrolment(); } }, t("wake.start-again"))));
  draw();
  keys.set([{ keys: ["l"], act: toggle }]);
}

enrolment();
