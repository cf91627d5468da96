import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dayOf, dayStart, hourOf } from '../../src/core/calendar.ts';

/** A reason to make nothing, as one sentence for a person. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/**
 * Throws `Refusal` if a data folder has sums of calls of the last `days` days or later, real or made up: bulk traffic
 * has the same keys. Older ones do not matter.
 */
export function checkUnused(folder: string, { days, nowMs }: { readonly days: number; readonly nowMs: number }): void {
  const firstDay = dayOf(nowMs) - days;
  const fromMs = dayStart(firstDay);
  const ledger = new DatabaseSync(join(folder, 'turnpike.db'), { readOnly: true });
  try {
    const { used } = ledger
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM rollups_hour WHERE start >= :hour) OR EXISTS (SELECT 1 FROM rollups_day WHERE start >= :day)
         OR EXISTS (SELECT 1 FROM settlements WHERE admitted_at >= :fromMs) AS used`,
      )
      .get({ hour: hourOf(fromMs), day: firstDay, fromMs }) as { used: number };
    if (used === 0) return;
  } finally {
    ledger.close();
  }
  throw new Refusal(
    `${folder} has calls already, and traffic in bulk would not agree with them: nothing was written. ` +
      'Give a new folder with --folder, or add calls with --seed-demo.',
  );
}
