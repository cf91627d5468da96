/** Migration `0023_archive`, of PostgreSQL only: never changed after its release. Where the rows of sealed months are, and what arrives late for them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

export async function addArchive(database: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(join(import.meta.dirname, 'archive.sql'), 'utf8')).execute(database);
}
