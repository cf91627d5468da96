/** Migration `0017_stored_credentials`: never changed after its release. With which credential something was stored at a provider. */
import type { Kysely } from 'kysely';

export async function addStoredCredentials({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('stored_ids').addColumn('credential', 'integer').execute();
}
