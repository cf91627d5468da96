/**
 * Goal: a ledger moves from SQLite to PostgreSQL and back, and both verify alike; if anything fails, the target is as empty as it was. Method: a
 * correct ledger with calls of three months, one of them sealed, on real servers.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '../../../test/support/postgres/database.ts';
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { ledgerRules } from '../../billing/ledger-rules.ts';
import { systemClock } from '../../core/clock.ts';
import { adoptLedger } from '../postgres/maintenance/adopt-ledger.ts';
import { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';
import { sealMonth } from '../sqlite/archive/seal-month.ts';
import { openValidLedger, type ValidLedger } from '../sqlite/verify/valid-ledger.ts';
import { verifyLedger } from '../sqlite/verify/verify-ledger.ts';
import { copiedTables } from './copied-tables.ts';
import { moveToPostgres } from './move-to-postgres.ts';
import { moveToSqlite } from './move-to-sqlite.ts';
import { checkQuiet } from './quiet-nodes.ts';

/** With the reason and what to do. */
const EAST_2_UNENDED =
  /The node east-2 was seen \d+ days ago \(at 1970-01-01 00:00:00 UTC\), and has not ended in order: .* settlements that it has not sent\. Start it again on its data folder, .*; if that folder is gone, run: turnpike ledger adopt$/;

for (const server of serverNames)
  describe(`with PostgreSQL ${server}`, () => {
    let ledger: ValidLedger;
    let database: TestDatabase;
    let target: MaintenanceConnection;
    before(async () => {
      ledger = await openValidLedger();
      const { folder, clock } = ledger.under;
      sealMonth({ folder, month: '2026-09', nowMs: clock.now() });
      database = await createDatabase(server);
      target = await MaintenanceConnection.open(database.url);
    });
    after(async () => {
      await target.close();
      await database.drop();
      await ledger.under.dispose();
    });

    const move = (onProgress: () => void = () => undefined) => {
      const source = new DatabaseSync(ledger.under.databasePath, { readOnly: true });
      const { folder } = ledger.under;
      return moveToPostgres({
        ...{ source, folder, target, billingMode: 'prepaid', rules: ledgerRules, secrets: null, id: randomUUID() },
        onProgress,
      }).finally(() => source.close());
    };

    const verify = (folder: string) =>
      verifyLedger({
        ...{ folder, archive: true, billingMode: 'prepaid', longestCallMs: 3_600_000 },
        ...{ nowMs: ledger.under.clock.now(), clock: systemClock, rules: ledgerRules },
      });

    test('if anything fails, the database is as empty as it was', async () => {
      ledger.corrupt('UPDATE balances SET balance_nano = balance_nano + 1');
      const { verified } = await move(() => assert.fail('cut off')).catch(() => ({ verified: null }));
      assert.equal(verified, null);
      ledger.corrupt('UPDATE balances SET balance_nano = balance_nano - 1');
      const [found] = await target.rows('select * from accounts full join settlements on true limit 1');
      assert.equal(found, undefined);
    });

    test('a ledger moves there and back, and verifies alike at each place', async () => {
      const before = await verify(ledger.under.folder);
      assert.deepEqual(before.violations, []);
      const { verified, rows } = await move();
      // Only a database can go back, and so lose accounts that have settlements.
      assert.deepEqual({ ...verified, records: 0 }, { ...before, records: 0, unownedSettlements: 0 });
      const folder = join(mkdtempSync(join(tmpdir(), 'turnpike-test-')), 'data');
      assert.equal(
        await moveToSqlite({ source: target, folder, clock: systemClock, id: 'back', onProgress: () => undefined }),
        rows,
      );
      cpSync(join(ledger.under.folder, 'archive'), join(folder, 'archive'), { recursive: true });
      assert.deepEqual({ ...(await verify(folder)) }, { ...before, records: 0 });
      assert.deepEqual(contentOf(join(folder, 'turnpike.db')), contentOf(ledger.under.databasePath));
    });

    test('a ledger does not leave a database while a lost node may have settlements, until that is given up', async () => {
      await target.rows(
        `insert into nodes (slot, id, fingerprint, name, version, epoch, state, seen_at)
         values (1, 'a', '', 'east-1', '1', 1, 'live', turnpike_now()), (2, 'b', '', 'east-2', '1', 2, 'live', 0)`,
      );
      await assert.rejects(
        checkQuiet(target),
        /^Error: The node east-1 was seen \d s ago \(at \d{4}-\d\d-\d\d [\d:]{8} UTC\), so it runs, or was killed just now\. Stop every node/,
      );
      await assert.rejects(adoptLedger(target), /The node east-1 was seen \d s ago .* try again in 1\d s\./);
      await target.rows(`update nodes set seen_at = turnpike_now() - 41000 where slot = 1`);
      await assert.rejects(
        checkQuiet(target),
        /east-1 was seen 41 s ago .*, and has not ended in order: it was killed/,
      );
      await target.rows('select turnpike_reap_2(1::smallint, 1, 120000)');
      await target.rows('select turnpike_leave_1(1::smallint, 1)');
      await assert.rejects(checkQuiet(target), EAST_2_UNENDED, 'it is lost');
      await adoptLedger(target);
      await checkQuiet(target);
    });

    test('a database that is not empty is refused, and stays as it is', async () => {
      await assert.rejects(move(), /not empty: there are rows in accounts\..*Create another one/);
      const [found] = await target.rows<{ count: bigint }>('select count(*) as count from settlements');
      assert.equal(found?.count, 12n);
    });
  });

/** Every row of every table, and the next ids. */
function contentOf(path: string): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = [...copiedTables(database).map(({ name }) => name), 'sqlite_sequence'];
    return Object.fromEntries(
      tables.map((name) => {
        const statement = database.prepare(`SELECT * FROM ${name}`);
        statement.setReadBigInts(true);
        const rows = statement.all().map((row) => Object.values(row).map(String).join('|'));
        return [name, rows.sort()];
      }),
    );
  } finally {
    database.close();
  }
}
