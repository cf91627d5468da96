/**
 * Loaded into a gateway before its own code (`--import`): notes the longest time that its thread worked without a timer due every
 * millisecond coming to its turn. The thread's own processor time counts, so that what else the machine does is left
 * out. `{ask: 'worst turn'}` is answered with it, and begins anew.
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
