// What the organiser sees: how far it is, what it costs, who answers, and the reference as it stands.

import { call, Offline, reasonOf, sentence } from "./api.js";
import { announce, fill, h, shape } from "./dom.js";
import { language, money, number, said, study, t } from "./texts.js";

const EVERY = 15_000; // ms between looks, while the page is to be seen
const SOON = 2_000; // ms, while the server is computing a new reference
const MOST_ROWS = 200; // of the reference; the rest is in the file that `earmark export` writes
const csrf = document.querySelector("meta[name=csrf]").content;
const main = document.querySelector("main");
main.classList.add("wide");

const share = (value) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(value);
const short = (value, digits = 2) => new Intl.NumberFormat(language, { maximumSignificantDigits: digits + 1 }).format(value);
const known = (value) => value !== null && value !== undefined;
const time = (epoch) => new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "short" }).format(new Date(epoch * 1000));

const problem = h("p.problem", { role: "alert", hidden: true });
const places = { head: h("div"), cards: h("div.cards"), chart: h("div"), people: h("div"), reference: h("div") };
let sort = "flags", search = "";

async function read(path) {
  const reply = await call("GET", path);
  if (reply.status === 401 || reply.status === 403) location.assign("/organiser/sign-in");
  if (reply.status !== 200) throw new Error(reasonOf(reply));
  return reply.data;
}

async function act(method, path, body) {
  try {
    const reply = await call(method, path, { body, csrf });
    if (reply.status >= 400) throw new Error(reasonOf(reply));
    await refresh();
  } catch (error) { fail(error); }
}

function fail(error) {
  problem.hidden = false;
  problem.textContent = error instanceof Offline ? t("error.offline") : error.message;
}

// ---- how far it is

function drawHead(progress) {
  const button = h("button.plain", { type: "button", onclick: () => act("POST", "/api/organiser/pause", { paused: !progress.paused }) },
    t(progress.paused ? "organiser.resume" : "organiser.pause"));
  fill(places.head, h("div.row.head", {}, h("span.tag", { "data-state": progress.paused ? "paused" : "running" }, t(progress.paused ? "organiser.paused" : "organiser.running")),
    button,
    h("a.plain", { href: "/api/organiser/pay.csv", download: "pay.csv" }, t("organiser.pay-list")),
    h("button.plain", { type: "button", onclick: async () => { await call("DELETE", "/api/organiser/session", { csrf }); location.assign("/organiser/sign-in"); } }, t("organiser.sign-out"))));
}

function card(title, big, ...more) {
  return h("section.sheet.card", {}, h("h2", {}, title), big === null ? h("p.unknown", {}, t("organiser.not-yet")) : h("p.big", {}, big), more.map((one) => one && (one instanceof Node ? one : h("p.soft", {}, one))));
}

function bar(part) {
  const inside = h("i");
  inside.style.width = `${100 * Math.max(0, Math.min(1, part))}%`;
  return h("div.bar", { "aria-hidden": "true" }, inside);
}

/** A planned number: its value, and from where to where it may lie where the plan knows. */
function range({ value, low, high }, write) {
  return known(low) && known(high) ? `${write(value)} (${write(low)}–${write(high)})` : write(value);
}

function drawCards(p) {
  const { agreement, money: cost, promise } = p;
  fill(places.cards,
    card(t("organiser.answers"), t("organiser.of", { part: p.counted ?? 0, whole: p.wanted ?? 0 }), p.wanted ? bar(p.counted / p.wanted) : null,
      known(p.settled) && t("organiser.settled", { settled: p.settled, units: p.units }), p.extra ? t("organiser.extra", { count: p.extra }) : null),
    card(t("organiser.an-hour"), known(p.an_hour) ? short(p.an_hour) : null,
      known(p.hours_left) && (p.hours_left < 1.5 ? t("organiser.minutes-left", { count: Math.ceil(60 * p.hours_left) }) : t("organiser.hours-left", { hours: short(p.hours_left) }))),
    cost && card(t("organiser.money"), money(cost.spent ?? 0, cost.currency), known(cost.planned) && t("organiser.planned", { money: money(cost.planned, cost.currency) }),
      promise && t("organiser.promise", { answers: range(promise.answers, (one) => number.format(one)), money: range(promise.money, (one) => money(one, promise.currency)) })),
    card(t("organiser.people"), number.format(p.people ?? 0), known(p.active) && t("organiser.active", { count: p.active }), known(p.open) && t("organiser.open", { count: p.open })),
    card(t("organiser.agreement"), known(agreement?.value) ? share(agreement.value) : null, agreement?.name && sentence(said(agreement.name)), agreement?.why && sentence(said(agreement.why))),
    card(t("organiser.doubt"), known(p.doubt) ? share(p.doubt) : null, t("organiser.doubt-about")));
}

