/** Migration `0035_key_origins`: never changed after its release. The pages that may use a key; null for none. */
import type { Kysely } from 'kysely';

export async function addKeyOrigins({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('keys').addColumn('origins', 'text').execute();
}
