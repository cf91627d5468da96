/** Migration `0013_own_credentials`: never changed after its release. Credentials that accounts and projects bring themselves. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addOwnCredentials({ schema }: Kysely<unknown>, { bytes, integer }: SqlFlavour): Promise<void> {
  await schema
    .createTable('own_credentials')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('project_id', 'integer', (column) => column.references('projects.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('secret', bytes, (column) => column.notNull())
    .addColumn('hint', 'text')
    .addColumn('previous', bytes)
    .addColumn('previous_until', integer)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('standing', 'text', (column) => column.notNull())
    .addColumn('standing_at', integer)
    .addColumn('seq', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('own_credentials_of_account').on('own_credentials').column('account_id').execute();
}
