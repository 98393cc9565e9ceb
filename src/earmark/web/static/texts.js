// The page's words, all from the study's texts: one flat table of keys, in the study's language.

const place = document.getElementById("study");
export const study = place ? JSON.parse(place.textContent) : {};
const texts = study.texts ?? {};
const language = study.language ?? "en";
const plural = new Intl.PluralRules(language);
const number = new Intl.NumberFormat(language);

/** Return whether there is a text of that key. */
export const has = (key) => Object.hasOwn(texts, key);

/** Return the text of a key with {names} filled in; `count` chooses between key.one and key.other. */
export function t(key, values = {}) {
  let text = texts[key];
  if ("count" in values && text === undefined)
    text = texts[`${key}.${plural.select(values.count)}`] ?? texts[`${key}.other`];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = values[name];
    return value === undefined ? all : typeof value === "number" ? number.format(value) : String(value);
  });
}

/** Return the study's own word for a label, or the label with its underscores as spaces. */
export const labelled = (label) => (has(`label.${label}`) ? t(`label.${label}`) : label.replaceAll("_", " "));

/** Return a server's sentence in the study's language where the texts have it. */
export const said = (sentence) => (has(`reason.${sentence}`) ? t(`reason.${sentence}`) : sentence);

export const money = (amount, currency) => new Intl.NumberFormat(language, { style: "currency", currency }).format(amount);
export const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};
export { language, number };
