/**
 * Five times as many calls as 64 places and a provider of 50 ms can serve, for a minute; then with a heap of 512 MiB and with 256
 * descriptors. Nine tenths of what is possible are served, in at most twice the time; the rest is refused at once, without a hold.
 */
import assert from 'node:assert/strict';
import { describeOverload, type OverloadFigures, overload } from './support/overload.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

const SIZE = { inFlightMax: 64, answerMs: 50, times: 5 };

await prove('overload', async () => {
  const seconds = countFrom('TURNPIKE_PROVE_OVERLOAD_SECONDS', 60);
  const forMs = seconds * 1000;
  const figures = await overload({ ...SIZE, forMs });
  process.stdout.write(`  64 places: ${describeOverload(figures)}\n`);
  check(figures);
  const small = await overload({
    ...SIZE,
    forMs,
    server: { environment: { NODE_OPTIONS: '--max-old-space-size=512' } },
  });
  process.stdout.write(`  heap of 512 MiB: ${describeOverload(small)}\n`);
  check(small);
  const few = await overload({ ...SIZE, forMs, server: { before: ['prlimit', '--nofile=256'] } });
  process.stdout.write(`  256 descriptors: ${describeOverload(few)}\n`);
  assert.ok(few.readyMs < 2_000, `it took ${few.readyMs} ms to say that it is ready`);
  return describeOverload(figures);
});

function check({ goodput, capacity, p99, calmP99, shedP99, broken, readyMs, modest }: OverloadFigures): void {
  assert.ok(goodput >= 0.9 * capacity, `${goodput} of ${capacity} calls a second were served`);
  assert.ok(p99 <= 2 * calmP99, `99 % of the admitted calls took up to ${p99} ms, ${calmP99} ms without load`);
  assert.ok(shedP99 < 50, `99 % of the refusals took up to ${shedP99} ms`);
  assert.equal(broken, 0, 'connections broke');
  assert.ok(modest > 0.95, `of the modest key ${modest} was served`);
  assert.ok(readyMs < 1_000, `it took ${readyMs} ms to say that it is ready`);
}
