/**
 * Goal: `doctor` says what is wrong with what several nodes share, and never a password. Method: real PostgreSQL servers and a real Valkey, with
 * one thing wrong each; clocks and versions are given.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataPlace } from '../../../../test/support/postgres/data-place.ts';
import {
  createDatabase,
  createDatabaseAt,
  createEmptyDatabase,
  execute,
} from '../../../../test/support/postgres/database.ts';
import { installedMajors } from '../../../../test/support/postgres/installations.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { Standby } from '../../../../test/support/postgres/standby.ts';
import { startServer } from '../../../../test/support/postgres/start-server.ts';
import { startRedis } from '../../../../test/support/redis-server.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { openJournalDatabase } from '../../../storage/journal/journal-database.ts';
import { JournalMark } from '../../../storage/journal/journal-mark.ts';
import { checkDatabase, type DatabaseChecksParts } from './database-checks.ts';

const SECRETS = { TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4), TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4) };
const folder = mkdtempSync(join(tmpdir(), 'turnpike-database-checks-'));
after(() => rmSync(folder, { recursive: true }));

type Environment = Readonly<Record<string, string>>;

/** Each row as `state name: detail`. */
async function rowsOf(environment: Environment, changes: Partial<DatabaseChecksParts> = {}) {
  const all = { TURNPIKE_DATA: mkdtempSync(join(folder, 'data-')), ...SECRETS, ...environment };
  const { config } = loadConfig({ flags: {}, environment: all, cwd: folder });
  const program = { name: 'turnpike', serve: 'turnpike serve' } as DatabaseChecksParts['program'];
  const { checks, isUsable } = await checkDatabase(config, { now: Date.now, program, running: null, ...changes });
  const rows = checks.map(({ name, state, detail }) => `${state} ${name}: ${detail}`);
  assert.doesNotMatch(rows.join('\n'), /secret-word/);
  return { rows, isUsable, row: (name: string) => rows.find((each) => each.includes(` ${name}: `)) ?? 'none' };
}

test('without a database there is nothing to check', async () => {
  assert.deepEqual((await rowsOf({})).rows, []);
});

for (const server of serverNames) {
  const title = `PostgreSQL ${server}`;

  test(`${title}: a database that is as it should be has only good rows`, async () => {
    const database = await createDatabase(server);
    try {
      const { rows, isUsable } = await rowsOf({ DATABASE_URL: database.url });
      assert.deepEqual(
        rows.map((row) => row.split(':')[0]),
        ['ok database', 'ok database clock', 'ok schema', 'ok secrets', 'ok nodes', 'ok journal'],
      );
      assert.match(rows[0] ?? '', /PostgreSQL \d+\.\d+, turnpike_test_\w+ at .+, takes writes$/);
      assert.equal(isUsable, true);
    } finally {
      await database.drop();
    }
  });

  test(`${title}: a replica that answers has a row of its own`, async () => {
    const database = await createDatabase(server);
    try {
      const { row } = await rowsOf({ DATABASE_URL: database.url, TURNPIKE_DATABASE_READ_URL: database.url });
      assert.equal(row('replica'), 'ok replica: answers; database.readUrl names a primary, which does not lag');
    } finally {
      await database.drop();
    }
  });

  test(`${title}: an empty database gets its schema at the first start; a read-only one cannot be used`, async () => {
    const database = await createEmptyDatabase(server);
    try {
      const environment = { DATABASE_URL: database.url };
      assert.equal((await rowsOf(environment)).row('schema'), 'ok schema: none yet; the first start creates it');
      await execute(database.url, `alter database ${database.name} set default_transaction_read_only = on`);
      const { row, isUsable } = await rowsOf(environment);
      assert.match(row('database'), /^fail database: .* is read-only/);
      assert.equal(isUsable, false);
    } finally {
      await database.drop();
    }
  });

  test(`${title}: other secrets, a newer schema, a missing migration and a clock that is wrong are rows of their own`, async () => {
    const database = await createDatabase(server);
    try {
      const environment = { DATABASE_URL: database.url };
      await execute(database.url, "insert into facts (name, value) values ('sealingKey_digest', 'another')");
      assert.match(
        (await rowsOf(environment)).row('secrets'),
        /^fail secrets: sealingKey \(TURNPIKE_SEALING_KEY\) here differ/,
      );
      await execute(database.url, "insert into migrations (name, timestamp) values ('9999_later', '')");
      assert.match(
        (await rowsOf(environment)).row('schema'),
        /^ok schema: complete, .*newer versions added 9999_later/,
      );
      await execute(database.url, "delete from migrations where name = '0023_archive'");
      assert.match((await rowsOf(environment)).row('schema'), /^warn schema: the next start applies 0023_archive/);
      await execute(database.url, "update facts set value = '99.0.0' where name = 'oldest_program'");
      assert.match((await rowsOf(environment)).row('schema'), /^fail schema: .*Start 99\.0\.0 or a later one/);
      const late = await rowsOf(environment, { now: () => Date.now() - 60_000 });
      assert.match(late.row('database clock'), /^warn database clock: 60 s ahead/);
    } finally {
      await database.drop();
    }
  });

  test(`${title}: nodes that are lost, draining or of another version are named; one that is gone is not`, async () => {
    const database = await createDatabase(server);
    try {
      const node = (slot: number, name: string, state: string, version: string, agoMs = 5_000) =>
        execute(
          database.url,
          `insert into nodes (slot, id, fingerprint, name, version, epoch, state, seen_at)
            values (${slot}, '${name}', '${name}', '${name}', '${version}', ${slot + 1}, '${state}', turnpike_now() - ${agoMs})`,
        );
      await node(0, 'away', 'lost', '0.1.0', 300_000);
      await node(4, 'killed', 'live', '0.1.0', 40_000);
      await node(1, 'ending', 'draining', '0.1.0');
      await node(2, 'early', 'live', '0.0.1');
      await node(3, 'ended', 'gone', '0.0.1');
      const row = (await rowsOf({ DATABASE_URL: database.url })).row('nodes');
      assert.match(
        row,
        /^warn nodes: 1 live; away is lost, seen 5 min ago; ending is draining.*killed is silent, seen 4\d s ago; early has version 0\.0\.1/,
      );
      assert.doesNotMatch(row, /ended|more than one/);
      await execute(
        database.url,
        "update nodes set name = 'twice', state = 'live', version = '0.1.0', seen_at = turnpike_now()",
      );
      assert.match(
        (await rowsOf({ DATABASE_URL: database.url })).row('nodes'),
        /^warn nodes: 5 live; more than one is named twice\. Give each .* \(TURNPIKE_NODES_NAME\)/,
      );
    } finally {
      await database.drop();
    }
  });
}

