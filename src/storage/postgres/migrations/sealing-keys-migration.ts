/**
 * Migration `0020_sealing_keys`: never changed after its release. The keys that encrypt secrets in the database, each encrypted with the
 * master key, which the database does not have.
 */
import type { Kysely } from 'kysely';
import { postgresFlavour } from '../engine/flavour.ts';

export async function addSealingKeys({ schema }: Kysely<unknown>): Promise<void> {
  const { bytes, integer } = postgresFlavour;
  await schema
    .createTable('sealing_keys')
    .addColumn('id', bytes, (column) => column.primaryKey().notNull())
    .addColumn('wrapped', bytes, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('retired_at', integer)
    .execute();
}
