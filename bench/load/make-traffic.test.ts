/** Goal: an installation for the dashboard and report measures can be made. Method: a small one, by the real programs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { prepareTurnpike } from '../turnpike-subject.ts';
import { makeTraffic } from './make-traffic.ts';

const elsewhere = process.platform === 'linux' ? false : 'processes are tied to a core, which only Linux does here';

test('an installation of some accounts gets its traffic', { skip: elsewhere, timeout: 60_000 }, async (context) => {
  const installation = prepareTurnpike({ port: 9, stop: async () => {} }, { accounts: 2 });
  context.after(() => installation.remove());
  await makeTraffic(installation, { accounts: 2, calls: 2_000, days: 2, rollupsOnly: false });
  const ledger = new DatabaseSync(join(installation.folder, 'data', 'turnpike.db'), { readOnly: true });
  const sums = ledger.prepare('SELECT account_id, sum(calls) AS calls FROM rollups_day GROUP BY account_id').all();
  ledger.close();
  assert.deepEqual(
    sums.map((row) => row['account_id']),
    [1, 2],
  );
  assert.ok(
    sums.every((row) => Number(row['calls']) > 100),
    JSON.stringify(sums),
  );
});
