// A clip that can be played as often as one likes.

import { announce, fill, h, icon, PAUSE, PLAY } from "./dom.js";
import { cap } from "./keys.js";
import { clock, t } from "./texts.js";

const AT_ONCE = "earmark:play-at-once";
let playing = null; // one sound at a time

function silenceOthers(audio) {
  if (playing && playing !== audio) playing.pause();
  playing = audio;
}

export function stopAll() {
  playing?.pause();
  playing = null;
}

/** Return {node, toggle, played, dispose}; `source` is {url, blob}. */
export function player({ url, blob }, { name = t("player.clip"), onplayed = () => {} } = {}) {
  const local = blob ? URL.createObjectURL(blob) : null;
  const audio = new Audio();
  audio.preload = "auto";
  audio.src = local ?? url;
  let wasPlayed = false;

  const button = h("button.play", { type: "button", "aria-keyshortcuts": "P", onclick: toggle });
  const slider = h("input", { type: "range", min: 0, max: 1, step: 0.01, value: 0, "aria-label": t("player.position") });
  const time = h("span.time", { "aria-hidden": "true" }, "0:00");
  const problem = h("p.problem", { hidden: true, role: "alert" });
  const atOnce = h("input", { type: "checkbox" });
  atOnce.checked = localStorage.getItem(AT_ONCE) === "yes";
  atOnce.addEventListener("change", () => localStorage.setItem(AT_ONCE, atOnce.checked ? "yes" : "no"));

  function draw() {
    const goes = !audio.paused && !audio.ended;
    button.setAttribute("aria-label", t(goes ? "player.pause" : "player.play", { name }));
    fill(button, icon(goes ? PAUSE : PLAY));
    node.classList.toggle("playing", goes);
  }
  function tick() {
    const length = Number.isFinite(audio.duration) ? audio.duration : 0;
    slider.max = String(length || 1);
    slider.value = String(audio.currentTime);
    slider.setAttribute("aria-valuetext", `${clock(audio.currentTime)} / ${clock(length)}`);
    slider.style.setProperty("--part", `${length ? (100 * audio.currentTime) / length : 0}%`);
    time.textContent = `${clock(audio.currentTime)} / ${clock(length)}`;
    if (!audio.paused) requestAnimationFrame(tick);
  }
  async function toggle() {
    if (!audio.paused && !audio.ended) return audio.pause();
    silenceOthers(audio);
    try { await audio.play(); } catch (error) { if (error.name !== "AbortError") fail(); }
  }
  function fail() {
    if (local && url && audio.src === local) { // some browsers play no sound from memory
      audio.src = url;
      return;
    }
    problem.hidden = false;
    fill(problem, t("player.failed"), " ",
      h("button.link", { type: "button", onclick: () => { problem.hidden = true; audio.src = url; audio.load(); } }, t("again")));
  }
  function count() {
    if (wasPlayed) return;
    wasPlayed = true;
    onplayed();
  }
  audio.addEventListener("play", () => { draw(); tick(); count(); });
  audio.addEventListener("pause", draw);
  audio.addEventListener("ended", () => { draw(); tick(); announce(t("player.ended")); });
  audio.addEventListener("loadedmetadata", tick);
  audio.addEventListener("error", fail);
  slider.addEventListener("input", () => { audio.currentTime = Number(slider.value); tick(); });

  const node = h("div.player", { role: "group", "aria-label": name },
    button,
    h("div.track", {}, slider, h("div.under", {}, time, h("span.hint", {}, cap("P"), " ", t("player.hint")))),
    h("label.small.at-once", {}, atOnce, " ", t("player.at-once")),
    problem);
  draw();
  if (atOnce.checked) audio.play().then(() => silenceOthers(audio), () => {});
  return {
    node,
    toggle,
    get played() { return wasPlayed; },
    dispose() {
      audio.pause();
      audio.removeAttribute("src");
      if (local) URL.revokeObjectURL(local);
    },
  };
}

/** Return a small button that plays a sound, an example for instance. */
export function chip(url, label, shown = label) {
  let audio = null;
  const button = h("button.chip", { type: "button", "aria-label": label }, icon(PLAY), h("span", {}, shown));
  const draw = (goes) => {
    button.replaceChild(icon(goes ? PAUSE : PLAY), button.firstChild);
    button.classList.toggle("playing", goes);
  };
  button.addEventListener("click", () => {
    if (!audio) {
      audio = new Audio(url);
      audio.addEventListener("play", () => draw(true));
      audio.addEventListener("pause", () => draw(false));
    }
    if (!audio.paused && !audio.ended) return audio.pause();
    silenceOthers(audio);
    audio.currentTime = 0;
    audio.play().catch(() => draw(false));
  });
  return button;
}
