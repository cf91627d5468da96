/** Who restricted keys and projects, as migration `0005_restrictions` added it: once released it is never changed. */
import type { Kysely } from 'kysely';

export async function addRestrictions({ schema }: Kysely<unknown>): Promise<void> {
  for (const table of ['keys', 'projects'])
    await schema
      .alterTable(table)
      .addColumn('restrictions', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
}
