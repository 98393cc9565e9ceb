// How long somebody looked at a question: the clock stands still while the page is hidden.

/** Return {seconds, stop}; `before` are seconds from an earlier visit. */
export function stopwatch(before = 0) {
  let total = before, since = document.hidden ? null : performance.now();
  const running = () => (since === null ? 0 : (performance.now() - since) / 1000);
  function turn() {
    total += running();
    since = document.hidden ? null : performance.now();
  }
  document.addEventListener("visibilitychange", turn);
  return {
    get seconds() { return Math.round(1000 * (total + running())) / 1000; },
    stop: () => document.removeEventListener("visibilitychange", turn),
  };
}
