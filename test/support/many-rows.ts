/** A database with many accounts, projects and keys, and a process that follows it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openMirror } from '../../src/accounts/open-mirror.ts';
import { Pepper } from '../../src/accounts/secret/pepper.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { Secret } from '../../src/core/secret.ts';
import { AccountTopicsFollower } from '../../src/nodes/feed/account-topics.ts';
import { openAccountsOn } from '../../src/storage/sqlite/engine/kysely-under-test.ts';
import { addMigratedDatabase } from '../../src/storage/sqlite/engine/migrated-database.ts';
import { openDatabase } from '../../src/storage/sqlite/engine/open-database.ts';

const PEPPER = new Pepper(new Secret('0123456789abcdef'.repeat(4)));

/** So many keys, and accounts with a project each, with the ids from 1, in the database and in memory. */
export async function openManyRows(context: TestContext, keys: number, accounts = keys) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  await addMigratedDatabase(folder);
  const database = openDatabase(join(folder, 'turnpike.db'), 'NORMAL');
  context.after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const numbersTo = (last: number) =>
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`;
  const numbers = numbersTo(accounts);
  database.exec(
    `${numbers} INSERT INTO accounts (id, name, created_at, seq) SELECT n, 'account ' || n, 0, 1 FROM numbers`,
  );
  database.exec(
    `${numbers} INSERT INTO projects (id, account_id, name, created_at, seq) SELECT n, n, 'project ' || n, 0, 1 FROM numbers`,
  );
  database.exec(
    `${numbersTo(keys)} INSERT INTO keys (id, root_id, project_id, name, label, kind, digest, pepper_id, disabled, limits, permissions, created_at, seq)
     SELECT n, n, 1 + (n - 1) % ${accounts}, 'key ' || n, 'tp_' || n, 'inference', randomblob(32), '${PEPPER.id}', 0, '{}', '{}', 0, 1 FROM numbers`,
  );
  const clock = new ManualClock();
  const { store, feed } = openAccountsOn(database, clock);
  const mirror = await openMirror({ store, feed }, PEPPER, clock.now());
  const follower = new AccountTopicsFollower({
    feed,
    store,
    mirror,
    clock,
    onProblem: (cause) => assert.ifError(cause),
    onRead: () => undefined,
  });
  return { database, follower, feed, mirror, store };
}
