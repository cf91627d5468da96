/**
 * Goal: whenever the process is killed, each line of a batch has one result, and each answer one settlement. Method: the loop of
 * `npm run prove -- kill-batches`, three times; the seed is in the diagnostics.
 */
import { test } from 'node:test';
import { killBatches } from '../prove/support/kill-batches.ts';
import { seedOf } from '../prove/support/seeded.ts';

test('kill -9 loses no line of a batch, and charges none twice', { timeout: 200_000 }, async (context) => {
  const seed = seedOf();
  context.diagnostic(`TURNPIKE_PROVE_SEED=${seed}`);
  context.diagnostic(await killBatches(3, seed));
});
