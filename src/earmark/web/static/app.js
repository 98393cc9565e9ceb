// The way of a person through a study: start, instructions, questions, the end.

import { call, Offline, reasonOf } from "./api.js";
import { announce, fill, h } from "./dom.js";
import * as keys from "./keys.js";
import * as outbox from "./outbox.js";
import { keepPages } from "./offline.js";
import { stopAll } from "./player.js";
import { forget, isOver, next, preload } from "./questions.js";
import * as session from "./session.js";
import { stopwatch } from "./stopwatch.js";
import { get, put, remove } from "./store.js";
import { money, study, t } from "./texts.js";

const LOOK_AGAIN = 20_000; // ms until "nothing for you now" asks by itself
const SHORTEST_BUSY = 250; // ms; faster than this, a message only flickers

const main = document.querySelector("main");
const counter = document.getElementById("counter");
const saved = document.getElementById("saved");
let kind = null; // the question's module
let ahead = null; // promise of the next question
let answered = 0;

// ---- showing a page

/** Show a page: its heading is focused, so that keyboard and screen reader start at its top. */
function page(name, heading, ...children) {
  stopAll();
  keys.set([]);
  main.inert = false;
  document.body.dataset.page = name;
  const title = h("h1", { tabindex: "-1" }, heading);
  fill(main, title, ...children);
  document.title = `${heading} · ${study.title}`;
  title.focus({ preventScroll: true });
  scrollTo(0, 0);
  return title;
}

function primary(label, act, key = "Enter") {
  const button = h("button.primary", { type: "button", "aria-keyshortcuts": key, onclick: act }, h("span", {}, label), " ", keys.cap(key));
  return button;
}

// ---- start

function start() {
  const box = h("input", { type: "checkbox", id: "consent" });
  const problem = h("p.problem", { role: "alert", hidden: true });
  const begin = primary(t("start.begin"), join);
  const facts = [
    study.seconds && h("li", {}, t("start.seconds", { seconds: Math.round(study.seconds) })),
    study.pay && h("li", {}, t("start.pay", { pay: money(study.pay, study.currency) })),
    kind.needs?.map((need) => h("li", {}, t(`start.need.${need}`))),
    study.trials > 0 && h("li", {}, t("start.trials", { count: study.trials })),
    h("li", {}, t("start.stop")),
  ];
  async function join() {
    if (!box.checked) {
      problem.hidden = false;
      problem.textContent = t("start.consent-first");
      box.focus();
      return;
    }
    begin.disabled = true;
    const params = Object.fromEntries(new URLSearchParams(location.search));
    try {
      const reply = await call("POST", "/api/people", { body: { consent: true, consent_version: study.consent?.version, params } });
      if (reply.status !== 201 && reply.status !== 200) throw new Error(reasonOf(reply));
      session.save(reply.data);
      await outbox.readdress(reply.data.token);
      introduce();
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error instanceof Offline ? t("error.offline") : error.message;
      begin.disabled = false;
    }
  }
  page("start", study.heading ?? t("start.title"),
    h("p.lead", {}, t("start.lead", { prompt: promptOf() })),
    h("ul.facts", {}, facts),
    h("section.sheet", { "aria-labelledby": "consent-title" },
      h("h2", { id: "consent-title" }, t("consent.title")),
      (study.consent?.text ?? t(study.takes_recordings ? "consent.voice" : "consent.text")).split("\n\n").map((text) => h("p", {}, text)),
      h("label.check", { for: "consent" }, box, h("span", {}, t("consent.agree")))),
    problem,
    h("div.actions", {}, begin));
  keys.set([{ keys: ["Enter", "Ctrl+Enter"], act: join }]);
}

const promptOf = () => (study.texts?.prompt ? t("prompt") : study.prompt ?? t("prompt"));

// ---- instructions and examples

function introduce() {
  const checks = (kind.needs ?? []).map((need) => {
    const box = h("input", { type: "checkbox" });
    return { box, node: h("label.check", {}, box, h("span", {}, t(`guide.need.${need}`))) };
  });
  const problem = h("p.problem", { role: "alert", hidden: true });
  const go = () => {
    const open = checks.find(({ box }) => !box.checked);
    if (open) {
      problem.hidden = false;
      problem.textContent = t("guide.check-first");
      open.box.focus();
      return;
    }
    session.save({ ready: true });
    proceed();
  };
  page("guide", t("guide.title"),
    kind.introduce?.(study),
    checks.length ? h("section.sheet", {}, h("h2", {}, t("guide.before")), checks.map(({ node }) => node)) : null,
    h("p.soft.keyboard", {}, t("guide.keyboard")),
    withdrawalNote(),
    problem,
    h("div.actions", {}, primary(t("guide.go"), go)));
  keys.set([{ keys: ["Enter", "Ctrl+Enter"], act: go }]);
}

