/** A replica for reports, as the main thread sees it. */
import type { Clock } from '../../../core/clock.ts';
import type { PostgresConnections } from '../engine/connections.ts';
import { CheckedReplica, type ReplicaAddress } from './checked-replica.ts';
import { type Identity, readIdentity } from './identity.ts';

export interface ReplicaParts {
  readonly connections: Pick<PostgresConnections, 'control' | 'reports'>;
  /** With passwords, so they are never printed; both may be the same server. */
  readonly url: string;
  readonly readUrl: string;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
}

const PERIOD_MS = 20;
/** Beyond it a report shows what the replica has. */
const WAIT_MS = 500;

export class Replica {
  readonly address: ReplicaAddress;
  readonly #parts: ReplicaParts;

  private constructor(parts: ReplicaParts, identity: Identity) {
    const { url, readUrl } = parts;
    this.#parts = parts;
    this.address = { url: readUrl, of: { url, identity } };
  }

  /** Asks the database, and not yet the replica. */
  static async open(parts: ReplicaParts): Promise<Replica> {
    const { control } = parts.connections;
    return new Replica(parts, await readIdentity((text) => control.query(text)));
  }

  /** As of `CheckedReplica`. */
  complaint(): Promise<string | null> {
    return new CheckedReplica(this.address).complaint();
  }

  /** Resolves when the replica has all that is committed now, so that a person sees the call that they just made, or after half a second. */
  async caughtUp(): Promise<void> {
    const { connections, clock } = this.#parts;
    const endMs = clock.monotonic() + WAIT_MS;
    const { rows } = await connections.control.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at');
    const at = rows[0]?.at;
    for (;;) {
      const { rows: found } = await connections.reports.query<{ has: boolean }>(
        'select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as has',
        [at],
      );
      if (found[0]?.has === true || clock.monotonic() >= endMs) return;
      await new Promise<void>((resolve) => clock.after(PERIOD_MS, resolve));
    }
  }
}