for (const major of installedMajors())
  test(`PostgreSQL ${major}: a standby that has everything is good; one that is cut off, or of another database, is named`, async (context) => {
    const primary = await startServer(major, [], dataPlace());
    context.after(() => primary.stop());
    const database = await createDatabaseAt(primary.url);
    const empty = Object.assign(new URL(primary.url), { pathname: '/postgres' }).href;
    const standby = await Standby.start(primary, [], dataPlace());
    context.after(() => standby.stop());
    const rowWith = async (readUrl: string) =>
      (await rowsOf({ DATABASE_URL: database.url, TURNPIKE_DATABASE_READ_URL: readUrl })).row('replica');
    const readUrl = standby.urlOf(database.url);
    assert.equal(await rowWith(readUrl), 'ok replica: answers, and has everything that the database has');
    for (const another of [empty, standby.urlOf(empty)])
      assert.match(
        await rowWith(another),
        /^warn replica: reports cannot use database\.readUrl: The database postgres at .* is no replica of that of/,
      );
    const away = Object.assign(new URL(readUrl), { port: '1' }).href;
    assert.match(await rowWith(away), /^warn replica: .* at 127\.0\.0\.1:1, .* correct database\.readUrl/);
    await standby.lag();
    await execute(database.url, "insert into facts (name, value) values ('written after', '')");
    assert.match(
      await rowWith(readUrl),
      /^warn replica: lacks the last \d+ bytes of changes, its newest is \d+\.\d s old, and it is connected to no primary: /,
    );
    await standby.promote();
    assert.match(await rowWith(readUrl), /^warn replica: .* was promoted, and is no replica any more: /);
  });

test('a server that is away, or refuses the password, is one sentence', async () => {
  const { rows, isUsable } = await rowsOf({ DATABASE_URL: 'postgres://ada:secret-word@127.0.0.1:1/turnpike' });
  assert.match(rows[0] ?? '', /^fail database: Nothing .* at 127\.0\.0\.1:1, where the database is expected/);
  assert.equal(isUsable, false);
});

test('what waits in the journal is known from the server that runs, or from the file', async () => {
  const environment = { DATABASE_URL: 'postgres://ada:secret-word@127.0.0.1:1/turnpike' };
  const running = { unsent_settlements: 3, unsent_age_ms: 1_000 };
  assert.match((await rowsOf(environment, { running })).row('journal'), /^ok journal: 3 settlements not sent/);
  const old = await rowsOf(environment, { running: { ...running, unsent_age_ms: 60_000 } });
  assert.match(old.row('journal'), /^warn journal: 3 settlements not sent, the oldest 60 s old/);

  const data = mkdtempSync(join(folder, 'node-'));
  const journal = openJournalDatabase(data, 'NORMAL');
  journal.exec(
    `INSERT INTO outbox (id, epoch, calls, admitted_from, batch) VALUES (1, 1, 5, ${Date.now() - 60_000}, x'')`,
  );
  const left = () => rowsOf({ ...environment, TURNPIKE_DATA: data });
  assert.match((await left()).row('journal'), /^warn journal: 5 settlements not sent.*start this node again/);
  journal.exec("INSERT INTO facts (name, value) VALUES ('sent_through', 1)");
  assert.match((await left()).row('journal'), /^ok journal: everything is in the database/);
  journal.exec("INSERT INTO holds (call_id, epoch, admitted_at, batch) VALUES (x'01', 1, 1, x'')");
  assert.match((await left()).row('journal'), /^warn journal: 0 settlements not sent, 1 calls interrupted/);
  const mark = new JournalMark({ folder: data, id: 'another', boot: '', onFailure: assert.ifError });
  mark.promise(2, 0);
  mark.close();
  assert.match((await left()).row('journal'), /^fail journal: The journal .* lacks up to 2 commits of settlements/);
  journal.close();
});

test('Valkey answers, or limits are exchanged in another way', async (context) => {
  const environment = { DATABASE_URL: 'postgres://ada:secret-word@127.0.0.1:1/turnpike' };
  const away = await rowsOf({ ...environment, VALKEY_URL: 'redis://:secret-word@127.0.0.1:1' });
  assert.match(
    away.row('Valkey'),
    /^warn Valkey: connection refused by Valkey at 127\.0\.0\.1:1; limits are exchanged through the database/,
  );
  const server = await startRedis();
  context.after(() => server.close());
  assert.equal((await rowsOf({ ...environment, VALKEY_URL: server.url })).row('Valkey'), 'ok Valkey: answers');
});
