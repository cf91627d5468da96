/**
 * Migration `0008_feed`: never changed after its release. Rows that are mirrored in memory get the number of their last change, and
 * recent changes are stored. Adds what the checks of a change look up: keys by maker and by root, and the number of keys of each
 * account.
 */
import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

/** Keys read at a time. */
const PAGE_ROWS = 500;

export async function addFeed(database: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('feed')
    .addColumn('seq', integer, (column) => column.notNull())
    .execute();
  await sql`insert into feed (seq) values (0)`.execute(database);
  await schema
    .createTable('changes')
    .addColumn('seq', integer, (column) => column.primaryKey().notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('changes_by_time').on('changes').column('at').execute();
  for (const table of ['accounts', 'projects', 'keys', 'providers'])
    await schema
      .alterTable(table)
      .addColumn('seq', integer, (column) => column.notNull().defaultTo(0))
      .execute();
  await schema.createIndex('keys_by_maker').on('keys').column('created_by').execute();
  await schema.createIndex('keys_by_root').on('keys').column('root_id').execute();
  let counts: CreateTableBuilder<string, string> = schema
    .createTable('key_counts')
    .addColumn('account_id', 'integer', (column) => column.primaryKey().notNull());
  for (const name of ['keys', 'live', 'standing', 'lists_length'])
    counts = counts.addColumn(name, integer, (column) => column.notNull());
  await counts.execute();
  await countKeys(database);
}

async function countKeys(database: Kysely<unknown>): Promise<void> {
  await sql`
    insert into key_counts (account_id, keys, live, standing, lists_length)
    select projects.account_id, count(*),
      sum(case when revoked_at is null and retiring_at is null then 1 else 0 end),
      sum(case when revoked_at is null then 1 else 0 end), 0
    from keys join projects on projects.id = keys.project_id group by projects.account_id
  `.execute(database);
  for (let last = 0; ; ) {
    const { rows } = await sql<KeyRow>`
      select keys.id, account_id, keys.permissions from keys join projects on projects.id = keys.project_id
      where keys.id > ${last} and keys.permissions <> '{}' and revoked_at is null order by keys.id limit ${PAGE_ROWS}
    `.execute(database);
    for (const { account_id, permissions } of rows)
      await sql`
        update key_counts set lists_length = lists_length + ${lengthOf(permissions)} where account_id = ${account_id}
      `.execute(database);
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)?.id ?? last;
  }
}

interface KeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly permissions: string;
}

/** The total length of all texts in all lists, in characters. */
function lengthOf(permissions: string): number {
  let length = 0;
  for (const list of Object.values(JSON.parse(permissions) as Record<string, unknown>))
    for (const entry of Array.isArray(list) ? list : []) if (typeof entry === 'string') length += entry.length;
  return length;
}
