/**
 * Loaded into a gateway before its own code (`--import`): records the longest time that its thread worked without running a timer
 * due every millisecond. The thread's own CPU time counts, so that other load on the machine is left
 * out. `{ask: 'worst turn'}` returns it, and starts again.
 */
const PERIOD_MS = 1;

let worstMs = 0;
let last = workedMs();

setInterval(() => {
  const now = workedMs();
  worstMs = Math.max(worstMs, now - last);
  last = now;
}, PERIOD_MS).unref();

process.on('message', (message: { readonly ask?: unknown }) => {
  if (message.ask !== 'worst turn') return;
  process.send?.({ worstMs });
  worstMs = 0;
});

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
