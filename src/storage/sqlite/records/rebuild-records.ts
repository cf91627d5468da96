/**
 * After a crash the records of the last moments are missing, but not their settlements. A clean
 * stop leaves a mark, without which the next start rebuilds records.
 */
import type { DatabaseSync } from 'node:sqlite';
import { dayOf, dayStart } from '../../../core/calendar.ts';
import { type CallId, callIdBytes, callIdFromBytes, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import type { DayFolder } from '../engine/day-folder.ts';
import { isDiskTrouble, isLocked } from '../engine/sqlite-errors.ts';

/**
 * A record is missing when its call ended in the last moments before the crash, and may have begun
 * earlier by the longest duration of a call (60 minutes unless configured otherwise).
 */
const WINDOW_MS = 2 * 60 * 60 * 1000;

const FACT = 'records';
const COMPLETE = 'complete';

export interface RebuildParts {
  readonly ledger: DatabaseSync;
  readonly ledgerPath: string;
  readonly folder: DayFolder;
  /** The number of holds that have just become settlements, which have no records, however the last run ended. */
  readonly recovered: number;
}

/** Calls begun within this time are processed together, which blocks the event loop for some milliseconds. */
const SLICE_MS = 1000;

/**
 * The time range in which records of the last run may be missing, or null if none are. Call it
 * before new calls are settled.
 */
export function gapOf({ ledger, recovered }: Pick<RebuildParts, 'ledger' | 'recovered'>): Gap | null {
  if (recovered === 0 && readFact(ledger) === COMPLETE) return null;
  const newest = newestCallId(ledger);
  if (newest === null) return null;
  const endMs = callIdTime(newest) + 1;
  return { fromMs: Math.max(0, endMs - WINDOW_MS), endMs };
}

/** Milliseconds since 1970; the end is not included. */
export interface Gap {
  readonly fromMs: number;
  readonly endMs: number;
}

/** Fills a gap slice by slice, and yields after each, so that calls are served meanwhile. */
export async function* rebuildRecords(gap: Gap, { ledger, ledgerPath, folder }: RebuildParts): AsyncGenerator<void> {
  const next = ledger.prepare('SELECT min(call_id) AS first FROM settlements WHERE call_id >= ?');
  for (let fromMs = gap.fromMs; ; ) {
    const { first } = next.get(callIdBytes(firstCallIdAt(fromMs))) as { first: Uint8Array | null };
    const startMs = first === null ? gap.endMs : callIdTime(callIdFromBytes(first));
    if (startMs >= gap.endMs) return;
    const day = dayOf(startMs);
    fromMs = Math.min(startMs + SLICE_MS, gap.endMs, dayStart(day + 1));
    const file = await folder.open(day);
    const release = await file.gate.acquire();
    try {
      file.fillFromSettlements(ledgerPath, firstCallIdAt(startMs), firstCallIdAt(fromMs));
    } finally {
      release();
    }
    yield;
  }
}

/** From now until `markComplete`, the end of the process counts as a crash. */
export function markRunning(ledger: DatabaseSync): void {
  ledger.prepare('DELETE FROM facts WHERE name = ?').run(FACT);
}

/** Records that every settlement has its record. If that cannot be written, the next start searches and finds no gap. */
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
