/** Migration `0016_more_credentials`: never changed after its release. Further credentials of a provider, sealed together. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addMoreCredentials({ schema }: Kysely<unknown>, { bytes }: SqlFlavour): Promise<void> {
  await schema.alterTable('providers').addColumn('more_credentials', bytes).execute();
}
