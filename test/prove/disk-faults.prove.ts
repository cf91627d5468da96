/** Disks that fail under load: nothing ends as paid that is not on disk, and a restart finds all of it. */
import { brokenPageAtStart, DISK_FAULTS, diskFault, lockedDatabase, readOnlyAtStart } from './support/disk-faults.ts';
import { whyNotInjected } from './support/injected-errors.ts';
import { prove } from './support/prove.ts';

await prove('disk-faults', async (seed) => {
  const tell = (figures: string) => void process.stdout.write(`${figures}\n`);
  tell(await lockedDatabase(seed));
  const skipped = whyNotInjected();
  if (skipped !== null) return `a lock of another process holds; SKIPPED write errors and the rest: ${skipped}`;
  tell(await readOnlyAtStart(seed));
  tell(await brokenPageAtStart(seed));
  for (const fault of DISK_FAULTS) tell(await diskFault(fault, seed));
  return `${DISK_FAULTS.length} ways to fail under load, read-only or broken at the start, locked: 0 lost, 0 double`;
});
