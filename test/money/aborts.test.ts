/**
 * Goal: a caller that leaves a stream pays for what was read, to the token, and frees the provider within 100 ms. Method: a
 * thousand callers of two formats and both lanes leave after k tokens; the model's tokenizer counts words, so what each
 * owes is known. Other tests run at the same time, so one in ten may take longer; `npm run prove` allows one in a hundred.
 */
import { test } from 'node:test';
import { aborts } from '../prove/support/aborts.ts';
import { seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();

test(`a thousand streams that are left are charged to the token (TURNPIKE_PROVE_SEED=${seed})`, async (context) => {
  context.diagnostic(await aborts(1_000, seed, 0.9));
});
