/**
 * Migration `0009_tool_uses`: never changed after its release. Counts of what tools of the provider did besides searching the web; earlier
 * settlements have none.
 */
import type { Kysely } from 'kysely';

export async function addToolUses({ schema }: Kysely<unknown>): Promise<void> {
  for (const table of ['settlements', 'holds'])
    for (const column of ['file_searches', 'code_containers'])
      await schema
        .alterTable(table)
        .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
        .execute();
}
