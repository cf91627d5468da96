/** Records that other nodes have written, as they come, and who has written one. */
import type { Clock } from '../../../core/clock.ts';
import { type CallId, callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import type { OthersReader, OthersRecords, RecordPlaces } from '../../../stats/ports.ts';
import type { Role } from '../engine/role.ts';
import { sharedTypes } from '../engine/value-types.ts';
import { RecordTable, type WrittenRecord } from '../records/record-table.ts';

export interface OthersRecordParts {
  readonly role: Role;
  /** The place of this node. */
  readonly slot: () => number;
  /** With the time of the database. */
  readonly clock: Clock;
}

/** As many as a follower keeps. */
const READ_MAX = 1_000;
/** A statement's rows are seen when it is committed: what was written so long ago is read again. */
const READ_AGAIN_MS = 3_000;
/** No call runs longer. */
const CALL_MS_MAX = 24 * 60 * 60_000;
/** Records that were rebuilt from settlements have no status, and the slot of who rebuilt them. */
const SLOT = 'select slot from records where call_id = $1 and status <> 0';
const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now';

export class PostgresOthersRecords implements OthersRecords, RecordPlaces {
  readonly #parts: OthersRecordParts;
  readonly #table: RecordTable;

  constructor(parts: OthersRecordParts) {
    this.#parts = parts;
    this.#table = new RecordTable(parts.role, parts.slot);
  }

  read(): OthersReader {
    /** When the first and the last reading were, by the database; null before. */
    let beganAt: number | null = null;
    let lastAt = 0;
    const seen = new Map<CallId, number>();
    return async () => {
      const now = await this.#now();
      if (beganAt === null) {
        beganAt = lastAt = now;
        return { records: [], isComplete: true };
      }
      const written = await this.#written(Math.max(beganAt, lastAt - READ_AGAIN_MS));
      lastAt = now;
      const isComplete = written.length <= READ_MAX || seen.has((written[0] as WrittenRecord).record.callId);
      const news = written.filter(({ record }) => !seen.has(record.callId));
      for (const { record, writtenAt } of news) seen.set(record.callId, writtenAt);
      for (const [id, at] of seen) if (at <= lastAt - READ_AGAIN_MS) seen.delete(id);
      return { records: news.map(({ record }) => record), isComplete };
    };
  }

  async slotOf(call: CallId): Promise<number | null> {
    const { rows } = await this.#parts.role.query<{ slot: number | null }>(SLOT, [callIdBytes(call)]);
    return rows[0]?.slot ?? null;
  }

  #written(afterMs: number): Promise<readonly WrittenRecord[]> {
    const from = firstCallIdAt(this.#parts.clock.now() - CALL_MS_MAX);
    return this.#table.written({ afterMs, from, limit: READ_MAX + 1 });
  }

  async #now(): Promise<number> {
    const { rows } = await this.#parts.role.query<{ now: number }>({ text: NOW, types: sharedTypes });
    return rows[0]?.now ?? 0;
  }
}
