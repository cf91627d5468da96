/**
 * Migration `0025_totals`, of PostgreSQL only: never changed after its release. What was spent before the last weeks is one sum of each
 * purse, so that lending a budget without a window costs the same after years. Programs of the release before add up all days.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILES = [
  'totals.sql',
  'functions/turnpike_spent_1.sql',
  'functions/turnpike_fold_1.sql',
  'functions/turnpike_lease_2.sql',
];

export async function addTotals(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', 'bank', file), 'utf8')).execute(database);
}
