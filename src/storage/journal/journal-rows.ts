/** The statements of a journal, synchronous and on the thread that created them. When `write` returns, the rows have reached the operating system. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { eraseRefusedCommit } from '../sqlite/engine/erase-refused-commit.ts';
import { damageOf, isInputOrOutput } from '../sqlite/engine/sqlite-errors.ts';
import type { JournalPart, OutboxBatch } from './journal-part.ts';
import type { Sendable } from './outbox.ts';

/** Half a page: as hexadecimal text it fills one. */
const PROBE_BYTES = 2_048;
/** The columns of `outbox` and `refused`. */
const OUTBOX = 'id, epoch, calls, admitted_from, batch, sum';

/** A batch in the file is not what was written. */
export class DamagedBatch extends Error {
  override readonly name = 'DamagedBatch';

  constructor(options?: ErrorOptions) {
    super('a part of the journal is damaged', options);
  }
}

export class JournalRows {
  readonly #database: DatabaseSync;
  readonly #batch: StatementSync;
  readonly #hold: StatementSync;
  readonly #checkpoint: StatementSync;
  readonly #endedHold: StatementSync;
  readonly #forgotten: StatementSync;
  readonly #fact: StatementSync;
  readonly #setAside: StatementSync;
  readonly #refused: StatementSync;
  readonly #broughtBack: StatementSync;
  readonly #endedRefusal: StatementSync;
  readonly #probe: StatementSync;
  readonly #read: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#batch = database.prepare(`INSERT INTO outbox (${OUTBOX}) VALUES (?, ?, ?, ?, ?, ?)`);
    this.#hold = database.prepare(
      'INSERT OR REPLACE INTO holds (call_id, epoch, admitted_at, batch, sum) VALUES (?, ?, ?, ?, ?)',
    );
    // An UPDATE, so that a late checkpoint does not recreate a hold that is already settled.
    this.#checkpoint = database.prepare('UPDATE holds SET epoch = ?, batch = ?, sum = ? WHERE call_id = ?');
    this.#endedHold = database.prepare('DELETE FROM holds WHERE call_id = ?');
    this.#forgotten = database.prepare('DELETE FROM outbox WHERE id = ?');
    this.#setAside = database.prepare(`INSERT INTO refused (${OUTBOX}) SELECT ${OUTBOX} FROM outbox WHERE id = ?`);
    this.#refused = database.prepare(
      `SELECT id, epoch, calls, admitted_from AS admittedFrom, length(batch) AS bytes, NULL AS batch FROM refused
       WHERE id <= ? ORDER BY id LIMIT ?`,
    );
    this.#broughtBack = database.prepare(
      `INSERT INTO outbox (${OUTBOX}) SELECT ?1, epoch, calls, admitted_from, batch, sum FROM refused WHERE id = ?2`,
    );
    this.#endedRefusal = database.prepare('DELETE FROM refused WHERE id = ?');
    this.#fact = database.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)');
    this.#read = database.prepare('SELECT batch, sum FROM outbox WHERE id = ?');
    this.#probe = database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('disk_probe', hex(?))");
  }

  /** In one transaction; throws if it could not be written, and then none of it is. */
  write({ batches, holds, checkpoints, endedHolds }: JournalPart): void {
    const writesOnce = batches.length === 1 && holds.length + checkpoints.length + endedHolds.length === 0;
    if (writesOnce) return this.#alone(() => this.#insert(batches[0] as OutboxBatch));
    this.#together(() => {
      for (const each of batches) this.#insert(each);
      for (const { callId, epoch, admittedAt, batch } of holds)
        this.#hold.run(callId, epoch, admittedAt, batch, crc32(batch));
      for (const { callId, epoch, batch } of checkpoints) this.#checkpoint.run(epoch, batch, crc32(batch), callId);
      for (const callId of endedHolds) this.#endedHold.run(callId);
    });
  }

  /** Deletes batches, and adds others in their place; `facts` are stored in the same transaction. */
  replace(
    ids: readonly number[],
    batches: readonly OutboxBatch[],
    facts: Readonly<Record<string, string | number>>,
  ): void {
    this.#together(() => {
      for (const id of ids) this.#forgotten.run(id);
      for (const each of batches) this.#insert(each);
      for (const [name, value] of Object.entries(facts)) this.#fact.run(name, value);
    });
  }

  /** Moves a batch to those that the bank refuses. */
  setAside(id: number): void {
    this.#together(() => {
      this.#setAside.run(id);
      this.#forgotten.run(id);
    });
  }

  /** Moves refused batches up to this id, `max` at most, to the end of what is sent, under new ids. Returns them. */
  bringBack(through: number, max: number, nextId: () => number): readonly Sendable[] {
    const found = this.#refused.all(through, max) as unknown as readonly Sendable[];
    const moved = found.map((each) => ({ ...each, id: nextId() }));
    this.#together(() => {
      for (const [index, { id }] of found.entries()) {
        this.#broughtBack.run((moved[index] as Sendable).id, id);
        this.#endedRefusal.run(id);
      }
    });
    return moved;
  }

  /** The bytes of a batch. Throws `DamagedBatch` if they are not what was written. */
  read(id: number): Uint8Array {
    let row: Readonly<Record<string, unknown>> | undefined;
    try {
      row = this.#read.get(id);
    } catch (error) {
      throw damageOf(error) === null ? error : new DamagedBatch({ cause: error });
    }
    const [batch, sum] = [row?.['batch'], row?.['sum'] ?? null];
    if (!(batch instanceof Uint8Array) || (sum !== null && crc32(batch) !== sum)) throw new DamagedBatch();
    return batch;
  }

  /** Writes a meaningless page; throws if the disk refuses it. */
  probe(): void {
    this.#probe.run(Buffer.alloc(PROBE_BYTES));
  }

  #insert({ id, epoch, calls, admittedFrom, batch }: OutboxBatch): void {
    this.#batch.run(id, epoch, calls, admittedFrom, batch, crc32(batch));
  }

  #together(work: () => void): void {
    this.#alone(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      work();
      this.#database.exec('COMMIT');
    });
  }

  /** A single statement is a transaction of its own. */
  #alone(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      if (isInputOrOutput(error)) throw eraseRefusedCommit(this.#database, error);
      throw error;
    }
  }
}
