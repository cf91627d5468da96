/** Migration `0042_batches_of_account`: never changed after its release. What an account has is found by the account: batches by their end, and files by what they are. */
import type { Kysely } from 'kysely';

export async function addBatchesOfAccount({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('batches_of_account_by_end')
    .on('batches')
    .columns(['account_id', 'ended_at', 'id'])
    .execute();
  await schema
    .createIndex('files_of_account_by_kind')
    .on('files')
    .columns(['account_id', 'purpose', 'is_complete', 'bytes'])
    .execute();
  await schema.dropIndex('files_of_account').execute();
}
