/**
 * Goal: a disk that fails costs nobody money: no answer ends as paid without its row, new calls get 503 and never
 * 401, and after a restart the ledger adds up with nothing held. Method: the real program under load, its system
 * calls made to fail by strace; a lock by this process. Skipped, with a message, if strace cannot be used.
 */
import { describe, test } from 'node:test';
import { DISK_FAULTS, diskFault, lockedDatabase, readOnlyAtStart } from '../prove/support/disk-faults.ts';
import { whyNotInjected } from '../prove/support/injected-errors.ts';
import { seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();
const skip = whyNotInjected() ?? false;

describe(`a disk that fails under load (TURNPIKE_PROVE_SEED=${seed})`, { concurrency: 2 }, () => {
  for (const fault of DISK_FAULTS)
    test(fault.name, { skip, timeout: 60_000 }, async (context) => context.diagnostic(await diskFault(fault, seed)));
  test('read-only at the start', { skip, timeout: 60_000 }, async (context) =>
    context.diagnostic(await readOnlyAtStart(seed)),
  );
  test('locked for three seconds', { timeout: 60_000 }, async (context) =>
    context.diagnostic(await lockedDatabase(seed)),
  );
});
