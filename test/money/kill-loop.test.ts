/**
 * Goal: whenever the process is killed, what callers saw whole is charged once, and the ledger adds up. Method:
 * the loop of `npm run prove`, three times, of which one is a start; the seed is in the test's name.
 */
import { test } from 'node:test';
import { killLoop } from '../prove/support/kill-loop.ts';
import { seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();

test(`three kills lose and double nothing (TURNPIKE_PROVE_SEED=${seed})`, { timeout: 100_000 }, async (context) => {
  context.diagnostic(await killLoop(3, seed));
});
