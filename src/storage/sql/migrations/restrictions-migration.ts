/** Migration `0005_restrictions`: never changed after its release. Adds the restrictions of keys and projects. */
import type { Kysely } from 'kysely';

export async function addRestrictions({ schema }: Kysely<unknown>): Promise<void> {
  for (const table of ['keys', 'projects'])
    await schema
      .alterTable(table)
      .addColumn('restrictions', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
}
