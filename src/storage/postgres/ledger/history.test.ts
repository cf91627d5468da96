/** Goal: a server says which history it has. Method: every installed version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { administer, createDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { openConnections } from '../engine/connections.ts';
import { readHistory } from './history.ts';

for (const server of serverNames)
  test(`PostgreSQL ${server} says its system, its timeline and its database, and the same again`, async () => {
    const [first, second] = await administer(server, async (connections) => [
      await readHistory(connections),
      await readHistory(connections),
    ]);
    assert.match(first ?? '', /^\d{10,}\/[0-9A-F]{8}\/\d+\.0$/);
    assert.equal(second, first);
  });

for (const server of serverNames)
  test(`PostgreSQL ${server}: a copy of a database has another history, and so has one whose tables were created again`, async (context) => {
    const database = await createDatabase(server);
    context.after(() => database.drop());
    const historyNow = async (statement: string | null = null) => {
      const connections = await openConnections({ url: database.url, readUrl: null, connections: 1 });
      try {
        if (statement !== null) await connections.query(statement);
        return await readHistory(connections);
      } finally {
        await connections.close();
      }
    };
    const before = await historyNow();
    assert.match(before, /^\d{10,}\/[0-9A-F]{8}\/\d+\.[1-9]\d*$/);
    assert.equal(await historyNow('vacuum full nodes'), before);
    const { name } = database;
    await administer(server, async ({ query }) => {
      await query(`create database ${name}_copy template ${name}`);
      await query(`drop database ${name} with (force)`);
      await query(`alter database ${name}_copy rename to ${name}`);
    });
    const copied = await historyNow();
    assert.notEqual(copied, before);
    // As `pg_restore --clean` does.
    const loaded = await historyNow(
      'begin; create table n (like nodes including all); drop table nodes; alter table n rename to nodes; commit',
    );
    assert.ok(![before, copied].includes(loaded), loaded);
    const beginning = (history: string) => history.split('/').slice(0, 2);
    assert.deepEqual([copied, loaded].map(beginning), [beginning(before), beginning(before)]);
  });
