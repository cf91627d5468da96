/**
 * Goal: a disk that fails costs nobody money: no answer ends as paid without its row, new calls get 503 and never
 * 401, and after a restart the ledger adds up with nothing held. Method: the real program under load, its system
 * calls made to fail by strace; a lock by this process: S3–S6 of the fault table. Of the faults that pass by themselves the seed chooses one, one of those that
 * need a restart, and one of those at a start: `npm run prove -- disk-faults` has all. Skipped, with a message, if strace cannot be used.
 */
import { describe, type TestContext } from 'node:test';
import { faultRow, type RowNotes } from '../faults/rows/fault-row.ts';
import {
  brokenPageAtStart,
  DISK_FAULTS,
  type DiskFault,
  diskFault,
  lockedDatabase,
  readOnlyAtStart,
} from '../prove/support/disk-faults.ts';
import { whyNotInjected } from '../prove/support/injected-errors.ts';
import { seeded, seedOf } from '../prove/support/seeded.ts';

const seed = seedOf();
const random = seeded(seed);
/** One of the faults that pass by themselves, or of the others. */
function chosen(passes: boolean): DiskFault {
  const faults = DISK_FAULTS.filter((fault) => fault.passes === passes);
  return faults[Math.floor(random() * faults.length)] as DiskFault;
}
const skip = whyNotInjected() ?? false;

const TIMEOUT = { timeout: 60_000 };
const FILE = import.meta.filename;

const fails = (passes: boolean) => async (row: RowNotes, context: TestContext) => {
  const fault = chosen(passes);
  context.diagnostic(await diskFault(fault, seed));
  row.note('503 `ledger_unavailable`', 'L0');
  row.note('the same for a whole answer that cannot be settled, and as the last event of a stream', 'LV');
  row.note(passes ? 'answers again by itself, once there is room' : 'answers again after a restart', 'LP');
};

describe(`a disk that fails under load (TURNPIKE_PROVE_SEED=${seed})`, { concurrency: 2 }, () => {
  faultRow('S3', FILE, fails(false), { skip, ...TIMEOUT });
  faultRow('S4', FILE, fails(true), { skip, ...TIMEOUT });
  faultRow(
    'S6',
    FILE,
    async (row, context) => {
      const atStart = random() < 0.5 ? readOnlyAtStart : brokenPageAtStart;
      context.diagnostic(await atStart(seed));
      row.note('no gateway: it does not start, and says why', 'L0');
    },
    { skip, ...TIMEOUT },
  );
  faultRow(
    'S5',
    FILE,
    async (row, context) => {
      context.diagnostic(await lockedDatabase(seed));
      row.note('the answer, once the lock is released', 'LP');
    },
    TIMEOUT,
  );
});
