/** What nodes share besides money, in PostgreSQL. */
import type { Clock } from '../../../core/clock.ts';
import type { NodePlace } from '../../../nodes/ports.ts';
import type { SharedStores } from '../../storage.ts';
import type { PostgresConnections } from '../engine/connections.ts';
import { PostgresAttempts } from './postgres-attempts.ts';
import { PostgresClaims } from './postgres-claims.ts';
import { PostgresCounts } from './postgres-counts.ts';
import { PostgresNotices } from './postgres-notices.ts';
import { PostgresOthersRecords } from './postgres-others-records.ts';

/** `place`: the node's now. */
export function openSharedStores(
  { exchange }: Pick<PostgresConnections, 'exchange'>,
  place: () => NodePlace,
  clock: Clock,
): SharedStores {
  return {
    counts: new PostgresCounts(exchange),
    claims: new PostgresClaims(exchange, place),
    attempts: new PostgresAttempts(exchange),
    notices: new PostgresNotices(exchange),
    records: new PostgresOthersRecords({ role: exchange, slot: () => place().slot, clock }),
  };
}
