// Withdraw: delete everything that a person gave.

import { call, Offline, reasonOf } from "./api.js";
import { fill, h } from "./dom.js";
import * as session from "./session.js";
import { clear } from "./store.js";
import { study, t } from "./texts.js";

const main = document.querySelector("main");
const code = h("input", { id: "code", type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": "code-hint" });
const sure = h("input", { type: "checkbox", id: "sure" });
const problem = h("p.problem", { role: "alert", hidden: true });
const button = h("button.primary.danger", { type: "submit" }, t("withdraw.button"));
code.value = session.read().withdrawal ?? "";

function fail(text, node) {
  problem.hidden = false;
  problem.textContent = text;
  node?.focus();
}

async function submit(event) {
  event.preventDefault();
  problem.hidden = true;
  if (!code.value.trim()) return fail(t("withdraw.code-first"), code);
  if (!sure.checked) return fail(t("withdraw.sure-first"), sure);
  button.disabled = true;
  try {
    const reply = await call("POST", "/api/withdrawals", { body: { code: code.value.trim() } });
    if (reply.status === 404) fail(t("withdraw.unknown"), code);
    else if (reply.status !== 200) fail(reasonOf(reply));
    else await done(reply.data);
  } catch (error) {
    fail(error instanceof Offline ? t("error.offline") : String(error));
  }
  button.disabled = false;
}

async function done({ deleted_answers: answers = 0 }) {
  if (session.read().withdrawal === code.value.trim()) {
    session.forget();
    await clear();
  }
  const title = h("h1", { tabindex: "-1" }, t("withdraw.done.title"));
  fill(main, title, h("p.lead", {}, t("withdraw.done.text", { count: answers })));
  title.focus();
}

document.title = `${t("withdraw.title")} · ${study.title}`;
fill(main, h("h1", {}, t("withdraw.title")), h("p.lead", {}, t("withdraw.text")),
  h("form.sheet", { onsubmit: submit, novalidate: true },
    h("div.field", {}, h("label", { for: "code" }, t("withdraw.code")), code, h("p.soft", { id: "code-hint" }, t("withdraw.hint"))),
    h("label.check", { for: "sure" }, sure, h("span", {}, t("withdraw.sure"))),
    problem, h("div.actions", {}, button)));
