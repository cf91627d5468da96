/**
 * After a crash the last moments' records are missing; their settlements are not. What a clean
 * stop leaves behind says whether to look.
 */
import type { DatabaseSync } from 'node:sqlite';
import { dayOf, dayStart } from '../../core/calendar.ts';
import { type CallId, callIdFromBytes, callIdTime, firstCallIdAt } from '../../core/ids.ts';
import type { DayFolder } from './day-folder.ts';
import { isDiskTrouble, isLocked } from './sqlite-errors.ts';

/**
 * A record is missing when its call ended in the last moments before the crash, and may have begun
 * as long before that as a call may take (60 minutes unless configured otherwise).
 */
const WINDOW_MS = 2 * 60 * 60 * 1000;

const FACT = 'records';
const COMPLETE = 'complete';

export interface RebuildParts {
  readonly ledger: DatabaseSync;
  readonly ledgerPath: string;
  readonly folder: DayFolder;
  /** Holds that have just become settlements: those have no records, however the last run ended. */
  readonly recovered: number;
}

/** Fills the gap of the last run, if it left one. Returns how many records were made. */
export async function rebuildRecords({ ledger, ledgerPath, folder, recovered }: RebuildParts): Promise<number> {
  if (recovered === 0 && readFact(ledger) === COMPLETE) return 0;
  const newest = newestCallId(ledger);
  if (newest === null) return 0;
  const endMs = callIdTime(newest) + 1;
  let made = 0;
  for (let fromMs = Math.max(0, endMs - WINDOW_MS); fromMs < endMs; ) {
    const day = dayOf(fromMs);
    const toMs = Math.min(endMs, dayStart(day + 1));
    const file = await folder.open(day);
    made += file.fillFromSettlements(ledgerPath, firstCallIdAt(fromMs), firstCallIdAt(toMs));
    fromMs = toMs;
  }
  return made;
}

/** From now until `markComplete`, an end of the process counts as a crash. */
export function markRunning(ledger: DatabaseSync): void {
  ledger.prepare('DELETE FROM facts WHERE name = ?').run(FACT);
}

/** Says that every settlement has its record. Where that cannot be written the next start looks, and finds no gap. */
export function markComplete(ledger: DatabaseSync): void {
  try {
    ledger.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(FACT, COMPLETE);
  } catch (error) {
    if (!isLocked(error) && !isDiskTrouble(error)) throw error;
  }
}

function readFact(ledger: DatabaseSync): string | null {
  const row = ledger.prepare('SELECT value FROM facts WHERE name = ?').get(FACT) as { value: string } | undefined;
  return row?.value ?? null;
}

function newestCallId(ledger: DatabaseSync): CallId | null {
  const row = ledger.prepare('SELECT max(call_id) AS newest FROM settlements').get() as { newest: Uint8Array | null };
  return row.newest === null ? null : callIdFromBytes(row.newest);
}
