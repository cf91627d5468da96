/**
 * Migration `0040_input_images`: never changed after its release. How many tokens of the input are images, which some models price apart; earlier
 * settlements have none.
 */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addInputImages({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const table of ['settlements', 'holds'])
    await schema
      .alterTable(table)
      .addColumn('input_image_tokens', integer, (definition) => definition.notNull().defaultTo(0))
      .execute();
}
