/**
 * Migration `0030_charged_once`, of PostgreSQL only: never changed after its release. What comes again, late, or after another node has asked
 * for the same, is charged once, and as much as its budgets leave; see decision 0074. Programs of the release before use their own functions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** In the order in which they are created. */
const FILES = [
  'bank/functions/turnpike_fold_2.sql',
  'bank/functions/turnpike_lease_3.sql',
  'bank/functions/turnpike_late_3.sql',
  'bank/functions/turnpike_settle_3.sql',
  'bank/functions/turnpike_close_leases_2.sql',
  'bank/functions/turnpike_reap_2.sql',
  'exchange/functions/turnpike_claim_2.sql',
  'archive/functions/turnpike_late_charge_2.sql',
];

export async function addChargedOnce(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).execute(database);
}
