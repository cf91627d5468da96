/** Where test files put their temporary files. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Several times what test files have there at the same time. */
const NEEDED_BYTES = 4 * 2 ** 30;
/** As of every folder for temporary files: PostgreSQL, which does not run as root, makes and removes its own there. */
const MODE = 0o1777;

/**
 * In memory if there is room: tests of storage wait for the disk more than half of their time. Returns the variables that lead processes to
 * it, and a function that removes it; without room, no variables.
 */
export function makeTemporaryFolder(place = MEMORY) {
  if (!hasRoom(place)) return { variables: {}, remove() {} };
  const folder = mkdtempSync(join(place, 'turnpike-tests-'));
  chmodSync(folder, MODE);
  return { variables: { TMPDIR: folder }, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function hasRoom(place) {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
