/**
 * Goal: a database is migrated while others use it, once, and by no program that would leave a running node without what it needs. Method:
 * real servers, migrations of a test, tables that are locked.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { openControlDatabase } from '../control-stores.ts';
import { openConnections } from '../engine/connections.ts';
import { createIndexConcurrently } from './create-index.ts';
import { appliedMigrations, migratePostgres } from './migrate.ts';
import { postgresMigrations } from './migrations.ts';
import { isOlder } from './rolling-upgrade.ts';

async function open(database: TestDatabase) {
  const connections = await openConnections({ url: database.url, readUrl: null, connections: 4 });
  return { connections, ...openControlDatabase(connections.maintenance), close: () => connections.close() };
}

for (const name of serverNames) {
  const title = `PostgreSQL ${name}`;

  test(`${title}: of two programs that migrate at once, one applies each migration`, async (context) => {
    const database = await createEmptyDatabase(name);
    const programs = [await open(database), await open(database)];
    context.after(async () => {
      for (const { close } of programs) await close();
      await database.drop();
    });
    let runs = 0;
    const known = {
      ...postgresMigrations(),
      '9998_test': {
        async up() {
          runs += 1;
        },
      },
    };
    await Promise.all(programs.map(({ kysely }) => migratePostgres(kysely, { known })));
    assert.equal(runs, 1);
  });

  test(`${title}: a migration that fails leaves nothing, and the next start tries it again`, async (context) => {
    const database = await createEmptyDatabase(name);
    const { kysely, close } = await open(database);
    context.after(async () => {
      await close();
      await database.drop();
    });
    const half = {
      '0001_half': {
        up: async (transaction: typeof kysely) => {
          await sql`create table half (id integer)`.execute(transaction);
          await sql`select 1 / 0`.execute(transaction);
        },
      },
    };
    await assert.rejects(
      migratePostgres(kysely, { known: half }),
      /0001_half failed and was rolled back: division by zero/,
    );
    const whole = {
      '0001_half': {
        up: async (transaction: typeof kysely) => void (await sql`create table half (id integer)`.execute(transaction)),
      },
    };
    await migratePostgres(kysely, { known: whole });
    assert.deepEqual([...(await appliedMigrations(kysely))], ['0001_half']);
  });

  test(`${title}: a migration that does not get a lock lets others pass, and gets it later`, async (context) => {
    const database = await createEmptyDatabase(name);
    const { kysely, connections, close } = await open(database);
    context.after(async () => {
      await close();
      await database.drop();
    });
    await connections.query('create table busy (id integer)');
    const { promise: refused, resolve: onRefused } = Promise.withResolvers<void>();
    let attempts = 0;
    const known = {
      '0001_change': {
        up: async (transaction: typeof kysely) => {
          attempts += 1;
          await sql`set local lock_timeout = '50ms'`.execute(transaction);
          if (attempts === 2) onRefused();
          await sql`alter table busy add column name text`.execute(transaction);
        },
      },
    };
    await connections.leases.transaction(async (connection) => {
      await connection.query('lock table busy in access exclusive mode');
      void migratePostgres(kysely, { known, pauseMs: 1 }).catch(() => undefined);
      await refused;
    });
    await migratePostgres(kysely, { known, pauseMs: 1 });
    assert.ok(attempts >= 2);
    assert.deepEqual((await connections.query('select name from busy')).rows, []);
  });

  test(`${title}: a release that removes something waits until no older node lives`, async (context) => {
    const database = await createEmptyDatabase(name);
    const { kysely, connections, close } = await open(database);
    context.after(async () => {
      await close();
      await database.drop();
    });
    await migratePostgres(kysely);
    await connections.query('drop table if exists nodes cascade');
    await connections.query('create table nodes (name text, version text, state text)');
    await connections.query(
      "insert into nodes values ('old', '1.4.0', 'live'), ('gone', '1.3.0', 'gone'), ('new', '1.5.0', 'live')",
    );
    const contract = {
      known: { ...postgresMigrations(), '9999_contract': { up: async () => undefined } },
      oldestProgram: '1.5.0',
    };
    await assert.rejects(
      migratePostgres(kysely, contract),
      /^UnusableDatabase: Nodes of an older version are running: old \(1\.4\.0\)\. Upgrade them to 1\.5\.0/,
    );
    assert.ok(!(await appliedMigrations(kysely)).has('9999_contract'));
    await connections.query("update nodes set state = 'gone' where name = 'old'");
    await migratePostgres(kysely, contract);
    assert.ok((await appliedMigrations(kysely)).has('9999_contract'));
  });

  test(`${title}: an index is created while others write, and an invalid one is made again`, async (context) => {
    const database = await createEmptyDatabase(name);
    const { connections, close } = await open(database);
    context.after(async () => {
      await close();
      await database.drop();
    });
    await connections.query('create table busy (id integer)');
    await connections.query('insert into busy values (1), (1)');
    const index = { name: 'busy_by_id', definition: 'on busy (id)' };
    await assert.rejects(createIndexConcurrently(connections.maintenance, { ...index, isUnique: true }), {
      code: '23505',
    });
    await createIndexConcurrently(connections.maintenance, index);
    await createIndexConcurrently(connections.maintenance, index);
    const { rows } = await connections.query(
      "select indisvalid, indisunique from pg_index where indexrelid = 'busy_by_id'::regclass",
    );
    assert.deepEqual(rows, [{ indisvalid: true, indisunique: false }]);
  });
}

test('versions compare by their numbers', () => {
  assert.deepEqual(
    [
      isOlder('1.9.0', '1.10.0'),
      isOlder('1.10.0', '1.9.0'),
      isOlder('1.2.3', '1.2.3'),
      isOlder('0.9.9-beta.1', '1.0.0'),
    ],
    [true, false, false, true],
  );
});
