/**
 * Goal: whenever the process is killed, what callers saw whole is charged once, and the ledger adds up. Method:
 * the loop of `npm run prove`, three times, of which one is a start; the seed is in the test's name.
 */
import { faultRow } from '../faults/rows/fault-row.ts';
import { killLoop } from '../prove/support/kill-loop.ts';
import { seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();

faultRow(
  'S1',
  import.meta.filename,
  async (row, context) => {
    context.diagnostic(`TURNPIKE_PROVE_SEED=${seed}`);
    context.diagnostic(await killLoop(3, seed));
    row.note('a broken connection', 'LC');
    row.note('what was seen whole is charged once', 'LP');
  },
  { timeout: 100_000 },
);
