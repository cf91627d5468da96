/** Writes records to their table and reads them from it. */
import { type CallId, callIdBytes } from '../../../core/ids.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import { PackedWriter } from '../../sql/records/packed-bytes.ts';
import {
  RECORD_COLUMNS,
  type RecordRow,
  readRecord,
  SELECTED_COLUMNS,
  writeRecord,
} from '../../sql/records/record-row.ts';
import { storable } from '../../sql/storable-text.ts';
import type { Role } from '../engine/role.ts';
import { sharedTypes } from '../engine/value-types.ts';
import { type ArrayType, type ArrayValue, binaryArray } from './binary-array.ts';
import { firstByteSums, writeFirstBytes } from './first-byte-sums.ts';
import { KnownNames } from './known-names.ts';

const TYPES: Readonly<Record<string, ArrayType>> = {
  call_id: 'bytea',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  cost_nano: 'bigint',
  charge_nano: 'bigint',
  first_byte_us: 'bigint',
  duration_us: 'bigint',
  upstream_id: 'text',
  detail: 'bytea',
};
const COLUMNS = RECORD_COLUMNS.map((name) => ({ name, type: TYPES[name] ?? ('integer' as const) }));
const UPSTREAM_ID = RECORD_COLUMNS.indexOf('upstream_id');
const NAMES = COLUMNS.map(({ name }) => name).join(', ');

const SLOT = `$${COLUMNS.length + 1}::smallint`;

const INSERT = `insert into records as stored (${NAMES}, slot)
  select *, ${SLOT} from unnest(${COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})
  on conflict (call_id)`;

/**
 * A record that comes late replaces the one that was rebuilt from its settlement, which has neither a status nor a duration. One that
 * is sent again changes nothing.
 */
const INSERT_WHOLE = `${INSERT} do update set ${COLUMNS.slice(1)
  .map(({ name }) => `${name} = excluded.${name}`)
  .join(', ')}
  where stored.status = 0 and stored.duration_us = 0 and excluded.duration_us > 0 returning call_id`;
const INSERT_REBUILT = `${INSERT} do nothing`;

const NEWEST = `select ${SELECTED_COLUMNS} from records order by call_id desc limit $1`;
const AFTER = `select ${SELECTED_COLUMNS} from records where call_id > $1 order by call_id limit $2`;
/** Of other nodes; those that were rebuilt from settlements have ended long ago. Bounded by the id, because the tables have days. */
const WRITTEN = `select ${SELECTED_COLUMNS}, written_at from records
  where written_at > $1 and call_id > $2 and slot is distinct from $3 and status <> 0 order by written_at desc limit $4`;
/** What is not flushed to disk when the server crashes is rebuilt from settlements. */
const BEGIN_FAST = `set local synchronous_commit = off; set local statement_timeout = '30s'`;
/** Names that are asked for while rows are read again: those of one batch are learnt at once. */
const READS_MAX = 5;

export interface WrittenQuery {
  /** Wall time of the database, ms. */
  readonly afterMs: number;
  /** Only calls after this id. */
  readonly from: CallId;
  readonly limit: number;
}

export interface WrittenRecord {
  readonly record: CallRecord;
  readonly writtenAt: number;
}

type WrittenRow = RecordRow & { readonly written_at: number };

export class RecordTable {
  readonly #role: Role;
  readonly #slot: () => number;
  readonly #names = new KnownNames();
  readonly #packed = new PackedWriter();

  /** `slot` is the place of this node: each adds up times to first byte in rows of its own. */
  constructor(role: Role, slot: () => number) {
    this.#role = role;
    this.#slot = slot;
  }

