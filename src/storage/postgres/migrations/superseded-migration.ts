/**
 * Migration `0041_superseded`, of PostgreSQL only: never changed after its release. A call that has lost its name, because its node was lost, is not
 * charged when the node comes back; see decision 0085. Programs of the release before use their own functions, which charge it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** In the order in which they are created. */
const FILES = [
  'exchange/superseded.sql',
  'exchange/functions/turnpike_give_up_1.sql',
  'bank/functions/turnpike_superseded_1.sql',
  'bank/functions/turnpike_settle_6.sql',
];

export async function addSuperseded(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).execute(database);
}
