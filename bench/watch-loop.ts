/**
 * Loaded into a subject before its own code (`--import`): records the longest delay of a timer
 * due every millisecond, and the most processor time of the thread between two of them, which other programs on the machine change less. On
 * SIGUSR2 it prints `loop-worst <n> <ms>` and `loop-cpu <n> <ms>`, the n-th such report, and starts again.
 */
const PERIOD_MS = 1;

let reports = 0;
let worstMs = 0;
let worstCpuUs = 0;
let lastMs = performance.now();
let lastCpuUs = cpuUs();

const timer = setInterval(() => {
  const nowMs = performance.now();
  worstMs = Math.max(worstMs, nowMs - lastMs - PERIOD_MS);
  lastMs = nowMs;
  const nowCpuUs = cpuUs();
  worstCpuUs = Math.max(worstCpuUs, nowCpuUs - lastCpuUs);
  lastCpuUs = nowCpuUs;
}, PERIOD_MS);
timer.unref();

process.on('SIGUSR2', () => {
  reports += 1;
  process.stderr.write(`loop-worst ${reports} ${worstMs.toFixed(3)}\n`);
  process.stderr.write(`loop-cpu ${reports} ${(worstCpuUs / 1_000).toFixed(3)}\n`);
  worstMs = 0;
  worstCpuUs = 0;
});

function cpuUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
