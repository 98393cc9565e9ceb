// Which side is up? The smallest page that a task can bring.

import { h } from "../static/dom.js";
import { t } from "../static/texts.js";

export function ask(show, tools) {
  const sides = ["heads", "tails"].map((side) => {
    const radio = h("input", { type: "radio", name: "side", value: side, onchange: () => tools.changed() });
    return { side, radio, node: h("div.choice", {}, h("label", {}, radio, h("span.name", {}, t(`coins.${side}`)))) };
  });
  const chosen = () => sides.find(({ radio }) => radio.checked)?.side;
  return {
    node: h("fieldset.choices", {}, h("legend", {}, show.text), sides.map(({ node }) => node)),
    shortcuts: sides.map(({ side, radio }) => ({ keys: [side[0]], label: t(`coins.${side}`), act: () => radio.click() })),
    read: () => (chosen() ? { value: { side: chosen() } } : { problem: t("coins.choose") }),
    draft: () => chosen() ?? null,
    restore: (side) => sides.forEach((one) => { one.radio.checked = one.side === side; }),
  };
}
