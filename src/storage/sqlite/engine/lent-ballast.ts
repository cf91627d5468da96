/**
 * The reserve for a full disk, for tests: thousands of them open a storage, and writing 8 MiB takes longer than the rest of that. One file has
 * it for all; each folder gets another name of it, which can be removed like a file.
 */
import { existsSync, linkSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BALLAST_FILE, Ballast } from './ballast.ts';

const LENT = join(tmpdir(), `turnpike-test-ballast-${process.getuid?.() ?? 0}`);

/** Puts it into a folder without one. Does nothing on another disk: the storage then writes its own. */
export function lendBallast(folder: string): void {
  if (!existsSync(LENT)) makeLent();
  try {
    linkSync(LENT, join(folder, BALLAST_FILE));
  } catch (error) {
    if (!['EEXIST', 'EXDEV', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/** Renamed once it is whole; another process may do the same. */
function makeLent(): void {
  const folder = mkdtempSync(`${LENT}-`);
  if (new Ballast(folder).make()) renameSync(join(folder, BALLAST_FILE), LENT);
  rmSync(folder, { recursive: true });
}
