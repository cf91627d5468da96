/** Reads what `encodeBatch` wrote, for reports on what was not sent yet, for models of the bank, and for tests. */
import type { ReplayRow, StoredId } from '../../billing/ports.ts';
import { callIdFromBytes, type KeyId, keyId, projectId } from '../../core/ids.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { NamedSettlementRow } from '../sql/ledger/settlement-columns.ts';
import { readSettlement } from '../sql/ledger/settlement-rows.ts';
import { BATCH_COLUMNS, type BatchColumn, type BatchTable, WIDTHS } from './batch-format.ts';
import { BadBatch, type BatchLayout, layOut, type TableLayout } from './batch-layout.ts';

export interface DecodedBatch {
  readonly settlements: readonly DecodedSettlement[];
  readonly replays: readonly ReplayRow[];
  readonly storedIds: readonly DecodedStoredId[];
}

export interface DecodedStoredId extends StoredId {
  /** The place of its call among the settlements, from 1; 0 if an earlier version wrote the batch. */
  readonly call: number;
}

export interface DecodedSettlement {
  readonly settlement: Settlement;
  /** The root of the key's chain of rotations; the key itself if the call had no lease. */
  readonly rootId: KeyId;
  /** See `CallLease`; 0 if the call had no lease. */
  readonly budgets: number;
  /** The UTC day in whose windows the call counts; the day of admission if it had no lease. */
  readonly day: number;
}

type Value = number | bigint | Buffer | string | null;
type Row = Readonly<Record<string, Value>>;

/** The result shares no memory with `batch`. Throws `BadBatch` for bytes that are no batch, or a part of one. */
export function decodeBatch(batch: Uint8Array): DecodedBatch {
  const layout = layOut(batch);
  try {
    return decode(layout);
  } catch (error) {
    if (error instanceof BadBatch) throw error;
    throw new BadBatch(`has a value that is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function decode(layout: BatchLayout): DecodedBatch {
  const names = readTable('names', layout.names, []).map(({ name }) => name as string);
  const rowsOf = (table: BatchTable) => readTable(table, layout[table], names);
  return {
    settlements: rowsOf('settlements').map(readSettled),
    replays: rowsOf('replays').map(readReplay),
    storedIds: rowsOf('storedIds').map(readStored),
  };
}

function readTable(table: BatchTable, { bytes, rows, bounds }: TableLayout, names: readonly string[]): Row[] {
  const read: Record<string, Value>[] = Array.from({ length: rows }, () => ({}));
  for (const [index, column] of BATCH_COLUMNS[table].entries()) {
    const values = new ColumnValues(
      `${table}.${column.name}`,
      column,
      bytes.subarray(bounds[2 * index], bounds[2 * index + 1]),
      names,
    );
    for (const row of read) row[column.name] = values.next();
    values.end();
  }
  return read;
}

/** The values of a column, one after the other. */
class ColumnValues {
  readonly #where: string;
  readonly #column: BatchColumn;
  readonly #body: Buffer;
  readonly #names: readonly string[];
  #at = 0;

  constructor(where: string, column: BatchColumn, body: Buffer, names: readonly string[]) {
    this.#where = where;
    this.#column = column;
    this.#body = body;
    this.#names = names;
  }

  next(): Value {
    const value = this.#body.length === 0 ? this.#default() : this.#read();
    if (this.#column.holds !== 'name' || value === null) return value;
    const name = this.#names[(value as number) - 1];
    if (name === undefined)
      throw new BadBatch(`names number ${String(value)} in ${this.#where}, which it does not have`);
    return name;
  }

  end(): void {
    if (this.#at < this.#body.length) throw new BadBatch(`has too many values in ${this.#where}`);
  }

  #default(): Value {
    const { type, nullable } = this.#column;
    if (nullable) return null;
    if (WIDTHS[type] === null) throw new BadBatch(`has no values in ${this.#where}`);
    return this.#column.holds === 'money' ? 0n : 0;
  }

  #read(): Value {
    const { type, nullable, holds } = this.#column;
    const body = this.#body;
    const length = this.#at + 4 > body.length ? Number.NaN : body.readInt32BE(this.#at);
    const start = this.#at + 4;
    if (length === -1 && nullable) {
      this.#at = start;
      return null;
    }
    if (!(length >= 0 && start + length <= body.length && length === (WIDTHS[type] ?? length)))
      throw new BadBatch(`has a value of the wrong size in ${this.#where}`);
    this.#at = start + length;
    if (type === 'int4') return body.readInt32BE(start);
    if (holds === 'money') return body.readBigInt64BE(start);
    if (type === 'int8') return Number(body.readBigInt64BE(start));
    return type === 'text' ? body.toString('utf8', start, this.#at) : Buffer.from(body.subarray(start, this.#at));
  }
}

function readSettled(row: Row): DecodedSettlement {
  return {
    // Money is text where it comes from a database, and both kinds of values are read alike.
    settlement: readSettlement(row as unknown as NamedSettlementRow),
    rootId: keyId(row['root_id'] as number),
    budgets: row['budgets'] as number,
    day: row['day'] as number,
  };
}

function readReplay(row: Row): ReplayRow {
  return {
    projectId: projectId(row['project_id'] as number),
    keyDigest: row['key_digest'] as Buffer,
    bodyDigest: row['body_digest'] as Buffer,
    callId: callIdFromBytes(row['call_id'] as Buffer),
    createdAt: row['created_at'] as number,
    expiresAt: row['expires_at'] as number,
    answer: row['answer'] as Buffer | null,
  };
}

function readStored(row: Row): DecodedStoredId {
  return {
    projectId: projectId(row['project_id'] as number),
    digest: row['digest'] as Buffer,
    provider: row['provider'] as string,
    upstreamModel: row['upstream_model'] as string,
    credential: row['credential'] as string | null,
    createdAt: row['created_at'] as number,
    call: row['call'] as number,
  };
}
