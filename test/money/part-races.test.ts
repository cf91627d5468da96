/**
 * Goal: no number of concurrent requests of any paid operation takes the same money twice, whatever it is charged by. Method: the race of
 * `npm run prove`, once for each operation of the table.
 */
import { test } from 'node:test';
import { partRaces } from '../prove/support/part-races.ts';
import { seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();

test('a balance for ten calls admits ten of a hundred, of every operation, to the nano', async (context) => {
  context.diagnostic(`TURNPIKE_PROVE_SEED=${seed}`);
  context.diagnostic(await partRaces(1, seed));
});
