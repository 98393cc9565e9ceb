// Elements made by calls. Texts become text nodes, so nothing that a study contains is read as HTML.

/** Return an element: h("button.primary", {onclick: go}, "Begin"); false and null children are left out. */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Return what is inside an element replaced by the given nodes. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(9).filter(Boolean));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** Make an element of a drawing: name, attributes, children. */
export function shape(name, attributes = {}, children = []) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Return a drawing of a static path; the paths are ours, never a study's. */
export const icon = (path) => shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, [shape("path", { d: path })]);

export const PLAY = "M8 5v14l11-7z";
export const PAUSE = "M7 5h4v14H7zM13 5h4v14h-4z";
export const STOP = "M6 6h12v12H6z";
export const DOT = "M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14z";

let region = null;

/** Say something to screen readers, once, politely. */
export function announce(text) {
  if (!region) {
    region = h("p.unseen", { role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  region.textContent = "";
  // the same text twice is read twice only if the region was empty in between
  setTimeout(() => { region.textContent = text; }, 60);
}
