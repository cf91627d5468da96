import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A reason to make nothing, as one sentence for a person. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Throws `Refusal` where a data folder has sums of calls, real or made up: what is made in bulk has the same places. */
export function checkUnused(folder: string): void {
  const ledger = new DatabaseSync(join(folder, 'turnpike.db'), { readOnly: true });
  try {
    const { used } = ledger
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM rollups_hour) OR EXISTS (SELECT 1 FROM rollups_day)
         OR EXISTS (SELECT 1 FROM settlements) AS used`,
      )
      .get() as { used: number };
    if (used === 0) return;
  } finally {
    ledger.close();
  }
  throw new Refusal(
    `${folder} has calls already, and traffic in bulk would not agree with them: nothing was written. ` +
      'Give a new folder with --folder, or add calls with --seed-demo.',
  );
}
