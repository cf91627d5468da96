/** The archive of a sealed month, where a list of movements is about that month and nothing else. */
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { dayStart, nextMonthOf } from '../../../core/calendar.ts';
import type { MovementsQuery } from '../../../stats/ports.ts';
import { monthText } from '../../sql/ledger/ledger-months.ts';
import { archivePath } from '../files.ts';
import { openForReading, type ReadDeadline } from './open-for-reading.ts';

export interface ArchiveParts {
  readonly ledger: DatabaseSync;
  /** Of the ledger. */
  readonly path: string;
  readonly deadline: ReadDeadline;
}

type Time = Pick<MovementsQuery, 'fromMs' | 'toMs'>;

/** The first day of the month, since 1970 UTC, that a time is exactly; else null. */
export function monthOfTime({ fromMs, toMs }: Time): number | null {
  if (fromMs === null || toMs === null) return null;
  const day = fromMs / dayStart(1);
  const isWhole = Number.isInteger(day) && toMs === dayStart(nextMonthOf(day));
  return isWhole && new Date(fromMs).getUTCDate() === 1 ? day : null;
}

/** To be closed by who asked. Null where the time is no sealed month, and where its archive is elsewhere. */
export function openArchiveOf({ ledger, path, deadline }: ArchiveParts, time: Time): DatabaseSync | null {
  const day = monthOfTime(time);
  if (day === null) return null;
  const month = monthText(dayStart(day));
  const seal = ledger.prepare('SELECT 1 FROM seals WHERE month = ? LIMIT 1').get(month);
  return seal === undefined ? null : openForReading(archivePath(dirname(path), month), deadline);
}