// ---- questions

let walking = null;

/** Show whatever comes next, once however often it is asked for. */
function proceed() {
  walking ??= walk().catch((error) => trouble(String(error.message ?? error))).finally(() => { walking = null; });
  return walking;
}

/** Show a refused answer, the preloaded question, or what the server says. */
async function walk() {
  const { refused } = await outbox.state();
  const fixable = refused.find((record) => record.status !== 401);
  if (fixable) {
    await put("drafts", { unit: fixable.unit, draft: fixable.draft, seconds: fixable.seconds });
    await outbox.withdraw(fixable.key);
    return ask(fixable.question, fixable.refused);
  }
  if (refused.some((record) => record.status === 401)) return expired();
  let result = ahead ? await patiently(ahead) : null;
  ahead = null;
  if (result?.question && isOver(result.question)) {
    await forget(result.question.unit);
    result = null;
  }
  if (!result?.question) {
    // the server counts an answer only when it has it: what waits goes first
    await patiently(outbox.flush());
    result = await patiently(next(session.token()));
  }
  if (result.question) return ask(result.question);
  if (result.finished) return finished(result.finished);
  if (result.nothing) return nothing();
  if (result.offline) return offline();
  if (result.busy) return busy(result.busy);
  return result.refused.status === 401 ? expired() : trouble(reasonOf(result.refused));
}

async function patiently(promise) {
  const timer = setTimeout(() => main.setAttribute("aria-busy", "true"), SHORTEST_BUSY);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    main.removeAttribute("aria-busy");
  }
}

async function ask(question, reason = null) {
  await patiently(preload(question, session.token()));
  answered = Math.max(answered, question.answered ?? 0); // one that was fetched ahead knows less
  count();
  const keptDraft = await get("drafts", question.unit);
  const watch = stopwatch(keptDraft?.seconds);
  const problem = h("p.problem", { role: "alert", hidden: !reason }, reason ?? "");
  let view = null, sending = false;

  const saveDraft = async () => {
    problem.hidden = true;
    ripen();
    await put("drafts", { unit: question.unit, draft: view.draft(), seconds: watch.seconds });
  };
  const tools = { changed: () => { if (view) saveDraft(); }, blob: question.blob, problem: fail };
  function fail(text) {
    problem.hidden = false;
    problem.textContent = text;
    problem.scrollIntoView({ block: "nearest" });
  }
  async function leaveOut() {
    await remove("drafts", question.unit);
    await forget(question.unit);
    view.dispose?.();
    watch.stop();
    proceed();
  }
  async function submit() {
    if (sending) return;
    const { value, sound, problem: missing, focus } = view.read();
    if (missing) {
      focus?.focus();
      return fail(missing);
    }
    sending = true;
    send.disabled = true;
    // not randomUUID, which only secure addresses have
    const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const result = view.waits ? outbox.outcome(key) : null;
    const { blob: _, ...plain } = question;
    const record = { key, unit: question.unit, value, sound, seconds: watch.seconds, token: session.token(), question: plain, draft: view.draft() };
    await outbox.post(record);
    if (result) {
      announce(t("sending"));
      const done = await patiently(result);
      if (done.result === "refused" && done.status !== 401) {
        await outbox.withdraw(key);
        sending = send.disabled = false;
        view.refused?.(done.reason);
        return fail(done.reason);
      }
    }
    await remove("drafts", question.unit);
    await forget(question.unit);
    // what was answered takes no more keys while the next question is on its way
    keys.set([]);
    main.inert = true;
    document.body.dataset.page = "sent";
    answered += 1;
    count();
    view.dispose?.();
    watch.stop();
    announce(t("sent"));
    proceed();
  }

  view = kind.ask(question.show, tools);
  const send = primary(t("send"), submit, view.sendKey ?? "Enter");
  const ripen = () => send.classList.toggle("open", Boolean(view.read().problem));
  const shortcuts = [
    ...view.shortcuts,
    { keys: ["Ctrl+Enter", ...(view.sendKey === "Ctrl+Enter" ? [] : ["Enter"])], shown: [view.sendKey ?? "Enter"], label: t("send"), act: submit },
    { keys: ["?"], shown: ["?"], label: t("shortcuts.show"), act: () => { const list = main.querySelector("details.legend"); list.open = !list.open; if (list.open) list.querySelector("summary").focus(); } },
  ];
  page("question", view.prompt ?? promptOf(),
    view.node, problem,
    h("div.actions", {}, send, reason && h("button.plain", { type: "button", onclick: leaveOut }, t("leave-out"))),
    keys.legend(shortcuts));
  keys.set(shortcuts);
  if (keptDraft && keptDraft.draft !== undefined && keptDraft.draft !== null) view.restore(keptDraft.draft);
  ripen();
  // while this one is answered, the next one comes
  ahead ??= outbox.flush().then((gone) => (gone ? next(session.token(), question.unit) : null))
    .then((result) => (result?.question ? preload(result.question, session.token()).then(() => result) : null));
  const waiting = ahead;
  delete document.body.dataset.ahead;
  waiting.then((result) => { if (result && waiting === ahead) document.body.dataset.ahead = "ready"; });
}

