/** Goal: a statement is prepared once and returns correct results each time. Method: a real database that counts prepared statements. */
import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { test } from 'node:test';
import { CompiledQuery, Kysely } from 'kysely';
import { ManualClock } from '../../../core/clock.ts';
import { Gate } from './gate.ts';
import { NodeSqliteDialect } from './kysely-dialect.ts';

interface Schema {
  readonly things: { readonly id: number; readonly name: string };
}

class CountedDatabase extends DatabaseSync {
  readonly texts: string[] = [];

  override prepare(sql: string): StatementSync {
    this.texts.push(sql);
    return super.prepare(sql);
  }
}

function open() {
  const database = new CountedDatabase(':memory:');
  let uses = 0;
  const onUsed = () => {
    uses += 1;
  };
  const dialect = new NodeSqliteDialect({ database, gate: new Gate(), clock: new ManualClock(), onUsed });
  const kysely = new Kysely<Schema>({ dialect });
  return { database, kysely, uses: () => uses, run: (sql: string) => kysely.executeQuery(CompiledQuery.raw(sql)) };
}

test('the same statement with other values is prepared once', async () => {
  const { database, kysely, run } = open();
  await run('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  for (const name of ['one', 'two', 'three'])
    await kysely
      .insertInto('things')
      .values({ id: name.length, name } as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  database.texts.length = 0;
  for (const id of [3, 5, 9]) {
    const found = await kysely.selectFrom('things').select('name').where('id', '=', id).executeTakeFirst();
    assert.equal(found?.name, { 3: 'one', 5: 'three' }[id]);
  }
  assert.equal(database.texts.length, 1);
  database.close();
});

test('each length of a list has its own statement, and old ones are dropped', async () => {
  const { database, kysely, run } = open();
  await run('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  const find = (count: number) =>
    kysely
      .selectFrom('things')
      .select('name')
      .where(
        'id',
        'in',
        Array.from({ length: count }, (_, id) => id),
      )
      .execute();
  for (let count = 1; count <= 600; count += 1) assert.deepEqual(await find(count), []);
  database.texts.length = 0;
  await find(600);
  assert.equal(database.texts.length, 0);
  await find(1);
  assert.equal(database.texts.length, 1, 'it was dropped');
  database.close();
});

test('statements are prepared again after a change of the schema', async () => {
  const { database, run } = open();
  await run('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  await run("INSERT INTO things VALUES (1, 'one')");
  const all = async () => (await run('SELECT * FROM things')).rows.map((row) => ({ ...(row as object) }));
  assert.deepEqual(await all(), [{ id: 1, name: 'one' }]);
  await run("ALTER TABLE things ADD COLUMN colour TEXT DEFAULT 'red'");
  assert.deepEqual(await all(), [{ id: 1, name: 'one', colour: 'red' }]);
  database.close();
});

test('every use of the connection is reported to the checkpointer, even a failed one', async () => {
  const { database, run, uses } = open();
  await run('CREATE TABLE things (id INTEGER PRIMARY KEY)');
  assert.equal(uses(), 1);
  await assert.rejects(run('SELECT 1 FROM nowhere'), /nowhere/);
  assert.equal(uses(), 2);
  database.close();
});
