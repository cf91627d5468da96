/**
 * Converts a record to a row of a day file, and back. Fields that calls are searched and sorted by have a column;
 * the rest is packed into one: as columns it would make writing a row take half as long again and
 * the row 100 bytes larger. Names are numbers of the file's own table, so that a day file can be read without
 * others.
 */
import type { SQLInputValue } from 'node:sqlite';
import { accountId, callIdBytes, callIdFromBytes, keyId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import { endingCodes, endingOf } from '../../sql/codes.ts';
import type { NameTable } from '../engine/name-table.ts';
import { PackedReader, type PackedWriter } from '../engine/packed-bytes.ts';
import { packDetail, unpackDetail } from './record-detail.ts';

/**
 * Columns and their types. Types matter: numbers from JavaScript are doubles, and a column that
 * is not INTEGER would store 8 bytes for each.
 */
const COLUMNS = {
  call_id: 'BLOB NOT NULL',
  account_id: 'INTEGER NOT NULL',
  project_id: 'INTEGER NOT NULL',
  key_id: 'INTEGER NOT NULL',
  /** A number from `names`, like `provider`. */
  model: 'INTEGER NOT NULL',
  provider: 'INTEGER NOT NULL',
  status: 'INTEGER NOT NULL',
  /** See `codes.ts`. */
  ending: 'INTEGER NOT NULL',
  /** The whole prompt, cached or not; `detail` has its parts. */
  prompt_tokens: 'INTEGER NOT NULL',
  completion_tokens: 'INTEGER NOT NULL',
  cost_nano: 'INTEGER',
  charge_nano: 'INTEGER NOT NULL',
  first_byte_us: 'INTEGER',
  duration_us: 'INTEGER NOT NULL',
  upstream_id: 'TEXT',
  /** See `record-detail.ts`. */
  detail: 'BLOB NOT NULL',
} as const;

export const RECORD_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** The column definitions for `CREATE TABLE`. */
export const COLUMN_DEFINITIONS: string = Object.entries(COLUMNS)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/** The columns to select for `readRecord`: money as text, because a double may not represent it exactly. */
export const SELECTED_COLUMNS: string = RECORD_COLUMNS.map((column) =>
  column.endsWith('_nano') ? `CAST(${column} AS TEXT) AS ${column}` : column,
).join(', ');

/** What a file uses to write names and packed bytes. */
export interface RowParts {
  readonly names: NameTable;
  readonly packed: PackedWriter;
}

/** In the order of `RECORD_COLUMNS`; call it within a transaction. */
export function writeRecord(record: CallRecord, parts: RowParts, values: SQLInputValue[], at: number): void {
  const { names, packed } = parts;
  values[at] = callIdBytes(record.callId);
  values[at + 1] = record.accountId;
  values[at + 2] = record.projectId;
  values[at + 3] = record.keyId;
  values[at + 4] = names.idOf(record.model);
  values[at + 5] = names.idOf(record.provider);
  values[at + 6] = record.status;
  values[at + 7] = endingCodes[record.ending];
  values[at + 8] = promptTokens(record.usage);
  values[at + 9] = completionTokens(record.usage);
  values[at + 10] = record.cost;
  values[at + 11] = record.charge;
  values[at + 12] = record.firstByteMs === null ? null : Math.round(record.firstByteMs * 1000);
  values[at + 13] = Math.round(record.durationMs * 1000);
  values[at + 14] = record.upstreamId;
  packDetail(record, names, packed);
  values[at + 15] = packed.take();
}

export type RecordRow = {
  readonly [Column in Exclude<keyof typeof COLUMNS, 'call_id' | 'detail'>]: number;
} & {
  readonly call_id: Uint8Array;
  readonly cost_nano: string | null;
  readonly charge_nano: string;
  readonly first_byte_us: number | null;
  readonly upstream_id: string | null;
  readonly detail: Uint8Array;
};

export function readRecord(row: RecordRow, names: NameTable): CallRecord {
  const callId = callIdFromBytes(row.call_id);
  const { usageParts, ...detail } = unpackDetail(new PackedReader(row.detail), callId, names);
  const usage = { inputTokens: 0, outputTokens: 0, ...usageParts };
  return {
    ...detail,
    callId,
    accountId: accountId(row.account_id),
    projectId: projectId(row.project_id),
    keyId: keyId(row.key_id),
    model: names.nameOf(row.model),
    provider: names.nameOf(row.provider),
    usage: {
      ...usage,
      inputTokens: row.prompt_tokens - promptTokens(usage),
      outputTokens: row.completion_tokens - completionTokens(usage),
    },
    cost: row.cost_nano === null ? null : nanoUsd(BigInt(row.cost_nano)),
    charge: nanoUsd(BigInt(row.charge_nano)),
    ending: endingOf(row.ending),
    upstreamId: row.upstream_id,
    status: row.status,
    firstByteMs: row.first_byte_us === null ? null : row.first_byte_us / 1000,
    durationMs: row.duration_us / 1000,
  };
}
