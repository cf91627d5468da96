/** Migration `0012_aliases`: never changed after its release. Names that lead to models, for the installation, an account or a project. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addAliases({ schema }: Kysely<unknown>, { integer, identity }: SqlFlavour): Promise<void> {
  await schema
    .createTable('aliases')
    .addColumn('id', 'integer', (column) => identity(column))
    // 0 and not null for none: nulls differ from each other, so a unique index would let two names pass.
    .addColumn('account_id', 'integer', (column) => column.notNull())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('choice', 'text', (column) => column.notNull())
    .addColumn('targets', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('seq', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createIndex('aliases_by_name')
    .unique()
    .on('aliases')
    .columns(['account_id', 'project_id', 'name'])
    .execute();
}
