/**
 * 500 live streams of up to 30 s and a SIGTERM: none breaks, readiness is 503 at once, the exit code is 0 and no hold is left. Then a
 * deadline that comes before their end, and a second signal before the deadline: each stream ends with an error event.
 */
import assert from 'node:assert/strict';
import { drain } from './support/drain.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('drain', async () => {
  const streams = countFrom('TURNPIKE_PROVE_DRAIN_STREAMS', 500);
  const size = { streams, streamMs: 30_000 };
  const whole = await drain({ ...size, drainMs: 600_000, secondAfterMs: null });
  assert.equal(whole.whole, streams, `${streams - whole.whole} streams broke`);
  assert.ok(whole.unreadyMs < 1_000, `ready for ${whole.unreadyMs} ms after the signal`);
  const late = await drain({ ...size, drainMs: 3_000, secondAfterMs: null });
  assert.deepEqual([late.whole, late.told], [0, streams], 'at the deadline each stream gets its error');
  const twice = await drain({ ...size, drainMs: 600_000, secondAfterMs: 1_500 });
  assert.deepEqual([twice.whole, twice.told], [0, streams], 'at the second signal each stream gets its error');
  return (
    `${streams} streams: 0 broken, not ready after ${whole.unreadyMs.toFixed(0)} ms, gone after ${seconds(whole.goneMs)}; ` +
    `with a deadline of 3 s gone after ${seconds(late.goneMs)}, each with its error; with a second signal after ${seconds(twice.goneMs)}`
  );
});

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
