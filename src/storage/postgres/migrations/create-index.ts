/** Creates an index while others write to the table. PostgreSQL does not allow it in a transaction, so it is no migration. */
import type { Queryable } from '../engine/role.ts';

export interface IndexToCreate {
  readonly name: string;
  /** What follows `create index … name`: `on settlements (admitted_at)`. */
  readonly definition: string;
  readonly isUnique?: boolean;
}

/**
 * Does nothing if it is there. An index that was left invalid by an attempt that was interrupted is made again. Called after the migrations
 * of a release whose next one relies on it; several programs may call it at once.
 */
export async function createIndexConcurrently(
  connection: Queryable,
  { name, definition, isUnique = false }: IndexToCreate,
): Promise<void> {
  const { rows } = await connection.query<{ valid: boolean; building: boolean }>(STATE, [name]);
  const [state] = rows;
  if (state?.valid === true || state?.building === true) return;
  if (state !== undefined) await connection.query(`drop index concurrently if exists "${name}"`);
  await connection.query(`create ${isUnique ? 'unique ' : ''}index concurrently if not exists "${name}" ${definition}`);
}

/** https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY */
const STATE = `
  select indisvalid as valid, exists (select 1 from pg_stat_progress_create_index where index_relid = indexrelid) as building
  from pg_index where indexrelid = to_regclass('"' || $1 || '"')`;
