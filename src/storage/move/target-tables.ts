/** The tables of the PostgreSQL database that a ledger moves to. */
import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';

export interface PostgresTable {
  readonly name: string;
  readonly columns: ReadonlySet<string>;
  readonly hasTriggers: boolean;
}

/** Of the schema that the program uses, without partitions. */
export async function postgresTables(connection: MaintenanceConnection): Promise<readonly PostgresTable[]> {
  const rows = await connection.rows<{ name: string; columns: string; triggers: boolean }>(
    `select relname::text as name,
       (select string_agg(attname, ' ') from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
       exists (select from pg_trigger where tgrelid = pg_class.oid and not tgisinternal) as triggers
     from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
     order by relname`,
  );
  return rows.map(({ name, columns, triggers }) => ({
    name,
    columns: new Set(columns.split(' ')),
    hasTriggers: triggers,
  }));
}

/** What a database has before it is used. */
const FROM_THE_BEGINNING = new Set(['migrations', 'migrations_lock', 'feed', 'facts', 'names', 'sealing_keys']);

/** Throws, with the name of a table, if something is in the database. Nobody else can write to it until the transaction ends. */
export async function checkEmpty(connection: MaintenanceConnection, tables: readonly PostgresTable[]): Promise<void> {
  await connection.rows(`lock table ${tables.map(({ name }) => name).join(', ')} in exclusive mode`);
  for (const { name } of tables) {
    if (FROM_THE_BEGINNING.has(name)) continue;
    const found = await connection.rows(`select from ${name} limit 1`);
    if (found.length > 0)
      throw new Error(
        `The database is not empty: there are rows in ${name}. A ledger moves to an empty database only. Create another one and name it, or, if nothing in this one is needed, drop it and create it again.`,
      );
  }
}