  /** In one transaction; the partitions must be there. Throws if it could not be written, and then nothing is. */
  async insert(records: readonly CallRecord[]): Promise<void> {
    const unique = onceEach(records);
    const columns = await this.#columnsOf(unique);
    await this.#role.transaction(async (connection) => {
      await connection.query(BEGIN_FAST);
      const { rows } = await connection.query<{ call_id: Uint8Array }>(INSERT_WHOLE, [...columns, this.#slot()]);
      const stored = rows.length === unique.length ? unique : only(unique, rows);
      await writeFirstBytes(connection, firstByteSums(stored, this.#names), this.#slot());
    });
  }

  /** Records of which only the settlement is left; where there is a record, it is kept. */
  async insertRebuilt(records: readonly CallRecord[]): Promise<void> {
    const columns = await this.#columnsOf(records);
    await this.#role.transaction(async (connection) => {
      await connection.query(BEGIN_FAST);
      await connection.query(INSERT_REBUILT, [...columns, this.#slot()]);
    });
  }

  /** Oldest first. */
  async newest(limit: number): Promise<CallRecord[]> {
    return (await this.#read(NEWEST, [limit])).reverse();
  }

  /** Oldest first. */
  after(callId: CallId, limit: number): Promise<CallRecord[]> {
    return this.#read(AFTER, [callIdBytes(callId), limit]);
  }

  /** What other nodes wrote after a time of the database, oldest first; the newest of them. */
  async written({ afterMs, from, limit }: WrittenQuery): Promise<readonly WrittenRecord[]> {
    const values = [afterMs, callIdBytes(from), this.#slot(), limit];
    const { rows } = await this.#role.query<WrittenRow>({ text: WRITTEN, values, types: sharedTypes });
    const records = await this.#named(rows);
    return records.map((record, index) => ({ record, writtenAt: (rows[index] as WrittenRow).written_at })).reverse();
  }

  async #read(text: string, values: readonly unknown[]): Promise<CallRecord[]> {
    const { rows } = await this.#role.query<RecordRow>({ text, values, types: sharedTypes });
    return this.#named(rows);
  }

  async #named(rows: readonly RecordRow[]): Promise<CallRecord[]> {
    for (let read = 1; ; read += 1) {
      const records = rows.map((row) => readRecord(row, this.#names));
      const unknown = this.#names.takeUnknownIds();
      if (unknown.length === 0) return records;
      if (read === READS_MAX) throw new Error('records have numbers of names that do not exist');
      await this.#learn('select id, name from record_names where id = any ($1)', unknown);
    }
  }

  /** A parameter for each column. */
  async #columnsOf(records: readonly CallRecord[]): Promise<Buffer[]> {
    for (let written = 1; ; written += 1) {
      const columns = this.#pack(records);
      const unknown = this.#names.takeUnknownNames();
      if (unknown.length === 0) return columns;
      if (written === READS_MAX) throw new Error('names of records did not get numbers');
      await this.#role.query(
        'insert into record_names (name) select unnest($1::text[]) as name order by name on conflict do nothing',
        [unknown],
      );
      await this.#learn('select id, name from record_names where name = any ($1)', unknown);
    }
  }

  #pack(records: readonly CallRecord[]): Buffer[] {
    const width = COLUMNS.length;
    const values: ArrayValue[] = [];
    for (const [index, record] of records.entries()) {
      const at = index * width;
      writeRecord(record, { names: this.#names, packed: this.#packed }, values, at);
      if (record.upstreamId !== null) values[at + UPSTREAM_ID] = storable(record.upstreamId);
    }
    return COLUMNS.map(({ type }, column) =>
      binaryArray(
        type,
        records.map((_, index) => values[index * width + column] as ArrayValue),
      ),
    );
  }

  async #learn(text: string, values: readonly unknown[]): Promise<void> {
    const { rows } = await this.#role.query<{ id: number; name: string }>(text, [values]);
    for (const { id, name } of rows) this.#names.learn(id, name);
  }
}

/** A statement cannot write a row twice. */
function onceEach(records: readonly CallRecord[]): readonly CallRecord[] {
  const byId = new Map(records.map((record) => [record.callId, record]));
  return byId.size === records.length ? records : [...byId.values()];
}

function only(records: readonly CallRecord[], rows: readonly { readonly call_id: Uint8Array }[]): CallRecord[] {
  const ids = new Set(rows.map(({ call_id: id }) => Buffer.from(id).toString('hex')));
  return records.filter(({ callId }) => ids.has(callIdBytes(callId).toString('hex')));
}
