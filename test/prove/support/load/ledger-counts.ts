/** What a running server's database has, once nothing is under way. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pause } from './pause.ts';

export interface LedgerCounts {
  readonly settlements: number;
  readonly holds: number;
}

const TRIES = 50;
const PAUSE_MS = 100;

/** Waits up to five seconds until no hold is left. */
export async function ledgerCounts(dataFolder: string): Promise<LedgerCounts> {
  for (let left = TRIES; ; left -= 1) {
    const counts = read(dataFolder);
    if (counts.holds === 0 || left === 0) return counts;
    await pause(PAUSE_MS);
  }
}

function read(dataFolder: string): LedgerCounts {
  const database = new DatabaseSync(join(dataFolder, 'turnpike.db'), { readOnly: true });
  try {
    const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
    return { settlements: count('settlements'), holds: count('holds') };
  } finally {
    database.close();
  }
}
