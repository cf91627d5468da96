/** Waits until a replica has what the database had a moment ago, so that a person sees the call that they just made. */
import type { Clock } from '../../../core/clock.ts';
import type { Queryable } from '../engine/connections.ts';

export interface ReplicaParts {
  readonly database: Queryable;
  /** The replica; may be the same server. */
  readonly replica: Queryable;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
}

const PERIOD_MS = 20;
/** Beyond it a report shows what the replica has. */
const WAIT_MS = 500;

export class Replica {
  readonly #parts: ReplicaParts;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
  }

  /** Resolves when the replica has all that is committed now, or after half a second. */
  async caughtUp(): Promise<void> {
    const { database, replica, clock } = this.#parts;
    const endMs = clock.monotonic() + WAIT_MS;
    const { rows } = await database.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at');
    const at = rows[0]?.at;
    for (;;) {
      const { rows: found } = await replica.query<{ has: boolean }>(
        'select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as has',
        [at],
      );
      if (found[0]?.has === true || clock.monotonic() >= endMs) return;
      await new Promise<void>((resolve) => clock.after(PERIOD_MS, resolve));
    }
  }
}
