/** Encodes the settlements of a commit; see `batch-format.ts`. */
import type { CallLease, ReplayRow, StoredId } from '../../billing/ports.ts';
import { dayOf } from '../../core/calendar.ts';
import { callIdBytes, writeCallId } from '../../core/ids.ts';
import { LIST_RATE } from '../../core/rates/rate.ts';
import type { Settlement } from '../../core/settlement.ts';
import { endingCodes, usageSourceCodes } from '../sql/codes.ts';
import { compile } from '../sql/ledger/compile-columns.ts';
import { SETTLEMENT_COLUMNS, type SettlementColumn } from '../sql/ledger/settlement-columns.ts';
import { storable } from '../sql/storable-text.ts';
import { BATCH_COLUMNS, BATCH_FORMAT, type BatchColumn, elementBytes } from './batch-format.ts';
import { BatchWriter } from './batch-writer.ts';

/** A settlement with what is written together with it. A `LedgerRow` is one. */
export interface BatchRow {
  readonly settlement: Settlement;
  readonly lease?: CallLease | null;
  readonly replay?: ReplayRow | null;
  readonly stored?: readonly StoredId[] | null;
}

/** The bytes are the caller's. Throws for a value that the bank's columns cannot hold. */
export function encodeBatch(rows: readonly BatchRow[]): Buffer {
  const names = new BatchNames();
  const replays: unknown[][] = [];
  const storedIds: unknown[][] = [];
  let call = 0;
  for (const { replay, stored } of rows) {
    call += 1;
    if (replay) replays.push(replayValues(replay));
    if (stored) for (const each of stored) storedIds.push(storedValues(each, names, call));
  }
  writer.begin(BATCH_FORMAT);
  const head = writer.beginTable(rows.length, SETTLEMENTS.length, rows.length * ROW_BYTES_MAX);
  writer.at = writeSettlements(rows, names, writer.bytes, writer.view, head, writer.at);
  writer.table(BATCH_COLUMNS.replays, replays);
  writer.table(BATCH_COLUMNS.storedIds, storedIds);
  writer.table(BATCH_COLUMNS.names, names.rows);
  return writer.end();
}

/** The names of a batch, each once; their places count from 1. A call is charged whatever its model is called. */
class BatchNames {
  readonly rows: [name: string][] = [];
  readonly #places = new Map<string, number>();

  idOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.rows.push([storable(name)]);
    this.#places.set(name, place);
    return place;
  }
}

const writer = new BatchWriter();
const SETTLEMENTS = BATCH_COLUMNS.settlements;
const CALL_ID_BYTES = 16;
const ROW_BYTES_MAX = SETTLEMENTS.reduce((sum, column) => sum + (elementBytes(column) ?? 4 + CALL_ID_BYTES), 0);

/** Writes the columns from `at` on and their sizes from `sizesAt` on, and returns where they end. */
type WriteSettlements = (
  rows: readonly BatchRow[],
  names: BatchNames,
  bytes: Uint8Array,
  view: DataView,
  sizesAt: number,
  at: number,
) => number;

const LEASE_EXPRESSIONS = [
  'rows[index].lease ? rows[index].lease.rootId : row.keyId',
  'rows[index].lease ? rows[index].lease.budgets : 0',
  'rows[index].lease ? rows[index].lease.day : dayOf(row.admittedAt)',
];

const writeSettlements = compile<WriteSettlements>(
  ['rows', 'names', 'bytes', 'view', 'sizesAt', 'from'],
  `let at = from, start = from, isUsed = false;
  ${[...LEASE_EXPRESSIONS, ...SETTLEMENT_COLUMNS.map(storedValue)].map(columnLoop).join('\n')}
  return at;`,
  { dayOf, writeCallId, usageSourceCodes, endingCodes, LIST_RATE, refuse },
);

function columnLoop(value: string, index: number): string {
  const column = SETTLEMENTS[index] as BatchColumn;
  return `start = at; isUsed = false;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index].settlement;
    const value = ${value};
    ${element(column)}
  }
  if (!isUsed) at = start;
  view.setUint32(sizesAt + ${4 * index}, at - start);`;
}

/** Code that writes `value` at `at`. */
function element(column: BatchColumn): string {
  if (!column.nullable) return present(column);
  return `if (value === null) { view.setInt32(at, -1); at += 4; continue; }
    isUsed = true;
    ${present(column)}`;
}

function present({ name, type, holds }: BatchColumn): string {
  if (type === 'bytea')
    return `isUsed = true; view.setInt32(at, ${CALL_ID_BYTES}); writeCallId(value, bytes, at + 4); at += ${4 + CALL_ID_BYTES};`;
  if (holds === 'money')
    return `if (value !== 0n) { isUsed = true; if (BigInt.asIntN(64, value) !== value) refuse('${name}', value); }
    view.setInt32(at, 8); view.setBigInt64(at + 4, value); at += 12;`;
  if (type === 'int8')
    return `if (value !== 0) { isUsed = true; if (!Number.isSafeInteger(value)) refuse('${name}', value); }
    view.setInt32(at, 8); view.setInt32(at + 4, Math.floor(value / 4294967296)); view.setUint32(at + 8, value); at += 12;`;
  return `if (value !== 0) { isUsed = true; if ((value | 0) !== value) refuse('${name}', value); }
    view.setInt32(at, 4); view.setInt32(at + 4, value); at += 8;`;
}

/** Code for a column's value in `row`, as the database stores it. */
function storedValue({ field, kind }: SettlementColumn): string {
  const value = `row.${field}`;
  if (kind === 'name') return `names.idOf(${value})`;
  if (kind === 'usageSource') return `usageSourceCodes[${value}]`;
  if (kind === 'rate') return `${value} - LIST_RATE`;
  if (kind === 'flag') return `${value} ? 1 : 0`;
  return kind === 'ending' ? `endingCodes[${value}]` : value;
}

function refuse(column: string, value: unknown): never {
  throw new RangeError(`the ledger's column ${column} cannot hold ${String(value)}`);
}

/** In the order of the columns, as the next one is. */
function replayValues(row: ReplayRow): unknown[] {
  const { projectId, keyDigest, bodyDigest, callId, createdAt, expiresAt, answer } = row;
  return [projectId, keyDigest, bodyDigest, callIdBytes(callId), createdAt, expiresAt, answer];
}

function storedValues(row: StoredId, names: BatchNames, call: number): unknown[] {
  const { projectId, digest, provider, upstreamModel, createdAt, credential } = row;
  const places = [names.idOf(provider), names.idOf(upstreamModel)];
  return [projectId, digest, ...places, createdAt, credential === null ? null : names.idOf(credential), call];
}
