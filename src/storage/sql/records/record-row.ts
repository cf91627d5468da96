/**
 * Converts a record to a row, and back. Fields that calls are searched and sorted by have a column; the rest is packed
 * into one: as columns it would make writing a row take half as long again and the row 100 bytes larger. Names are
 * numbers of a table of names that belongs to the records.
 */
import { accountId, callIdBytes, callIdFromBytes, keyId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import { endingCodes, endingOf } from '../codes.ts';
import { PackedReader, type PackedWriter } from './packed-bytes.ts';
import { packDetail, unpackDetail } from './record-detail.ts';
import type { RecordNames } from './record-names.ts';

/** Columns and their types. */
const COLUMNS = {
  call_id: 'bytes',
  account_id: 'integer',
  project_id: 'integer',
  key_id: 'integer',
  /** A number from `names`, like `provider`. */
  model: 'integer',
  provider: 'integer',
  status: 'integer',
  /** See `codes.ts`. */
  ending: 'integer',
  /** The whole prompt, cached or not; `detail` has its parts. */
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  cost_nano: 'integer?',
  charge_nano: 'integer',
  first_byte_us: 'integer?',
  duration_us: 'integer',
  upstream_id: 'text?',
  /** See `record-detail.ts`. */
  detail: 'bytes',
} as const;

export type RecordColumnType = (typeof COLUMNS)[keyof typeof COLUMNS];

export const RECORD_COLUMN_TYPES: Readonly<Record<string, RecordColumnType>> = COLUMNS;
export const RECORD_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** The columns to select for `readRecord`: money as text, because a double may not represent it exactly. */
export const SELECTED_COLUMNS: string = RECORD_COLUMNS.map((column) =>
  column.endsWith('_nano') ? `CAST(${column} AS TEXT) AS ${column}` : column,
).join(', ');

/** What is used to write names and packed bytes. */
export interface RowParts {
  readonly names: RecordNames;
  readonly packed: PackedWriter;
}

/** In the order of `RECORD_COLUMNS`. */
export function writeRecord(record: CallRecord, parts: RowParts, values: unknown[], at: number): void {
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

export function readRecord(row: RecordRow, names: RecordNames): CallRecord {
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
