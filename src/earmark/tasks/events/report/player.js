(() => {
const button = (words, action) => {
  const node = document.createElement("button");
  Object.assign(node, { type: "button", className: "small", textContent: words });
  node.addEventListener("click", action);
  return node;
};
document.querySelectorAll(".legend.sources span").forEach((entry) => {
  const shown = () => entry.firstChild.ariaPressed === "true";
  const toggle = button("", () => {
    toggle.ariaPressed = shown() ? "false" : "true";
    document.querySelectorAll(`.recording g[data-source="${entry.dataset.source}"]`).forEach((bars) => {
      bars.style.display = shown() ? "" : "none";
    });
  });
  toggle.title = "hide or show this source";
  toggle.ariaPressed = "true";
  toggle.append(...entry.childNodes);
  entry.append(toggle);
});
document.querySelectorAll(".recording").forEach((box) => {
  const svg = box.querySelector("svg"), bar = document.createElement("p");
  const least = svg.style.minWidth;
  let factor = 1;
  const zoom = (by) => {
    factor = Math.min(8, Math.max(1, factor * by));
    svg.style.minWidth = factor > 1 ? `${factor * 100}%` : least;
    svg.style.maxWidth = factor > 1 ? "none" : "";
  };
  bar.className = "controls";
  bar.append(button("zoom in", () => zoom(2)), button("zoom out", () => zoom(0.5)));
  box.append(bar);
  const sound = box.querySelector("audio"), line = box.querySelector("line.now");
  if (!sound) return;
  const left = +line.dataset.left, right = +line.dataset.right, end = +line.dataset.end;
  // the picture is the time line: the browser's own would not lie beneath the picture's axis
  const play = button("play", () => { if (sound.paused) sound.play(); else sound.pause(); });
  const time = document.createElement("span");
  sound.controls = false;
  bar.prepend(play, time);
  const place = () => {
    const x = left + (right - left) * Math.min(1, sound.currentTime / end);
    line.setAttribute("x1", x); line.setAttribute("x2", x);
    time.textContent = `${sound.currentTime.toFixed(1)} of ${end.toFixed(1)} s`;
    play.textContent = sound.paused ? "play" : "pause";
    if (!sound.paused) requestAnimationFrame(place);
  };
  ["play", "pause", "ended", "seeked", "timeupdate"].forEach((news) => sound.addEventListener(news, place));
  place();
  svg.addEventListener("click", (event) => {
    const point = svg.createSVGPoint(); point.x = event.clientX; point.y = event.clientY;
    const x = point.matrixTransform(svg.getScreenCTM().inverse()).x;
    sound.currentTime = Math.max(0, Math.min(end, (x - left) / (right - left) * end));
  });
});
})();
