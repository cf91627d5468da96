/** Where the servers that tests share keep their data. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Twice what the databases and the log of changes take while `npm test` runs. */
const NEEDED_BYTES = 2 * 2 ** 30;

/**
 * In memory if there is room: a test's database is four hundred files, and a file system on a disk takes several times as long to make and
 * to remove them. Containers often have a few megabytes there; then the folder of temporary files.
 */
export function dataPlace(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
