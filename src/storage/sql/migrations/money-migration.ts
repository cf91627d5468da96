/**
 * Migration `0002_money`: never changed after its release. Creates balances, holds, entries, sums and stored
 * answers.
 */
import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addMoney(database: Kysely<unknown>, flavour: SqlFlavour): Promise<void> {
  await addColumns(database, flavour);
  await makeHolds(database, flavour);
  await makeBalances(database, flavour);
  await makeEntries(database, flavour);
  await makeRollups(database, flavour);
  await makeReplays(database, flavour);
  await makeSeals(database, flavour);
}

async function addColumns({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const table of ['accounts', 'projects'])
    for (const column of ['limits', 'permissions'])
      await schema
        .alterTable(table)
        .addColumn(column, 'text', (definition) => definition.notNull().defaultTo('{}'))
        .execute();
  await schema.alterTable('keys').addColumn('root_id', 'integer').execute();
  await schema.alterTable('settlements').addColumn('hold_nano', integer).execute();
  for (const column of ['fault_nano', 'variance_nano'])
    await schema
      .alterTable('settlements')
      .addColumn(column, integer, (definition) => definition.notNull().defaultTo(0))
      .execute();
}

/** The columns of settlements: a hold is the settlement that counts if the process dies. */
async function makeHolds({ schema }: Kysely<unknown>, { bytes, integer, clustered }: SqlFlavour): Promise<void> {
  let table: CreateTableBuilder<string, string> = schema
    .createTable('holds')
    .addColumn('call_id', bytes, (column) => column.primaryKey().notNull())
    .addColumn('admitted_at', integer, (column) => column.notNull());
  for (const name of [
    'account_id',
    'project_id',
    'key_id',
    'operation',
    'model',
    'provider',
    'input_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
    'cache_write_1h_tokens',
    'input_audio_tokens',
    'output_tokens',
    'output_audio_tokens',
    'reasoning_tokens',
    'web_searches',
    'usage_source',
  ])
    table = table.addColumn(name, 'integer', (column) => column.notNull());
  table = table
    .addColumn('price_version', 'integer')
    .addColumn('cost_nano', integer)
    .addColumn('charge_nano', integer, (column) => column.notNull())
    .addColumn('ending', 'integer', (column) => column.notNull())
    .addColumn('hold_nano', integer)
    .addColumn('fault_nano', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('variance_nano', integer, (column) => column.notNull().defaultTo(0));
  await (clustered === null ? table : table.modifyEnd(clustered)).execute();
}

async function makeBalances({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  let table: CreateTableBuilder<string, string> = schema
    .createTable('balances')
    .addColumn('account_id', 'integer', (column) => column.primaryKey());
  for (const name of ['balance_nano', 'credited_nano', 'charged_nano'])
    table = table.addColumn(name, integer, (column) => column.notNull());
  await table.execute();
}

async function makeEntries({ schema }: Kysely<unknown>, { bytes, integer, identity }: SqlFlavour): Promise<void> {
  await schema
    .createTable('entries')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('account_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('amount_nano', integer, (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('call_id', bytes)
    .addColumn('note', 'text')
    .addUniqueConstraint('entries_by_reference', ['account_id', 'reference'])
    .execute();
  await schema.createIndex('entries_of_account').on('entries').columns(['account_id', 'id']).execute();
  await schema.createIndex('entries_of_call').on('entries').column('call_id').execute();
}

/** Two tables of sums, filled from the existing settlements. */
async function makeRollups(database: Kysely<unknown>, flavour: SqlFlavour): Promise<void> {
  for (const [name, spanMs] of [
    ['rollups_hour', 3_600_000],
    ['rollups_day', 86_400_000],
  ] as const) {
    await makeRollup(database, flavour, name);
    await sql`
      INSERT INTO ${sql.table(name)}
      SELECT admitted_at / ${sql.lit(spanMs)}, account_id, project_id, key_id, model, provider,
        count(*), sum(CASE WHEN ending IN (1, 2) THEN 0 ELSE 1 END),
        sum(input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + input_audio_tokens),
        sum(output_tokens + output_audio_tokens), sum(cache_read_tokens), sum(reasoning_tokens),
        sum(coalesce(cost_nano, 0)), sum(charge_nano)
      FROM settlements GROUP BY 1, 2, 3, 4, 5, 6`.execute(database);
  }
  await database.schema.createIndex('rollups_day_of_key').on('rollups_day').columns(['key_id', 'start']).execute();
}

const ROLLUP_DIMENSIONS = ['start', 'account_id', 'project_id', 'key_id', 'model', 'provider'] as const;

async function makeRollup(
  { schema }: Kysely<unknown>,
  { integer, clustered }: SqlFlavour,
  name: string,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const column of ROLLUP_DIMENSIONS)
    table = table.addColumn(column, 'integer', (definition) => definition.notNull());
  for (const column of [
    'calls',
    'failed',
    'prompt_tokens',
    'completion_tokens',
    'cached_tokens',
    'reasoning_tokens',
    'cost_nano',
    'charge_nano',
  ])
    table = table.addColumn(column, integer, (definition) => definition.notNull());
  table = table.addPrimaryKeyConstraint(`${name}_key`, [...ROLLUP_DIMENSIONS]);
  await (clustered === null ? table : table.modifyEnd(clustered)).execute();
}

async function makeReplays({ schema }: Kysely<unknown>, { bytes, integer }: SqlFlavour): Promise<void> {
  await schema
    .createTable('replays')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('key_digest', bytes, (column) => column.notNull())
    .addColumn('body_digest', bytes, (column) => column.notNull())
    .addColumn('call_id', bytes, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('answer', bytes)
    .addPrimaryKeyConstraint('replays_key', ['project_id', 'key_digest'])
    .execute();
  await schema.createIndex('replays_by_expiry').on('replays').column('expires_at').execute();
  await schema.createIndex('replays_by_call').on('replays').column('call_id').execute();
}

async function makeSeals({ schema }: Kysely<unknown>, { bytes, integer }: SqlFlavour): Promise<void> {
  await schema
    .createTable('seals')
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('account_id', 'integer', (column) => column.notNull())
    .addColumn('closing_balance_nano', integer, (column) => column.notNull())
    .addColumn('rows', integer, (column) => column.notNull())
    .addColumn('hash', bytes, (column) => column.notNull())
    .addColumn('sealed_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('seals_key', ['month', 'account_id'])
    .execute();
}
