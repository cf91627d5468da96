/**
 * Migration `0014_rates`: never changed after its release. What is charged above or below the list price, which earlier settlements were
 * charged; the cost of own credentials among the sums; the rates of accounts; prices that were imported or pinned.
 */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addRates({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const table of ['settlements', 'holds'])
    for (const column of ['markup_ppm', 'own_credential'])
      await schema
        .alterTable(table)
        .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
        .execute();
  for (const table of ['rollups_hour', 'rollups_day'])
    await schema
      .alterTable(table)
      .addColumn('own_cost_nano', integer, (definition) => definition.notNull().defaultTo(0))
      .execute();
  await schema
    .alterTable('accounts')
    .addColumn('rates', 'text', (definition) => definition.notNull().defaultTo('{}'))
    .execute();
  await schema
    .createTable('listed_prices')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('upstream_model', 'text', (column) => column.notNull())
    .addColumn('prices', 'text')
    .addColumn('retires_at', integer)
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('pinned', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('changed_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('listed_prices_key', ['provider', 'upstream_model'])
    .execute();
}