/** Bars of the answers of each hour, with a table of the same numbers for those who cannot see them. */
function drawChart({ by_hour: rows = [] }) {
  if (!rows.length) return fill(places.chart);
  const hours = everyHour(rows);
  const most = Math.max(...hours.map((one) => one.answers), 1), wide = 100 / hours.length;
  const bars = hours.map((one, k) => {
    const tall = (29 * one.answers) / most;
    return shape("rect", { x: (k + 0.1) * wide, y: 30 - tall, width: wide * 0.8, height: tall });
  });
  const svg = shape("svg", { viewBox: "0 0 100 30", preserveAspectRatio: "none", "aria-hidden": "true" }, bars);
  fill(places.chart, h("section.sheet.chart", {}, h("h2", {}, t("organiser.by-hour")), svg,
    h("div.under", {}, h("span", {}, time(hours[0].from)), h("span", {}, t("organiser.most", { count: most })), h("span", {}, time(hours.at(-1).from))),
    h("details", {}, h("summary", {}, t("organiser.as-table")), h("div.scroll", { tabindex: "0", role: "region", "aria-label": t("organiser.by-hour") },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, t("organiser.hour")), h("th.number", {}, t("organiser.answers")))),
        h("tbody", {}, hours.map((one) => h("tr", {}, h("td", {}, time(one.from)), h("td.number", {}, number.format(one.answers))))))))));
}

/** Return every hour from the first to the last, those without answers too, and at least half a day of them. */
function everyHour(rows) {
  const answers = new Map(rows.map((one) => [one.from, one.answers]));
  const last = Math.max(...answers.keys()), first = Math.min(...answers.keys(), last - 11 * 3600);
  const hours = [];
  for (let from = first; from <= last; from += 3600) hours.push({ from, answers: answers.get(from) ?? 0 });
  return hours;
}

// ---- who answers

const COLUMNS = ["person", "answers", "seconds", "competence", "gold", "flags", "pay", "action"];
const ORDER = {
  person: (a, b) => a.person.localeCompare(b.person),
  answers: (a, b) => b.answers - a.answers,
  seconds: (a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity),
  competence: (a, b) => (a.competence ?? Infinity) - (b.competence ?? Infinity),
  flags: (a, b) => (b.flags?.length ?? 0) - (a.flags?.length ?? 0) || b.answers - a.answers,
};

function drawPeople({ people = [] }, currency) {
  const rows = [...people].sort(ORDER[sort]);
  const head = COLUMNS.map((name) => {
    const text = t(`organiser.column.${name}`);
    if (!ORDER[name]) return h("th", { scope: "col" }, text);
    return h("th", { scope: "col", "aria-sort": name === sort ? "descending" : null },
      h("button.sort", { type: "button", onclick: () => { sort = name; drawPeople({ people }, currency); } }, text));
  });
  fill(places.people, h("section.sheet", {}, h("h2", {}, t("organiser.who")),
    people.length ? h("div.scroll", { tabindex: "0", role: "region", "aria-label": t("organiser.who") },
      h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows.map((one) => personRow(one, currency)))))
      : h("p.soft", {}, t("organiser.nobody"))));
}

function personRow(one, currency) {
  const flags = (one.flags ?? []).map((flag) => h("span.tag", { "data-state": "flag" }, t(`organiser.flag.${flag}`)));
  return h("tr", { class: one.excluded ? "excluded" : null },
    h("td", {}, h("code", {}, one.person), one.outside ? h("div.soft", {}, one.market, " ", one.outside) : null),
    h("td.number", {}, number.format(one.answers ?? 0)),
    h("td.number", {}, known(one.seconds) ? t("organiser.seconds", { seconds: short(one.seconds) }) : "–"),
    h("td.number", {}, known(one.competence) ? short(one.competence) : "–"),
    h("td.number", {}, one.gold ? t("organiser.of", { part: one.gold_right, whole: one.gold }) : "–"),
    h("td", {}, h("div.row", {}, flags, one.excluded ? h("span.tag", { "data-state": "paused" }, t("organiser.excluded")) : null, one.why ? h("span.soft", {}, one.why) : null)),
    h("td.number", {}, known(one.pay) ? money(one.pay, currency) : "–"),
    h("td", {}, h("button.plain", { type: "button", "aria-label": t(one.excluded ? "organiser.include-name" : "organiser.exclude-name", { person: one.person }), onclick: () => (one.excluded ? exclude(one, false, "") : askWhy(one)) },
      t(one.excluded ? "organiser.include" : "organiser.exclude"))));
}

const exclude = (one, excluded, why) => act("POST", `/api/organiser/people/${encodeURIComponent(one.person)}`, { excluded, why });

