/**
 * Migration `0033_followed_sets`, of PostgreSQL only: never changed after its release. A statement by hand that changes many rows takes a time
 * in proportion to them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILE = join(import.meta.dirname, '..', 'bank', 'followed-sets.sql');

export async function addFollowedSets(database: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(FILE, 'utf8')).execute(database);
}
