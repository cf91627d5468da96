/**
 * Migration `0026_settling`, of PostgreSQL only: never changed after its release. Settles late calls with work in proportion to them, and
 * those of accounts that a database which went back does not have; see decision 0072. Programs of the release before use their own function.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILES = [
  'functions/turnpike_owned_1.sql',
  'functions/turnpike_short_1.sql',
  'functions/turnpike_late_2.sql',
  'functions/turnpike_settle_2.sql',
];

export async function addSettling(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', 'bank', file), 'utf8')).execute(database);
}
