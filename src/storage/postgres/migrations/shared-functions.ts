/** Functions that shared SQL calls and PostgreSQL has by another name; never changed after its release. */
import { type Kysely, sql } from 'kysely';

export async function addSharedFunctions(database: Kysely<unknown>): Promise<void> {
  await sql`create function instr(text, text) returns integer language sql immutable strict parallel safe
    return strpos($1, $2)`.execute(database);
}
