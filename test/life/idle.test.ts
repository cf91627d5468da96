/**
 * Goal: a server without calls sleeps. Method: the whole gateway after some calls, and the event loop's own count
 * of its turns while a second of real time goes by, which is what is measured here.
 */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { chatBody, DIALECTS, openBench, PATHS } from '../support/open-gateway.ts';

const MEASURED_MS = 1_000;
/** A timer every ten milliseconds alone would be a hundred. */
const TURNS_MAX = 10;
const TRIES = 5;

test('once its calls are written down an idle gateway is woken a few times a second at most', async (context) => {
  const bench = await openBench();
  try {
    for (const dialect of DIALECTS) {
      const answer = await bench.post(PATHS[dialect], chatBody(false));
      assert.equal(answer.status, 200, await answer.text());
    }
    const turns: number[] = [];
    // What a call leaves to do (its record, its log line, the checkpoint) uses some of the first tries.
    while (turns.length < TRIES && (turns.at(-1) ?? Number.POSITIVE_INFINITY) > TURNS_MAX)
      turns.push(await turnsOf(MEASURED_MS));
    context.diagnostic(`turns of the event loop a second: ${turns.join(', ')}`);
    assert.ok((turns.at(-1) as number) <= TURNS_MAX, `${turns.join(', ')} turns a second`);
  } finally {
    await bench.close();
  }
});

async function turnsOf(ms: number): Promise<number> {
  const before = performance.nodeTiming.uvMetricsInfo.loopCount;
  await new Promise<void>((resolve) => systemClock.after(ms, resolve));
  return performance.nodeTiming.uvMetricsInfo.loopCount - before;
}
