import type { Queryable } from '../engine/connections.ts';

/**
 * Which history of which database a server has: its system's id, its timeline, and the numbers of the database and of one of its tables. Another
 * system, or another timeline of the same one, may lack what was committed a moment ago:
 * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-TIMELINES. A dump that is loaded creates the table again, and a copy
 * of files is another database: the server never gives their numbers to them.
 */
export async function readHistory(database: Pick<Queryable, 'query'>): Promise<string> {
  const { rows } = await database.query<{ history: string }>(HISTORY);
  return rows[0]?.history ?? '';
}

/** The name of a segment of the log begins with its timeline. A standby has none: it refuses this statement. */
export const HISTORY = `select system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    || '/' || pg_database.oid::text || '.' || coalesce(to_regclass('nodes')::oid, 0)::text as history
  from pg_control_system(), pg_database where datname = current_database()`;

/** How far the log of the server is, in bytes. Within a history it only goes back when an image of the server's disk is restored. */
export const LOG_POSITION = `pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint`;

/**
 * A common table expression `found`: one row if the server has the history that the parameter names, or if that is null; none
 * otherwise. What is joined to it laterally, with an argument from it, is then not executed.
 *
 * The statements of that function are planned once per connection (decision 0071). By itself PostgreSQL plans them again with each
 * call, because plans for known arrays seem cheaper, and that costs more than executing them. Such a plan is used when tables have
 * become larger than they were, so it finds rows by their keys. It is said in the statement, and counts until its end, because a
 * connection of a pooler has no settings.
 */
export function inHistory(parameter: string): string {
  return found(parameter, `known.history, ${PLANNED_ONCE}`);
}

/** The same for statements that are rare: they are planned as PostgreSQL sees fit. */
export function onlyInHistory(parameter: string): string {
  return found(parameter, 'known.history');
}

function found(parameter: string, columns: string): string {
  return `with found as materialized (
    select ${columns}
    from (${HISTORY}) as known where ${parameter}::text is null or known.history = ${parameter}::text)`;
}

const PLANNED_ONCE = Object.entries({
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  enable_bitmapscan: 'off',
})
  .map(([setting, value]) => `set_config('${setting}', '${value}', true)`)
  .join(', ');
