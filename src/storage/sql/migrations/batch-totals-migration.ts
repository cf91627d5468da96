/**
 * Migration `0043_batch_totals`: never changed after its release. Which lines of a batch wait and why, what its answers came to, and the batches of an
 * account in order.
 */
import type { Kysely } from 'kysely';

export async function addBatchTotals({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('batches')
    .addColumn('waiting', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const name of ['waiting_for', 'totals']) await schema.alterTable('batches').addColumn(name, 'text').execute();
  await schema.createIndex('batches_of_account').on('batches').columns(['account_id', 'id']).execute();
}
