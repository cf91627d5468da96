/** What nodes share besides money, in PostgreSQL. */
import type { NodePlace } from '../../../nodes/ports.ts';
import type { SharedStores } from '../../storage.ts';
import type { PostgresConnections } from '../engine/connections.ts';
import { PostgresAttempts } from './postgres-attempts.ts';
import { PostgresClaims } from './postgres-claims.ts';
import { PostgresCounts } from './postgres-counts.ts';
import { PostgresNotices } from './postgres-notices.ts';

/** `place`: the node's now. */
export function openSharedStores(
  { exchange }: Pick<PostgresConnections, 'exchange'>,
  place: () => NodePlace,
): SharedStores {
  return {
    counts: new PostgresCounts(exchange),
    claims: new PostgresClaims(exchange, place),
    attempts: new PostgresAttempts(exchange),
    notices: new PostgresNotices(exchange),
  };
}
