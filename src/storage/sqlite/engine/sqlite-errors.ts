/** Classifies SQLite's result codes: https://www.sqlite.org/rescode.html */

const BUSY = 5;
const LOCKED = 6;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

const DISK_TROUBLE = new Set([NO_MEMORY, READ_ONLY, IO_ERROR, CORRUPT, FULL, CANNOT_OPEN, NOT_A_DATABASE]);

/** Another connection holds the lock; try again later. */
export function isLocked(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/** The disk is full; it may have space later. */
export function isFull(error: unknown): boolean {
  return resultCode(error) === FULL;
}

/** The disk, the file or the memory is at fault, not the statement. */
export function isDiskTrouble(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && DISK_TROUBLE.has(code);
}

/** Reading, writing or syncing failed: it is unknown what a commit left in the file. */
export function isInputOrOutput(error: unknown): error is Error & { readonly errcode: number } {
  return resultCode(error) === IO_ERROR;
}

/** The file is not what SQLite wrote. The error may be the cause of another one. */
export function damageOf(error: unknown): Error | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = resultCode(each);
    if (code === CORRUPT || code === NOT_A_DATABASE) return each;
  }
  return null;
}

/** A row violates a constraint: usually it is a duplicate. */
export function isConstraint(error: unknown): boolean {
  return resultCode(error) === CONSTRAINT;
}

/** Not an error of SQLite: the thread that was to execute the request died, perhaps after it was done. */
export function isUnanswered(error: unknown): boolean {
  return resultCode(error) === null;
}

/** The primary result code, or null for other errors; it survives the transfer from another thread. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}
