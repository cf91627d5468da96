/**
 * Migration `0031_followed_rows`, of PostgreSQL only: never changed after its release. A change of a key, or of anything else that nodes follow, reads
 * the row that was changed, however many there are.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILE = join(import.meta.dirname, '..', 'bank', 'followed-rows.sql');

export async function addFollowedRows(database: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(FILE, 'utf8')).execute(database);
}
