/** Migration `0010_stored_ids`: never changed after its release. Which project may name what a provider keeps of its calls. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addStoredIds(
  { schema }: Kysely<unknown>,
  { bytes, integer, clustered }: SqlFlavour,
): Promise<void> {
  const table = schema
    .createTable('stored_ids')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('digest', bytes, (column) => column.notNull())
    .addColumn('provider', 'integer', (column) => column.notNull())
    .addColumn('upstream_model', 'integer', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('stored_ids_key', ['project_id', 'digest']);
  await (clustered === null ? table : table.modifyEnd(clustered)).execute();
  await schema.createIndex('stored_ids_by_time').on('stored_ids').column('created_at').execute();
}
