/** Opens the archive of a sealed month for a list of movements of exactly that month. */
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { dayStart, nextMonthOf } from '../../../core/calendar.ts';
import type { MovementsQuery } from '../../../stats/ports.ts';
import { monthText } from '../../sql/ledger/ledger-months.ts';
import { archivePath } from '../files.ts';
import { openForReading, type ReadDeadline } from './open-for-reading.ts';

export interface ArchiveParts {
  readonly ledger: DatabaseSync;
  /** The path of the ledger. */
  readonly path: string;
  readonly deadline: ReadDeadline;
}

type Time = Pick<MovementsQuery, 'fromMs' | 'toMs'>;

/** If a time range is exactly one UTC month, its first day in days since 1970; otherwise null. */
export function monthOfTime({ fromMs, toMs }: Time): number | null {
  if (fromMs === null || toMs === null) return null;
  const day = fromMs / dayStart(1);
  const isWhole = Number.isInteger(day) && toMs === dayStart(nextMonthOf(day));
  return isWhole && new Date(fromMs).getUTCDate() === 1 ? day : null;
}

/** The caller must close it. Null if the range is not a sealed month, or if its archive was moved away. */
export function openArchiveOf({ ledger, path, deadline }: ArchiveParts, time: Time): DatabaseSync | null {
  const day = monthOfTime(time);
  if (day === null) return null;
  const month = monthText(dayStart(day));
  const seal = ledger.prepare('SELECT 1 FROM seals WHERE month = ? LIMIT 1').get(month);
  return seal === undefined ? null : openForReading(archivePath(dirname(path), month), deadline);
}
