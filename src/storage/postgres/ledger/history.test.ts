/** Goal: a server says which history it has. Method: every installed version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { administer } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { readHistory } from './history.ts';

for (const server of serverNames)
  test(`PostgreSQL ${server} says its system and its timeline, and the same again`, async () => {
    const [first, second] = await administer(server, async (connections) => [
      await readHistory(connections),
      await readHistory(connections),
    ]);
    assert.match(first ?? '', /^\d{10,}\/[0-9A-F]{8}$/);
    assert.equal(second, first);
  });
