/**
 * Migration `0036_units`: never changed after its release. How many units of what is not counted in tokens, such as images, and the place of
 * their price in the price version; earlier settlements have none.
 */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addUnits({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const table of ['settlements', 'holds'])
    for (const column of ['units', 'unit_line'])
      await schema
        .alterTable(table)
        .addColumn(column, integer, (definition) => definition.notNull().defaultTo(0))
        .execute();
}
