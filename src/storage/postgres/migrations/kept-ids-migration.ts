/**
 * Migration `0029_kept_ids`, of PostgreSQL only: never changed after its release. Changes by hand of which nodes would not learn are refused:
 * TRUNCATE, and another id for a row.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILE = join(import.meta.dirname, '..', 'bank', 'kept-ids.sql');

export async function addKeptIds(database: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(FILE, 'utf8')).execute(database);
}
