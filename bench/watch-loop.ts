/**
 * Loaded into a subject before its own code (`--import`): records the longest delay of a timer
 * due every millisecond. On SIGUSR2 it prints `loop-worst <n> <ms>`, the
 * n-th such report, and starts again.
 */
const PERIOD_MS = 1;

let reports = 0;
let worstMs = 0;
let lastMs = performance.now();

const timer = setInterval(() => {
  const nowMs = performance.now();
  worstMs = Math.max(worstMs, nowMs - lastMs - PERIOD_MS);
  lastMs = nowMs;
}, PERIOD_MS);
timer.unref();

process.on('SIGUSR2', () => {
  reports += 1;
  process.stderr.write(`loop-worst ${reports} ${worstMs.toFixed(3)}\n`);
  worstMs = 0;
});
