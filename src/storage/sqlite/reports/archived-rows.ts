/** Opens the archive of a sealed month for a list of movements of exactly that month. */
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { dayStart } from '../../../core/calendar.ts';
import type { MovementsQuery } from '../../../stats/ports.ts';
import { monthText } from '../../sql/ledger/ledger-months.ts';
import { monthOfTime } from '../../sql/reports/month-of-time.ts';
import { LEDGER_ROWS, type MovementRows } from '../../sql/reports/read-charges.ts';
import type { ReadDeadline } from '../../threads/read-deadline.ts';
import { archivePath } from '../files.ts';
import { openForReading } from './open-for-reading.ts';

/** The archive has the ledger's tables. */
export const ARCHIVE_ROWS: MovementRows = { ...LEDGER_ROWS, source: 'archive', isSealed: true };

export interface ArchiveParts {
  readonly ledger: DatabaseSync;
  /** The path of the ledger. */
  readonly path: string;
  readonly deadline: ReadDeadline;
}

/** The caller must close it. Null if the range is not a sealed month, or if its archive was moved away. */
export function openArchiveOf(
  { ledger, path, deadline }: ArchiveParts,
  time: Pick<MovementsQuery, 'fromMs' | 'toMs'>,
): DatabaseSync | null {
  const day = monthOfTime(time);
  if (day === null) return null;
  const month = monthText(dayStart(day));
  const seal = ledger.prepare('SELECT 1 FROM seals WHERE month = ? LIMIT 1').get(month);
  return seal === undefined ? null : openForReading(archivePath(dirname(path), month), deadline);
}
