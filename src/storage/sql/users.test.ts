/** Goal: a session is found without scanning all others. Method: SQLite's query plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKyselyUnderTest } from '../sqlite/engine/kysely-under-test.ts';

test('a session is found by an index', async (context) => {
  const { database, dispose } = await openKyselyUnderTest();
  context.after(dispose);
  const plan = database.prepare('EXPLAIN QUERY PLAN SELECT * FROM sessions WHERE digest = ?').all(Buffer.alloc(32));
  assert.match(JSON.stringify(plan), /SEARCH sessions USING INDEX/);
});
