(() => {
  const root = document.documentElement;
  const wanted = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("earmark-theme"); } catch { return null; } };
  const show = (theme) => { root.dataset.theme = theme; };
  show(stored() || (wanted.matches ? "dark" : "light"));
  wanted.addEventListener("change", (event) => { if (!stored()) show(event.matches ? "dark" : "light"); });
  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.theme");
    if (!button) return;
    const name = () => { button.textContent = root.dataset.theme === "dark" ? "light" : "dark"; };
    name();
    button.addEventListener("click", () => {
      show(root.dataset.theme === "dark" ? "light" : "dark");
      try { localStorage.setItem("earmark-theme", root.dataset.theme); } catch { /* a page from disk may keep nothing */ }
      name();
    });
  });
})();
