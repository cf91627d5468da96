/**
 * Goal: a disk that fails costs nobody money: no answer ends as paid without its row, new calls get 503 and never
 * 401, and after a restart the ledger adds up with nothing held. Method: the real program under load, its system
 * calls made to fail by strace; a lock by this process. Of the faults that pass by themselves the seed chooses one, and one of those that
 * need a restart: `npm run prove` has all. Skipped, with a message, if strace cannot be used.
 */
import { describe, test } from 'node:test';
import { DISK_FAULTS, diskFault, lockedDatabase, readOnlyAtStart } from '../prove/support/disk-faults.ts';
import { whyNotInjected } from '../prove/support/injected-errors.ts';
import { seeded, seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();
const random = seeded(seed);
const chosen = [true, false].flatMap((passes) => {
  const faults = DISK_FAULTS.filter((fault) => fault.passes === passes);
  return faults.slice(Math.floor(random() * faults.length)).slice(0, 1);
});
const skip = whyNotInjected() ?? false;

describe(`a disk that fails under load (TURNPIKE_PROVE_SEED=${seed})`, { concurrency: 2 }, () => {
  for (const fault of chosen)
    test(fault.name, { skip, timeout: 60_000 }, async (context) => context.diagnostic(await diskFault(fault, seed)));
  test('read-only at the start', { skip, timeout: 60_000 }, async (context) =>
    context.diagnostic(await readOnlyAtStart(seed)),
  );
  test('locked for three seconds', { timeout: 60_000 }, async (context) =>
    context.diagnostic(await lockedDatabase(seed)),
  );
});
