/**
 * Goal: no number of concurrent requests takes the same money twice. Method: the race of `npm run prove`, three times:
 * a balance for a hundred calls, a thousand callers of two formats, streamed and whole.
 */
import { test } from 'node:test';
import { races } from '../prove/support/race.ts';
import { seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();

test(`a thousand requests for a hundred holds: a hundred are served (TURNPIKE_PROVE_SEED=${seed})`, async (context) => {
  context.diagnostic(await races(3, seed));
});
