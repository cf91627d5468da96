/**
 * Goal: a ledger is never left behind silently: an empty database over its folder, and a node's folder without a database, are refused with what to
 * do, before anything is written. Method: folders as servers leave them, and an empty database of a real server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDatabase, createEmptyDatabase } from '../../../test/support/postgres/database.ts';
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { ManualClock } from '../../core/clock.ts';
import { openWhole } from '../../core/open-whole.ts';
import { Secret } from '../../core/secret.ts';
import { openJournalDatabase } from '../journal/journal-database.ts';
import { openConnections } from '../postgres/engine/connections.ts';
import { openPostgresDatabase } from '../postgres/open-database.ts';
import { SECRETS_UNDER_TEST } from '../postgres/postgres-under-test.ts';
import { openSqliteUnderTest } from '../sqlite/sqlite-under-test.ts';
import { ledgerLeftBehind, nodesFolder } from './left-behind.ts';
import { sqliteLedger } from './mark-source.ts';

const PLACE = 'turnpike at db.example:5432';
const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
after(() => rmSync(folder, { recursive: true }));

async function folderWithLedger(): Promise<string> {
  const under = await openSqliteUnderTest();
  await under.storage.close();
  after(() => rmSync(under.folder, { recursive: true }));
  return under.folder;
}

test('a folder without a ledger leaves nothing behind', async () => {
  assert.equal(await ledgerLeftBehind(folder, PLACE), null);
  assert.equal(await ledgerLeftBehind('/no/such/folder', PLACE), null);
});

test('a ledger that did not move, is on its way, moved elsewhere, or cannot be read has a sentence each', async () => {
  const left = await folderWithLedger();
  const said = () => ledgerLeftBehind(left, PLACE);
  assert.equal(
    await said(),
    `The data folder ${left} has a ledger (turnpike.db) that did not move, and the database ${PLACE} is empty. ` +
      'Run turnpike migrate --to postgres first. To begin a new installation on purpose, start with another data folder (--data).',
  );
  const mark = { to: 'the database t at other.example:5432', at: '2026-11-28T00:00:00.000Z', id: 'a' };
  await sqliteLedger(left).write({ ...mark, state: 'moving' });
  assert.match(
    (await said()) ?? '',
    /on its way to the database t at other\.example:5432 .* Repeat the same turnpike migrate/,
  );
  await sqliteLedger(left).write({ ...mark, state: 'moved' });
  assert.match(
    (await said()) ?? '',
    /moved to the database t at other\.example:5432 at .*, which is another one, is empty\. Set DATABASE_URL to the former\./,
  );
  writeFileSync(join(left, 'turnpike.db'), 'no database '.repeat(100));
  assert.match((await said()) ?? '', /that cannot be read \(file is not a database\), .* Correct that first/);
});

test('the folder of a node is not begun with a ledger of its own', async () => {
  const node = mkdtempSync(join(folder, 'node-'));
  assert.equal(nodesFolder(node), null);
  openJournalDatabase(node, 'NORMAL').close();
  const before = readdirSync(node);
  assert.match(nodesFolder(node) ?? '', /is that of a node \(journal\.db\), whose ledger is in PostgreSQL, .* Set it/);
  await assert.rejects(openSqliteUnderTest({ folder: node }), /is that of a node \(journal\.db\)/);
  assert.deepEqual(readdirSync(node), before);
  // Who went back to a ledger that was always here may serve it.
  const both = await folderWithLedger();
  openJournalDatabase(both, 'NORMAL').close();
  assert.equal(nodesFolder(both), null);
});

for (const server of serverNames) {
  const open = (url: string, at: string) =>
    openWhole((closing) =>
      openPostgresDatabase(
        {
          folder: at,
          database: { url: new Secret(url), readUrl: null, connections: 2 },
          givenSecrets: SECRETS_UNDER_TEST,
          clock: new ManualClock(Date.UTC(2026, 10, 21, 12)),
          version: '1.2.3',
        },
        closing,
      ),
    );

  test(`PostgreSQL ${server}: an empty database is not begun over a ledger, and nothing is written to it`, async () => {
    const left = await folderWithLedger();
    const empty = await createEmptyDatabase(server);
    // As a move that failed leaves it.
    const prepared = await createDatabase(server);
    try {
      for (const { url } of [empty, prepared])
        await assert.rejects(open(url, left), {
          name: 'UnusableDatabase',
          message: /Run turnpike migrate --to postgres first/,
        });
      const { query, close } = await openConnections({ url: empty.url, readUrl: null, connections: 1 });
      assert.equal((await query("select from pg_tables where schemaname = 'public'")).count, 0);
      await close();
      // Another installation is there: this is its node's machine, where something was tried before.
      await (await open(prepared.url, folder)).connections.close();
      await (await open(prepared.url, left)).connections.close();
    } finally {
      await empty.drop();
      await prepared.drop();
    }
  });
}
