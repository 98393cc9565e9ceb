// What a team does: sign in with its token, hand in an archive, follow what becomes of it.

import { call, Offline, reasonOf } from "./api.js";
import { announce, fill, h } from "./dom.js";

const place = document.getElementById("challenge");
const team = place.dataset.team;
const csrf = place.dataset.csrf;
const SOON = 1500; // ms between two looks while something waits or runs
const LATER = 15_000;
const ENDED = ["scored", "failed", "passed", "finished"];

const time = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ") + " UTC";
const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
const trouble = (error) => (error instanceof Offline ? "The server cannot be reached. Your page will try again." : String(error));

// ---- signing in

function signIn() {
  const token = h("input", { id: "token", type: "password", autocomplete: "current-password", spellcheck: "false" });
  const problem = h("p.problem", { role: "alert", hidden: true });
  const button = h("button.primary", { type: "submit" }, "Sign in");
  const submit = async (event) => {
    event.preventDefault();
    problem.hidden = true;
    button.disabled = true;
    try {
      const reply = await call("POST", "api/teams/session", { body: { token: token.value.trim() } });
      if (reply.status === 201) return location.reload();
      problem.textContent = reasonOf(reply);
    } catch (error) { problem.textContent = trouble(error); }
    problem.hidden = false;
    button.disabled = false;
    token.focus();
  };
  fill(place,
    h("p.lead", {}, "Sign in with the token that the organiser gave your team."),
    h("form.sheet", { onsubmit: submit },
      h("div.field", {}, h("label", { for: "token" }, "Your team's token"), token),
      problem, h("div.actions", {}, button)));
}

// ---- the phases and the form

const cards = h("div.phases", { "aria-label": "Phases" });
const choice = h("select", { id: "phase" });
const file = h("input", { id: "file", type: "file", accept: ".zip,application/zip" });
const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Upload" });
const problem = h("p.problem", { role: "alert", hidden: true });
const send = h("button.primary", { type: "submit" }, "Hand in");
const list = h("div", { id: "entries" });

const SHOWS = {
  scores: "Scores, reasons and logs are shown at once.",
  verdict: "Only whether your submission passes is shown; no log.",
  nothing: "Blind: nothing is shown before the organiser unblinds it.",
};

function tries(phase) {
  const parts = [];
  if (phase.tries_a_day) parts.push(`${phase.tries_a_day} a day`);
  if (phase.tries) parts.push(`${phase.tries} in all`);
  const left = phase.left === null ? "" : `, ${phase.left} left`;
  return parts.length ? `Tries: ${parts.join(", ")}${left}.` : "Any number of tries.";
}

function drawPhases({ phases }) {
  fill(cards, phases.map((phase) => h("section.sheet", {},
    h("h2", {}, phase.name),
    h("p", {}, phase.unblinded ? "Unblinded: scores are shown." : SHOWS[phase.shows]),
    h("p", {}, tries(phase)),
    phase.closes && h("p.soft", {}, `Closes ${time(phase.closes)}`),
    phase.why && h("p.bad", {}, `${phase.why}.`))));
  const before = choice.value;
  fill(choice, phases.filter((phase) => phase.open).map((phase) => h("option", { value: phase.name }, phase.name)));
  if ([...choice.options].some((option) => option.value === before)) choice.value = before;
  send.disabled = choice.options.length === 0;
}

function fail(text, node) {
  problem.textContent = text;
  problem.hidden = false;
  node?.focus();
}

/** Send the file itself as the body, so that the server can write it as it comes. */
function upload(archive, phase) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const address = new URL("api/submissions", document.baseURI);
    address.search = new URLSearchParams({ phase, file: archive.name });
    request.open("POST", address);
    request.setRequestHeader("Content-Type", "application/zip");
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.upload.onprogress = (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
    request.onload = () => {
      let data = null;
      try { data = JSON.parse(request.responseText); } catch { /* a page of a proxy, not ours */ }
      resolve({ status: request.status, data });
    };
    request.onerror = () => reject(new Offline("no network"));
    request.send(archive);
  });
}

async function handIn(event) {
  event.preventDefault();
  problem.hidden = true;
  const archive = file.files[0];
  if (!archive) return fail("Choose the zip of your submission first.", file);
  const most = Number(place.dataset.megabytes);
  if (archive.size > most * 1e6) return fail(`A submission may have ${most} MB; this one has ${(archive.size / 1e6).toFixed(1)} MB.`, file);
  send.disabled = true;
  bar.value = 0;
  bar.hidden = false;
  try {
    const reply = await upload(archive, choice.value);
    if (reply.status === 202) {
      announce("Handed in.");
      file.value = "";
    } else fail(reasonOf(reply), file);
  } catch (error) { fail(trouble(error)); }
  bar.hidden = true;
  send.disabled = false;
  look();
}

// ---- what became of it

function scores(row) {
  if (!row.scores) return null;
  return h("dl.scores", {}, Object.entries(row.scores).map(([name, score]) => h("div", {},
    h("dt", {}, name),
    h("dd", {}, number(score.value), score.low !== null && h("small", {}, `${number(score.low)} to ${number(score.high)}`)))));
}

