/**
 * Migration `0029_carried_claims`, of PostgreSQL only: never changed after its release. A node that restarts carries its last epoch, and so
 * keeps the idempotency keys of calls that its journal has not sent, even if nothing is lent to it. Programs of the release before use
 * their own function.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILE = join(import.meta.dirname, '..', 'bank', 'functions', 'turnpike_register_2.sql');

export async function addCarriedClaims(database: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(FILE, 'utf8')).execute(database);
}
