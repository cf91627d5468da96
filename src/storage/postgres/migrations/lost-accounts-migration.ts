/**
 * Migration `0032_lost_accounts`, of PostgreSQL only: never changed after its release. Nothing is charged to an account that is not there, and
 * a month that is sealed gets no partition again; see decision 0076. Programs of the release before use their own functions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** In the order in which they are created. */
const FILES = [
  'bank/functions/turnpike_payers_1.sql',
  'bank/functions/turnpike_settle_4.sql',
  'bank/functions/turnpike_months_2.sql',
  'archive/functions/turnpike_late_charge_3.sql',
];

export async function addLostAccounts(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).execute(database);
}
