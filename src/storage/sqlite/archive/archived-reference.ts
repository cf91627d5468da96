/** Looks up references in archives while the ledger is in use. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../engine/open-read-only.ts';
import { archivePath, DATABASE_FILE } from '../files.ts';
import { readSeals } from './seals.ts';

/** Whether an archive contains an entry with this reference. */
export function isReferenceOfLedger(folder: string, accountId: number, reference: string): boolean {
  const ledger = openReadOnly(join(folder, DATABASE_FILE));
  let months: string[];
  try {
    months = [...readSeals(ledger).keys()];
  } finally {
    ledger.close();
  }
  return isArchivedReference(folder, months, accountId, reference);
}

/** The same for the archives of these months, in order; missing ones are skipped. */
export function isArchivedReference(
  folder: string,
  months: readonly string[],
  accountId: number,
  reference: string,
): boolean {
  return months.toReversed().some((month) => {
    const path = archivePath(folder, month);
    if (!existsSync(path)) return false;
    const archive = openReadOnly(path);
    try {
      const find = archive.prepare('SELECT 1 FROM entries WHERE account_id = ? AND reference = ?');
      return find.get(accountId, reference) !== undefined;
    } finally {
      archive.close();
    }
  });
}
