/**
 * Migration `0015_response_cache`: never changed after its release. What calls saved because their answers were kept, in settlements and sums,
 * and the setting of a key.
 */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addResponseCache({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const table of ['settlements', 'holds', 'rollups_hour', 'rollups_day']) {
    if (table.startsWith('rollups'))
      await schema
        .alterTable(table)
        .addColumn('cache_hits', integer, (definition) => definition.notNull().defaultTo(0))
        .execute();
    await schema
      .alterTable(table)
      .addColumn('saved_nano', integer, (definition) => definition.notNull().defaultTo(0))
      .execute();
  }
  await schema.alterTable('keys').addColumn('cache_seconds', 'integer').execute();
}
