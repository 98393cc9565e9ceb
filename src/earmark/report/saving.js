// Tables as CSV and pictures as SVG, made from what is on the page; nothing is fetched.
(() => {
  const save = (name, kind, content) => {
    const address = URL.createObjectURL(new Blob([content], { type: kind }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  };
  const fields = (cell) => {
    if (cell.dataset.fields) return JSON.parse(cell.dataset.fields);
    return [cell.dataset.value ?? cell.textContent.trim().replace(/\s+/g, " ")];
  };
  // what a spreadsheet would run is made harmless by a quote before it; numbers stay as they are
  const harmless = (words) => /^[=+\-@\t\r]/.test(words) && Number.isNaN(Number(words)) ? `'${words}` : words;
  const quoted = (field) => {
    const words = harmless(String(field));
    return /[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  };
  const csv = (table) => [...table.rows].map((row) =>
    [...row.cells].flatMap(fields).map(quoted).join(",") + "\r\n").join("");

  // colours and letters come from the page's style; a file of its own needs them written out
  const COPIED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity",
    "font-size", "font-family", "font-weight", "text-anchor"];
  const svg = (picture) => {
    const copy = picture.cloneNode(true);
    const originals = [picture, ...picture.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((node, place) => {
      const style = getComputedStyle(originals[place]);
      COPIED.forEach((name) => {
        const value = style.getPropertyValue(name);
        if (value) node.setAttribute(name, value);
      });
      node.removeAttribute("style");
    });
    const box = picture.viewBox.baseVal;
    const [width, height] = [box?.width || picture.width.baseVal.value, box?.height || picture.height.baseVal.value];
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    paper.setAttribute("width", width);
    paper.setAttribute("height", height);
    paper.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--panel"));
    copy.prepend(paper);
    return new XMLSerializer().serializeToString(copy);
  };
  const plain = (words) => words.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") ;
  const shown = (node) => node.offsetParent !== null || node.getClientRects().length > 0;

  document.querySelectorAll("figure, .savable").forEach((box) => {
    const title = box.querySelector("h3, h4")?.textContent ?? document.title;
    const bar = document.createElement("span");
    bar.className = "saving";
    const name = (end) => [title, box.querySelector("select")?.value ?? ""].map(plain).filter(Boolean).join("-") + end;
    const offer = (word, action) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = word;
      button.title = `save as ${word}`;
      button.addEventListener("click", action);
      bar.append(button);
    };
    const all = (selector) => [...box.querySelectorAll(selector)];
    if (all("table").length) {
      offer("CSV", () => save(name(".csv"), "text/csv", all("table").filter(shown).map(csv).join("\r\n")));
    }
    const pictures = all("svg[role=img]"), inPanels = box.querySelector(".panel svg") !== null;
    const savePicture = (picture, end) => save(name(end), "image/svg+xml", svg(picture));
    if (inPanels || pictures.length === 1) offer("SVG", () => savePicture(pictures.find(shown), ".svg"));
    else pictures.forEach((picture, k) => offer(`SVG ${k + 1}`, () => savePicture(picture, `-${k + 1}.svg`)));
    if (bar.childNodes.length) box.append(bar);
  });
})();
