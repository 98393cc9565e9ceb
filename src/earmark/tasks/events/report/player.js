document.querySelectorAll(".player").forEach((box) => {
  const sound = box.querySelector("audio"), svg = box.querySelector("svg");
  const line = box.querySelector("line.now");
  const left = +line.dataset.left, right = +line.dataset.right, end = +line.dataset.end;
  const place = () => {
    const x = left + (right - left) * Math.min(1, sound.currentTime / end);
    line.setAttribute("x1", x); line.setAttribute("x2", x);
    if (!sound.paused) requestAnimationFrame(place);
  };
  sound.addEventListener("play", place); sound.addEventListener("seeked", place);
  sound.addEventListener("timeupdate", place);
  svg.addEventListener("click", (event) => {
    const point = svg.createSVGPoint(); point.x = event.clientX; point.y = event.clientY;
    const x = point.matrixTransform(svg.getScreenCTM().inverse()).x;
    sound.currentTime = Math.max(0, Math.min(end, (x - left) / (right - left) * end));
  });
});
