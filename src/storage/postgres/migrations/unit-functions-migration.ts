/**
 * Migration `0037_units_settled`, of PostgreSQL only: never changed after its release. Settlements with what is charged by the piece, see decision
 * 0077. Programs of the release before use their own functions, which leave the two columns at their default.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** In the order in which they are created. */
const FILES = ['turnpike_units_1.sql', 'turnpike_write_2.sql', 'turnpike_settle_5.sql'];

export async function addUnitFunctions(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', 'bank', 'functions', file), 'utf8')).execute(database);
}