/** Ask for a reason before somebody is excluded; their answers are kept. */
function askWhy(one) {
  const why = h("input", { id: "why", type: "text", maxlength: 200 });
  const dialog = h("dialog.sheet", { "aria-labelledby": "why-title" },
    h("form", { method: "dialog", onsubmit: () => exclude(one, true, why.value.trim()) },
      h("h2", { id: "why-title" }, t("organiser.exclude-name", { person: one.person })),
      h("p.soft", {}, t("organiser.exclude-about")),
      h("div.field", {}, h("label", { for: "why" }, t("organiser.why")), why),
      h("div.actions", {}, h("button.primary.danger", { type: "submit" }, t("organiser.exclude")),
        h("button.plain", { type: "button", onclick: () => dialog.close() }, t("organiser.cancel")))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// ---- the reference as it stands

let kind = {}; // the question's module, which may say a value in words

function inWords(value) {
  try { return kind.summary?.(JSON.parse(value)) ?? value; } catch { return value; }
}

function asPicture(value) {
  try { return kind.picture?.(JSON.parse(value)) ?? null; } catch { return null; }
}

function drawReference(reference) {
  const rows = (reference?.rows ?? []).map((row) => ({ ...row, value: inWords(row.value), stored: row.value }));
  if (!rows.length) return fill(places.reference, h("section.sheet", {}, h("h2", {}, t("organiser.reference")), h("p.soft", {}, reference?.why ? sentence(said(reference.why)) : t("organiser.no-reference"))));
  const body = h("tbody"), note = h("p.soft", { role: "status" });
  const field = h("input", { id: "search", type: "search", oninput: () => { search = field.value; list(); } });
  field.value = search;
  function list() {
    const wanted = search.toLocaleLowerCase();
    const fitting = rows.filter((row) => `${row.item} ${row.value}`.toLocaleLowerCase().includes(wanted));
    fill(body, fitting.slice(0, MOST_ROWS).map((row) => h("tr", {}, h("td", {}, h("code", {}, row.item)), h("td.value", {}, asPicture(row.stored), row.value),
      h("td.number", {}, number.format(row.answers ?? 0)),
      h("td.number", {}, known(row.doubt) ? h("span.doubt", {}, bar(row.doubt), share(row.doubt)) : "–"))));
    note.textContent = t("organiser.shown", { shown: Math.min(fitting.length, MOST_ROWS), total: reference.total ?? rows.length });
  }
  list();
  fill(places.reference, h("section.sheet", {}, h("h2", {}, t("organiser.reference")), h("p.soft", {}, [t("organiser.reference-by", { by: reference.by ?? "" }), kind.legend?.()].filter(Boolean).join(" ")),
    h("div.field.search", {}, h("label", { for: "search" }, t("organiser.search")), field), note,
    h("div.scroll", { tabindex: "0", role: "region", "aria-label": t("organiser.reference") }, h("table", {},
      h("thead", {}, h("tr", {}, ["item", "value", "answers", "doubt"].map((name) => h("th", { scope: "col" }, t(`organiser.column.${name}`))))), body))));
}

// ---- again and again

const before = {};

/** Draw a part only if it changed, so that focus and open parts stay as they are. */
function redraw(name, data, draw) {
  const text = JSON.stringify(data);
  if (before[name] === text) return;
  before[name] = text;
  draw(data);
}

async function refresh() {
  if (places.reference.contains(document.activeElement) && document.activeElement.id === "search") return;
  try {
    const [progress, people, reference] = await Promise.all([read("/api/progress"), read("/api/organiser/people"), read("/api/organiser/reference")]);
    problem.hidden = true;
    redraw("progress", progress, (data) => { drawHead(data); drawCards(data); drawChart(data); });
    redraw("people", people, (data) => drawPeople(data, progress.money?.currency ?? study.currency));
    const { is_making: isMaking, ...shown } = reference;
    redraw("reference", shown, drawReference);
    document.body.dataset.reference = isMaking ? "coming" : "ready";
    if (isMaking) setTimeout(refresh, SOON);
    document.getElementById("updated").textContent = t("organiser.updated", { time: new Intl.DateTimeFormat(language, { timeStyle: "medium" }).format(new Date()) });
    if (!main.dataset.ready) announce(t("organiser.loaded"));
    main.dataset.ready = "yes";
  } catch (error) { fail(error); }
}

document.title = `${t("organiser.title")} · ${study.title}`;
fill(main, h("h1", {}, t("organiser.heading")), problem, places.head, places.cards, places.chart, places.people, places.reference);
try { kind = await import(study.question); } catch { /* values are shown as they are stored */ }
refresh();
setInterval(() => { if (!document.hidden && !document.querySelector("dialog[open]")) refresh(); }, EVERY);
