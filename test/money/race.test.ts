/**
 * Goal: no number of concurrent requests takes the same money twice. Method: S20 of the fault table, the race of `npm run prove`, three times:
 * a balance for a hundred calls, a thousand callers of two formats, streamed and whole.
 */
import { faultRow } from '../faults/rows/fault-row.ts';
import { races } from '../prove/support/race.ts';
import { seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();

faultRow('S20', import.meta.filename, async (row, context) => {
  context.diagnostic(`TURNPIKE_PROVE_SEED=${seed}`);
  context.diagnostic(await races(3, seed));
  row.note('answers to as many as the balance covers', 'LP');
  row.note('402 `balance_reserved` with `Retry-After` for the rest', 'L0');
});
