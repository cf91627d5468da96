/** Verifies that the records of existing days agree with their settlements. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import { settledIn } from '../../sql/ledger/rollup-columns.ts';
import type { LedgerView } from '../archive/ledger-view.ts';
import { bigStatement, openReadOnly } from '../engine/open-read-only.ts';
import { DATABASE_FILE, RECORDS_FOLDER } from '../files.ts';
import type { Findings } from './findings.ts';
import { subjectOf } from './verify-settlements.ts';

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.db$/;
const DAY_MS = 86_400_000;
/** A call that was admitted this long ago, in addition to the longest call, must have its record. */
const SLACK_MS = 60_000;

export interface RecordTimes {
  readonly nowMs: number;
  readonly longestCallMs: number;
}

export interface RecordCounts {
  records: number;
  /** Calls of an existing day without a record: details that the disk refused, not an error of the ledger. */
  missing: number;
}

/** Days of sealed months are checked if their archive is available. */
export function verifyRecords(folder: string, view: LedgerView, times: RecordTimes, findings: Findings): RecordCounts {
  // A record may be newer than the snapshot, so the current ledger is read too.
  const now = openReadOnly(join(folder, DATABASE_FILE));
  try {
    const archived = new Map([...view.present()].map(({ month, database }) => [month, database]));
    const counts: RecordCounts = { records: 0, missing: 0 };
    for (const day of daysOf(folder)) {
      const isSealed = Date.parse(day) < view.liveDay * DAY_MS;
      const archive = archived.get(day.slice(0, 7)) ?? null;
      if (isSealed && archive === null && view.seals.has(day.slice(0, 7))) continue;
      verifyDay(folder, day, [view.database, now, ...(archive === null ? [] : [archive])], times, findings, counts);
    }
    return counts;
  } finally {
    now.close();
  }
}

interface Row {
  readonly call: Uint8Array;
  readonly account: bigint;
  readonly project: bigint;
  readonly key: bigint;
  readonly ending: bigint;
  readonly prompt: bigint;
  readonly completion: bigint;
  readonly cost: bigint | null;
  readonly charge: bigint;
}

const SHARED = ['account', 'project', 'key', 'ending', 'prompt', 'completion', 'cost', 'charge'] as const;

const SETTLED = `SELECT call_id AS call, account_id AS account, project_id AS project, key_id AS key, ending,
    ${settledIn('prompt_tokens')} AS prompt, ${settledIn('completion_tokens')} AS completion, cost_nano AS cost, charge_nano AS charge
  FROM settlements WHERE call_id = ?`;

const RECORDED = `SELECT call_id AS call, account_id AS account, project_id AS project, key_id AS key, ending,
    prompt_tokens AS prompt, completion_tokens AS completion, cost_nano AS cost, charge_nano AS charge
  FROM records`;

function verifyDay(
  folder: string,
  day: string,
  ledgers: readonly DatabaseSync[],
  times: RecordTimes,
  findings: Findings,
  counts: RecordCounts,
): void {
  const records = openReadOnly(join(folder, RECORDS_FOLDER, `${day}.db`));
  try {
    // A file that was created and not written to yet.
    if (records.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'records'").get() === undefined) return;
    const settled = ledgers.map((ledger) => bigStatement(ledger, SETTLED));
    for (const record of bigStatement(records, RECORDED).iterate() as unknown as Iterable<Row>) {
      counts.records += 1;
      const settlement = find(settled, record.call);
      const wrong = settlement === null ? null : SHARED.find((field) => record[field] !== settlement[field]);
      if (settlement === null)
        findings.add('record_agrees', subjectOf(record.call), 'it has a record and no settlement');
      else if (wrong !== undefined && wrong !== null)
        findings.add(
          'record_agrees',
          subjectOf(record.call),
          `${wrong} is ${record[wrong]} on the record and ${settlement[wrong]} in the ledger`,
        );
    }
    counts.missing += countMissing(records, day, [ledgers[0] as DatabaseSync, ...ledgers.slice(2)], times);
  } finally {
    records.close();
  }
}

function countMissing(
  records: DatabaseSync,
  day: string,
  ledgers: readonly DatabaseSync[],
  { nowMs, longestCallMs }: RecordTimes,
): number {
  const fromMs = Date.parse(day);
  const toMs = Math.min(fromMs + DAY_MS, nowMs - longestCallMs - SLACK_MS);
  if (toMs <= fromMs) return 0;
  const recorded = records.prepare('SELECT 1 FROM records WHERE call_id = ?');
  let missing = 0;
  for (const ledger of ledgers) {
    const rows = ledger
      .prepare('SELECT call_id AS call FROM settlements WHERE call_id >= ? AND call_id < ?')
      .iterate(callIdBytes(firstCallIdAt(fromMs)), callIdBytes(firstCallIdAt(toMs))) as unknown as Iterable<{
      call: Uint8Array;
    }>;
    for (const { call } of rows) if (recorded.get(call) === undefined) missing += 1;
  }
  return missing;
}

function find(settled: readonly StatementSync[], call: Uint8Array): Row | null {
  for (const statement of settled) {
    const row = statement.get(call) as Row | undefined;
    if (row !== undefined) return row;
  }
  return null;
}

function daysOf(folder: string): string[] {
  try {
    return readdirSync(join(folder, RECORDS_FOLDER))
      .flatMap((name) => DAY_FILE.exec(name)?.[1] ?? [])
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