function steps(row) {
  if (!row.steps?.length) return null;
  const cells = (step) => [step.step, step.part, step.status, step.reason, step.seconds?.toFixed(1) ?? "", step.megabytes?.toFixed(0) ?? ""];
  return [h("h3", {}, "Steps"), h("div.scroll", { tabindex: "0" }, h("table", {},
    h("thead", {}, h("tr", {}, ["step", "part", "how it ended", "reason", "seconds", "MB"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, row.steps.map((step) => h("tr", {}, cells(step).map((text, column) =>
      h(step.status !== "ok" && column === 2 ? "td.bad" : "td", {}, text)))))))];
}

const LONG = [[86400, "days"], [3600, "hours"], [60, "minutes"]];
function long(seconds) {
  const [size, name] = LONG.find(([one]) => seconds >= 2 * one) ?? [1, "seconds"];
  return `${Math.ceil(seconds / size)} ${name}`;
}

function state(row) {
  if (ENDED.includes(row.state)) return row.reason;
  if (row.reason) return row.reason;
  if (row.ahead !== undefined) return row.ahead ? `${row.ahead} before yours` : "next in line";
  const most = row.seconds_at_most ? `It takes ${long(row.seconds_at_most)} at most.` : "";
  return [row.progress, most].filter(Boolean).join(". ");
}

async function withdraw(row) {
  if (!confirm("Withdraw this submission? It is then on no board, and cannot come back.")) return;
  try {
    const reply = await call("DELETE", `api/submissions/${row.id}`, { csrf });
    if (reply.status !== 200) fail(reasonOf(reply));
  } catch (error) { fail(trouble(error)); }
  look();
}

const open = new Set();

function entry(row) {
  const measured = [[row.cost?.seconds, 1, "s"], [row.cost?.cpu_seconds, 1, "s of CPU"], [row.cost?.megabytes, 0, "MB"]];
  const cost = measured.filter(([value]) => typeof value === "number").map(([value, digits, unit]) => `${value.toFixed(digits)} ${unit}`).join(", ");
  const shown = row.withdrawn ? "withdrawn" : row.state;
  const node = h("details.entry.sheet", { "data-id": row.id, open: open.has(row.id) },
    h("summary", {},
      h("span.badge", { "data-state": shown }, shown),
      h("span", {}, h("b", {}, row.phase), " ", row.file),
      h("span.soft.nowrap", {}, time(row.submitted)),
      h("p.why", {}, state(row))),
    h("div.inside", {},
      scores(row), steps(row),
      row.log && [h("h3", {}, "Last lines of the log"), h("pre.log", { tabindex: "0" }, row.log)],
      h("p.soft.mono", {}, [row.digest && `content ${row.digest.slice(0, 12)}`, row.isolation === "none" ? "NOT ISOLATED" : row.isolation, cost].filter(Boolean).join(" · ")),
      h("p.soft", {}, row.is_try ? "This was one of your tries." : "This was none of your tries."),
      !row.withdrawn && h("button.plain", { type: "button", onclick: () => withdraw(row) }, "Withdraw")));
  node.addEventListener("toggle", () => (node.open ? open.add(row.id) : open.delete(row.id)));
  return node;
}

let before = "";
let timer = 0;

async function look() {
  clearTimeout(timer);
  let waiting = false;
  try {
    const [phases, rows] = await Promise.all([call("GET", "api/phases"), call("GET", "api/submissions")]);
    if (phases.status === 401) return location.reload();
    if (phases.status === 200) drawPhases(phases.data);
    if (rows.status === 200) {
      const { submissions } = rows.data;
      waiting = submissions.some((row) => !ENDED.includes(row.state));
      const text = JSON.stringify(submissions);
      if (text !== before) draw(submissions);
      before = text;
    }
  } catch (error) { if (!(error instanceof Offline)) throw error; }
  timer = setTimeout(look, waiting ? SOON : LATER);
}

const states = new Map();

function draw(submissions) {
  fill(list, submissions.length ? submissions.map(entry) : h("p.soft", {}, "Nothing was handed in yet."));
  for (const row of submissions) {
    if (states.has(row.id) && states.get(row.id) !== row.state) announce(`${row.file}: ${row.state}`);
    states.set(row.id, row.state);
  }
}

if (!team) signIn();
else {
  document.getElementById("leave").addEventListener("click", async () => {
    await call("DELETE", "api/teams/session", { csrf }).catch(() => null);
    location.reload();
  });
  fill(place, cards,
    h("form.sheet.upload", { onsubmit: handIn },
      h("h2", {}, "Hand in a submission"),
      h("div.fields", {},
        h("div.field", {}, h("label", { for: "phase" }, "Phase"), choice),
        h("div.field", {}, h("label", { for: "file" }, `Zip, at most ${place.dataset.megabytes} MB`), file)),
      bar, problem, h("div.row", {}, send)),
    h("h2", {}, "Your submissions"), list);
  look();
}
