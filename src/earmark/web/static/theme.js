// Light or dark: as the system says, or as this button was last set.

const PLACE = "earmark:theme";
const root = document.documentElement;
const button = document.getElementById("theme");
const system = matchMedia("(prefers-color-scheme: dark)");

function draw() {
  const chosen = localStorage.getItem(PLACE);
  const dark = chosen ? chosen === "dark" : system.matches;
  root.dataset.theme = dark ? "dark" : "light";
  button?.setAttribute("aria-pressed", String(dark));
}
button?.addEventListener("click", () => {
  localStorage.setItem(PLACE, root.dataset.theme === "dark" ? "light" : "dark");
  draw();
});
system.addEventListener("change", draw);
draw();
