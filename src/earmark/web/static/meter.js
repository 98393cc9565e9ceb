// A bar that shows how loud the microphone is: up at once, down slowly, drawn once per frame of the screen.

import { h } from "./dom.js";

const FLOOR_DB = 50; // the bar begins this far below full scale
const FALL = 0.985; // per block of 128 samples: half in an eighth of a second
export const FULL = 0.985; // a peak from which on the wave is cut off
export const QUIET = 0.02; // a peak below which a voice is hardly there

/** Return {node, set, clear}; `set(peak)` takes the peak of every block, 0 to 1. */
export function meter() {
  const bar = h("i"), node = h("div.meter", { "aria-hidden": "true" }, bar);
  let level = 0, drawing = false;
  function draw() {
    drawing = false;
    bar.style.width = `${100 * Math.max(0, Math.min(1, 1 + (20 * Math.log10(level + 1e-6)) / FLOOR_DB))}%`;
    node.dataset.state = level > FULL ? "full" : level < QUIET ? "quiet" : "good";
  }
  return {
    node,
    set(peak) {
      level = Math.max(peak, level * FALL);
      if (drawing) return;
      drawing = true;
      requestAnimationFrame(draw);
    },
    clear() {
      level = 0;
      draw();
    },
  };
}
