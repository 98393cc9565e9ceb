// The organiser signs in.

import { call, Offline, reasonOf } from "./api.js";
import { fill, h } from "./dom.js";
import { study, t } from "./texts.js";

const password = h("input", { id: "password", type: "password", autocomplete: "current-password" });
const problem = h("p.problem", { role: "alert", hidden: true });
const button = h("button.primary", { type: "submit" }, t("organiser.sign-in"));

async function submit(event) {
  event.preventDefault();
  button.disabled = true;
  try {
    const reply = await call("POST", "/api/organiser/session", { body: { password: password.value } });
    if (reply.status === 201) return location.assign("/organiser");
    problem.textContent = reply.status === 401 ? t("organiser.wrong-password") : reasonOf(reply);
  } catch (error) {
    problem.textContent = error instanceof Offline ? t("error.offline") : String(error);
  }
  problem.hidden = false;
  button.disabled = false;
  password.select();
}

document.title = `${t("organiser.title")} · ${study.title}`;
fill(document.querySelector("main"), h("h1", {}, t("organiser.title")),
  h("form.sheet", { onsubmit: submit },
    h("div.field", {}, h("label", { for: "password" }, t("organiser.password")), password),
    problem, h("div.actions", {}, button)));
password.focus();
