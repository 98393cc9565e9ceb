// Boards with a switch between metrics, tables that sort, the items behind a score. All of it is
// in the page already: without this script panels open by their names and tables stay as they are.
(() => {
  const make = (name, properties, ...children) => {
    const node = Object.assign(document.createElement(name), properties);
    node.append(...children);
    return node;
  };
  const chooser = (word, choices, chosen) => {
    const select = make("select", {}, ...choices.map(([value, title]) =>
      make("option", { value, textContent: title })));
    select.addEventListener("change", () => chosen(select.value));
    return [make("label", { className: "switch" }, word + " ", select), select];
  };
  const key = (cell) => {
    if (cell.dataset.value !== undefined) return +cell.dataset.value;
    const words = cell.textContent.trim();
    return words === "" || words === "–" ? null : words;
  };
  // what has no value is last in both directions
  const compare = (a, b, sign) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
  };
  const sortBy = (table, column, direction) => {
    const sign = direction === "descending" ? -1 : 1, body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort((a, b) => compare(a[0], b[0], sign));
    body.append(...rows.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", direction);
      else head.removeAttribute("aria-sort");
    });
  };
  document.querySelectorAll("table.sortable").forEach((table) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = make("button", { type: "button", className: "sort", title: "sort by this column" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sortBy(
        table, column, head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending"));
    });
  });

  document.querySelectorAll(".panels").forEach((box) => {
    const panels = [...box.querySelectorAll(".panel")];
    const show = (metric) => panels.forEach((panel) => {
      panel.hidden = panel.dataset.metric !== metric;
      panel.open = true;
    });
    const [label] = chooser("Metric", panels.map((one) => [one.dataset.metric, one.dataset.title]), show);
    box.classList.add("switched");
    box.prepend(label);
    show(panels[0].dataset.metric);
  });

  document.querySelectorAll(".item-values").forEach((box) => {
    const data = JSON.parse(box.querySelector("script").textContent);
    const table = box.querySelector("table"), order = new Map(data.items.map((item, k) => [item, k]));
    const fill = (name) => {
      const metric = data.metrics.find((one) => one.name === name);
      [...table.tBodies[0].rows].forEach((row) => {
        const place = order.get(row.cells[0].textContent.trim());
        data.systems.forEach((_, k) => {
          const cell = row.cells[k + 1], value = metric.values[k][place];
          cell.textContent = value === null ? "–" : value.toFixed(3);
          if (value === null) delete cell.dataset.value; else cell.dataset.value = value;
        });
      });
      return metric;
    };
    const worst = (name, system) => {
      const metric = fill(name), column = Math.max(0, data.systems.indexOf(system)) + 1;
      sortBy(table, column, metric.higher ? "ascending" : "descending");
    };
    const [label, select] = chooser("Metric", data.metrics.map((one) => [one.name, one.title]),
      (name) => worst(name, data.systems[0]));
    // items whose name, or view, has the words stay
    const search = make("input", { type: "search", placeholder: "find items" });
    const view = (row) => {
      const link = row.cells[0].querySelector("a");
      const place = link && document.getElementById(link.hash.slice(1));
      return place && place.closest(".item-view") ? place.textContent : "";
    };
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      [...table.tBodies[0].rows].forEach((row) => {
        const text = (row.cells[0].textContent + " " + view(row)).toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      });
    });
    box.querySelector(".about").replaceWith(
      label, make("label", { className: "switch" }, "Search ", search));
    worst(data.metrics[0].name, data.systems[0]);
    // a value on the board leads here: its metric, its system's worst items first
    document.querySelectorAll(`a[data-items][href="#${box.id}"]`).forEach((link) =>
      link.addEventListener("click", () => {
        const [metric, ...system] = link.dataset.items.split(" ");
        // some metrics have no value of a single item: the table then stays at another
        if (data.metrics.some((one) => one.name === metric)) select.value = metric;
        worst(select.value, system.join(" "));
      }));
  });
})();
