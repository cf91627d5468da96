/** Migration `0038_files`: never changed after its release. Files of callers; what is in them is kept in chunks elsewhere. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addFiles({ schema }: Kysely<unknown>, { bytes, integer, clustered }: SqlFlavour): Promise<void> {
  const table = schema
    .createTable('files')
    .addColumn('id', bytes, (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'integer', (column) => column.notNull())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('is_complete', 'integer', (column) => column.notNull());
  await (clustered === null ? table : table.modifyEnd(clustered)).execute();
  await schema.createIndex('files_of_project').on('files').columns(['project_id', 'id']).execute();
  await schema.createIndex('files_of_purpose').on('files').columns(['project_id', 'purpose', 'id']).execute();
  await schema.createIndex('files_of_account').on('files').columns(['account_id', 'bytes']).execute();
  await schema.createIndex('files_by_expiry').on('files').column('expires_at').execute();
}
