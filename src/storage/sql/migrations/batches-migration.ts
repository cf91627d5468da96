/** Migration `0039_batches`: never changed after its release. Batches of callers, and which process runs each. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addBatches({ schema }: Kysely<unknown>, { bytes, integer }: SqlFlavour): Promise<void> {
  let table = schema.createTable('batches').addColumn('id', bytes, (column) => column.primaryKey().notNull());
  for (const name of ['account_id', 'project_id', 'key_id'])
    table = table.addColumn(name, 'integer', (column) => column.notNull());
  await table
    .addColumn('address', 'text')
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('input_file', bytes, (column) => column.notNull())
    .addColumn('output_file', bytes)
    .addColumn('error_file', bytes)
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('kept_ms', integer, (column) => column.notNull())
    .addColumn('times', 'text', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('completed', 'integer', (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('errors', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text')
    .addColumn('ended_at', integer)
    .addColumn('claimed_by', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('claimed_until', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('batches_of_project').on('batches').columns(['project_id', 'id']).execute();
  await schema.createIndex('batches_by_end').on('batches').column('ended_at').execute();
}
