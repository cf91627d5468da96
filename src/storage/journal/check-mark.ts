/** Whether a journal has everything that callers know to be settled. It is read before it is opened for writing, which removes what is left of a damaged log. */
import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { JOURNAL_FILE, journalPath, readFact } from './journal-database.ts';
import { MARK_FILE, type Mark, readMark } from './journal-mark.ts';
import { lastIdOf } from './recover-journal.ts';

/** Linux has a new one after each start of the machine: https://docs.kernel.org/admin-guide/sysctl/kernel.html#random */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

export function bootId(): string {
  try {
    return readFileSync(BOOT_ID, 'latin1').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Compares the journal in a folder with its mark. Throws an error that says what to do if settlements are missing. Returns how many commits at
 * most are missing because the machine stopped, which `durability: process` does not survive; 0 as a rule.
 */
export function checkMark(folder: string): number {
  const path = journalPath(folder);
  refuseOtherKinds(path);
  const mark = readMark(folder);
  const hasFile = bytesOf(path) > 0;
  // SQLite would remove it.
  if (!hasFile && bytesOf(`${path}-wal`) > 0) throw lost(path, 'the file is gone or empty, and its log is there', null);
  if (mark === null) return 0;
  const there = hasFile ? readThere(path) : EMPTY;
  const missing = there === null ? 0 : missingCommits(mark, there);
  if (missing === 0) return 0;
  if (mark.boot !== '' && mark.boot !== bootId()) return missing;
  throw lost(path, reasonOf(mark, there?.id ?? null), missing);
}

/** A link to a disk that is not mounted would become a new journal. */
function refuseOtherKinds(path: string): void {
  const kind = lstatSync(path, { throwIfNoEntry: false });
  if (kind === undefined || kind.isFile()) return;
  if (!kind.isSymbolicLink()) throw new Error(`The journal ${path} is not a file. Move it away; then start again.`);
  if (leadsSomewhere(path)) return;
  throw new Error(
    `The journal ${path} is a link to ${readlinkSync(path)}, which is not there. Mount its disk; ` +
      'or, to begin with an empty journal there, create it as an empty file.',
  );
}

function leadsSomewhere(link: string): boolean {
  try {
    return statSync(link, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // It leads to itself.
    return false;
  }
}

function bytesOf(path: string): number {
  const file = statSync(path, { throwIfNoEntry: false });
  return file?.isFile() === true ? file.size : 0;
}

/** What a journal has: its id, and the last batch. */
interface There {
  readonly id: string | null;
  readonly last: number;
}

const EMPTY: There = { id: null, last: 0 };

/** Null if the file cannot be read: opening it says why. */
function readThere(path: string): There | null {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
      return isEmpty ? EMPTY : { id: String(readFact(database, 'id')), last: lastIdOf(database) };
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** At most: of those after the last one that is known to be at the bank, it may have some. */
function missingCommits({ id, promised, sent }: Mark, there: There): number {
  return Math.max(0, promised - Math.max(sent, there.id === id ? there.last : 0));
}

function reasonOf(mark: Mark, id: string | null): string {
  if (id === null) return 'the file or its log is gone, empty or damaged';
  return id === mark.id
    ? 'its log is damaged, cut or gone, or the file is an older copy'
    : 'it is another journal than this folder had';
}

/** `missing` is null if it is not known. */
function lost(path: string, reason: string, missing: number | null): Error {
  const what = missing === null ? 'settlements' : `up to ${missing} commits of settlements`;
  const remedy = missing === null ? `${JOURNAL_FILE}-wal` : MARK_FILE;
  return new Error(
    `The journal ${path} lacks ${what} that the database may not have: ${reason}. Put back what was there; or keep a copy of ` +
      `${JOURNAL_FILE}, ${JOURNAL_FILE}-wal and ${MARK_FILE}, and remove ${remedy}: the node then starts with what is left, and the ` +
      'operator bears the calls that are missing.',
  );
}