function count() {
  counter.textContent = t("answered", { count: answered });
  counter.hidden = false;
}

// ---- the other ends of the way

function nothing() {
  const timer = setTimeout(proceed, LOOK_AGAIN);
  const again = () => { clearTimeout(timer); proceed(); };
  page("nothing", t("nothing.title"), h("p.lead", {}, t("nothing.text")),
    h("div.actions", {}, primary(t("nothing.again"), again)));
  keys.set([{ keys: ["Enter"], act: again }]);
}

function offline() {
  const again = () => { removeEventListener("online", again); clearInterval(timer); proceed(); };
  const timer = setTimeout(again, LOOK_AGAIN);
  addEventListener("online", again, { once: true });
  page("offline", t("offline.title"), h("p.lead", {}, t("offline.text")),
    h("div.actions", {}, primary(t("again"), again)));
  keys.set([{ keys: ["Enter"], act: again }]);
}

function busy(seconds) {
  const timer = setTimeout(proceed, seconds * 1000);
  page("busy", t("busy.title"), h("p.lead", {}, t("busy.text", { seconds })),
    h("div.actions", {}, primary(t("again"), () => { clearTimeout(timer); proceed(); })));
}

function trouble(reason) {
  page("trouble", t("trouble.title"), h("p.lead", {}, reason),
    h("div.actions", {}, primary(t("again"), proceed)));
}

function expired() {
  page("expired", t("expired.title"), h("p.lead", {}, t("expired.text")),
    h("div.actions", {}, primary(t("expired.again"), () => { session.forget(); start(); })));
}

async function finished({ code, url, reason }) {
  const known = ["trial", "excluded", "closed"].includes(reason) ? reason : "done";
  const copied = h("span.soft", { role: "status" });
  const copy = async () => {
    try { await navigator.clipboard.writeText(code); copied.textContent = t("finished.copied"); } catch { /* it can be read */ }
  };
  page("finished", t(`finished.${known}.title`), h("p.lead", {}, t(`finished.${known}.text`, { count: answered })),
    code && h("section.sheet.code", {},
      h("h2", {}, t("finished.code")),
      h("p.mono", { "data-code": code }, code),
      h("div.row", {}, h("button.plain", { type: "button", onclick: copy }, t("finished.copy")), copied)),
    safe(url) && h("div.actions", {}, h("a.primary", { href: url, rel: "noreferrer" }, t("finished.back"))),
    withdrawalNote());
}

// a study's address is followed only where a browser would go from a link, never as script
const safe = (url) => { try { return ["http:", "https:"].includes(new URL(url, location.href).protocol) && url; } catch { return false; } };

function withdrawalNote() {
  const code = session.read().withdrawal;
  return code && h("p.soft", {}, t("finished.withdrawal"), " ", h("code", {}, code), ". ", h("a", { href: "/withdraw" }, t("withdraw.link")));
}

// ---- what waits

const NOTE_TIME = 12_000; // ms that a note is to be seen

/** Say something beside the way: under the header, for a while. */
function note(text) {
  const place = h("p.note", { role: "status" }, text);
  document.querySelector("body > header").after(place);
  setTimeout(() => place.remove(), NOTE_TIME);
}
outbox.onLate(() => note(t("late")));
outbox.onUnkept(() => note(t("unkept")));
addEventListener("beforeunload", (event) => { if (outbox.wouldLose()) event.preventDefault(); });

let before = "";
outbox.watch(({ waiting, reachable }) => {
  const words = waiting === 0 ? t("saved.all") : t(reachable ? "saved.sending" : "saved.waiting", { count: waiting });
  saved.dataset.state = waiting === 0 ? "saved" : reachable ? "sending" : "waiting";
  if (words === before) return;
  saved.textContent = words;
  // every answer passes through "sending": only a network that is gone or back is worth hearing
  if (saved.dataset.state === "waiting" || before.includes(String(waiting + 1)) && waiting === 0) announce(words);
  before = words;
});

async function boot() {
  kind = await import(new URL(study.question, document.baseURI).href);
  keepPages(); // now that every script is loaded
  if (!session.token()) return start();
  return session.read().ready ? proceed() : introduce();
}

boot().catch((error) => trouble(String(error.message ?? error)));
