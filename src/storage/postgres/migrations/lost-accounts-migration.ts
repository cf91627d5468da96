/**
 * Migration `0032_lost_accounts`, of PostgreSQL only: never changed after its release. Nothing is charged to an account that is not there, and
 * a month that is sealed gets no partition again; see decision 0076. Programs of the release before use their own functions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** In the order in which they are created. */
const FILES = [
  'functions/turnpike_payers_1.sql',
  'functions/turnpike_settle_4.sql',
];

export async function addLostAccounts(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', 'bank', file), 'utf8')).execute(database);
}
