/**
 * Goal: maintenance on PostgreSQL keeps the promises of that on SQLite: a month is sealed into the same file, exports go on, and every kind of
 * error is found. Method: a correct ledger of three months, moved to real servers, and corrupted by one statement at a time.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { ledgerRules, ledgerRulesModule } from '../../../billing/ledger-rules.ts';
import type { LedgerRule, Transfer, TransferPage } from '../../../billing/maintenance-ports.ts';
import { ManualClock } from '../../../core/clock.ts';
import { callIdBytes } from '../../../core/ids.ts';
import { moveToPostgres } from '../../move/move-to-postgres.ts';
import { exportTransfers as exportFromSqlite } from '../../sqlite/archive/export-transfers.ts';
import { sealMonth as sealOnSqlite } from '../../sqlite/archive/seal-month.ts';
import { openValidLedger, type ValidLedger } from '../../sqlite/verify/valid-ledger.ts';
import { MaintenanceConnection } from './maintenance-connection.ts';
import { type PostgresJobSetting, type PostgresJobs, runPostgresJob } from './maintenance-job.ts';
import { PostgresMaintenance } from './postgres-maintenance.ts';

for (const server of serverNames)
  describe(`with PostgreSQL ${server}`, () => {
    let ledger: ValidLedger;
    let database: TestDatabase;
    let connection: MaintenanceConnection;
    let setting: PostgresJobSetting;

    beforeEach(async () => {
      ledger = await openValidLedger();
      database = await createDatabase(server);
      connection = await MaintenanceConnection.open(database.url);
      const source = new DatabaseSync(ledger.under.databasePath, { readOnly: true });
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
      await moveToPostgres({
        ...{
          source,
          folder,
          target: connection,
          billingMode: 'prepaid',
          rules: ledgerRules,
          secrets: null,
          id: 'a-move',
        },
        onProgress: () => undefined,
      });
      source.close();
      setting = {
        ...{ url: database.url, replica: null, folder, billingMode: 'prepaid', longestCallMs: 3_600_000 },
        ...{ version: '1.2.3', rulesModule: ledgerRulesModule, nowMs: ledger.under.clock.now() },
        secrets: { pepper: 'a'.repeat(64), masterKey: 'b'.repeat(64) },
      };
    });
    afterEach(async () => {
      await connection.close();
      await database.drop();
      await ledger.under.dispose();
      rmSync(setting.folder, { recursive: true });
    });

    const run = <Name extends keyof PostgresJobs>(name: Name, asked: PostgresJobs[Name]['asked']) =>
      runPostgresJob(name, asked, setting);
    const violations = async () => (await run('verify', { archive: true })).violations;

    /** Inserts a settlement of September that has a charge, under an id that the statement makes of its own. */
    const arriveLate = (call: string, account = 1) =>
      connection.rows(
        `insert into settlements select admitted_at, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens,
           input_audio_tokens, output_tokens, output_audio_tokens, reasoning_tokens, web_searches, file_searches, code_containers,
           cached_audio_tokens, output_image_tokens, cost_nano, charge_nano, hold_nano, fault_nano, variance_nano, saved_nano,
           node_loss_nano, account_id, project_id, key_id, operation, model, provider, usage_source, price_version, ending,
           markup_ppm, own_credential, root_id, day, slot, budgets, ${call}
         from archived_settlements_2026_09 where charge_nano > 0 and account_id = $1 order by call_id limit 1 on conflict do nothing`,
        [account],
      );

    async function transfers(limit = 1000): Promise<Transfer[]> {
      const found: Transfer[] = [];
      for (let cursor: string | null = null; ; ) {
        const page: TransferPage = await run('transfers', { fromMs: 0, toMs: 8.64e15, accountId: null, limit, cursor });
        found.push(...page.transfers);
        cursor = page.cursor;
        if (cursor === null) return found;
      }
    }

    test('months are sealed in order, into the file that SQLite writes, and nothing else changes', async () => {
      const before = await transfers();
      const { folder } = ledger.under;
      const query = { fromMs: 0, toMs: 8.64e15, accountId: null, limit: 1000, cursor: null };
      assert.deepEqual(before, exportFromSqlite(folder, query).transfers);
      await assert.rejects(run('seal', { month: '2026-10' }), { code: 'conflict', message: /seal 2026-09 first/ });
      await assert.rejects(run('seal', { month: '2026-11' }), { code: 'conflict', message: /can be sealed from/ });
      const report = await run('seal', { month: '2026-09' });
      assert.deepEqual([report.settlements, report.entries, report.accounts, report.wasSealed], [6, 3, 2, false]);
      assert.deepEqual(await violations(), []);
      assert.deepEqual({ ...(await run('seal', { month: '2026-09' })) }, { ...report, wasSealed: true });
      const [kept] = await connection.rows('select * from archived_settlements_2026_09 limit 1');
      assert.ok(kept);
      sealOnSqlite({ folder, month: '2026-09', nowMs: setting.nowMs });
      const seals = 'select month, account_id, closing_balance_nano, charges_nano, rows, hash from seals order by 1, 2';
      const sqlite = new DatabaseSync(ledger.under.databasePath, { readOnly: true });
      const theirs = sqlite.prepare(seals);
      theirs.setReadBigInts(true);
      assert.deepEqual(
        (await connection.rows<Record<string, unknown>>(seals)).map(textOf),
        theirs.all().map(textOf),
        'the same rows have the same digests and balances',
      );
      sqlite.close();
      await run('seal', { month: '2026-10' });
      assert.deepEqual(await violations(), []);
      assert.deepEqual(await transfers(), before);
      assert.deepEqual(await transfers(2), before);
      assert.equal((await run('check', null)).sealedThrough, '2026-10');
      assert.equal(await run('isArchivedReference', { accountId: 1, reference: 'top-up 0' }), true);
      assert.equal(await run('isArchivedReference', { accountId: 1, reference: 'top-up 2' }), false);
    });

    test('another node writes the file of a sealed month again, and a dropped one is named', async () => {
      const before = await transfers();
      const { archive } = await run('seal', { month: '2026-09' });
      rmSync(archive);
      assert.deepEqual(await transfers(), before);
      assert.ok(existsSync(archive));
      rmSync(archive);
      await connection.rows('update archived_settlements_2026_09 set charge_nano = charge_nano + 1');
      await assert.rejects(transfers(), /are not those that were sealed/);
      await connection.rows('drop table archived_settlements_2026_09');
      await assert.rejects(transfers(), /The archive of 2026-09 is missing/);
    });

    test('a node that has calls of the month prevents sealing it', async () => {
      await connection.rows(
        `insert into nodes (slot, id, fingerprint, name, version, epoch, state, seen_at, unsent_from)
         values (1, 'a', 'b', 'east-1', '1', 1, 'live', 0, $1)`,
        [Date.UTC(2026, 8, 30)],
      );
      await assert.rejects(run('seal', { month: '2026-09' }), /east-1 has calls since 2026-09-30/);
      await connection.rows('update nodes set unsent_from = $1', [Date.UTC(2026, 9, 1)]);
      assert.equal((await run('seal', { month: '2026-09' })).wasSealed, false);
    });

    test('a settlement that arrives after its month was sealed becomes an entry, once', async () => {
      await run('seal', { month: '2026-09' });
      await arriveLate('call_id');
      assert.deepEqual(await connection.rows("select * from entries where kind = 'late_charge'"), []);
      await arriveLate(OTHER_ID);
      await arriveLate(OTHER_ID);
      const [entry, more] = await connection.rows<{ amount: bigint; call: Uint8Array }>(
        "select amount_nano as amount, call_id as call from entries where kind = 'late_charge'",
      );
      assert.ok(entry !== undefined && entry.amount < 0n && more === undefined);
      assert.deepEqual(await violations(), []);
      const late = (await transfers()).filter(({ reference }) => reference?.startsWith('late-charge '));
      assert.deepEqual(
        late.map(({ debit, credit }) => [debit, credit]),
        [['available', 'revenue']],
      );
    });

    test('what arrives late is charged once, however often, and not if nobody can say any more whether it was', async () => {
      const charged = async (table: string) =>
        (await connection.rows(`select from ${table} where kind = 'late_charge'`)).length;
      await run('seal', { month: '2026-09' });
      await connection.rows(`select set_config('turnpike.now', '${Date.UTC(2026, 9, 20)}', false)`);
      await arriveLate(OTHER_ID);
      await run('seal', { month: '2026-10' });
      await arriveLate(OTHER_ID);
      assert.deepEqual([await charged('entries'), await charged('archived_entries')], [0, 1]);
      await connection.rows(
        'create temp table sent_again as select * from archived_settlements_2026_09 where charge_nano > 0 order by call_id limit 1',
      );
      await connection.rows('drop table archived_settlements_2026_09');
      await connection.rows('insert into settlements select * from sent_again');
      assert.equal(await charged('entries'), 0);
      assert.deepEqual(await violations(), []);
    });

    test('each kind of error is found', async () => {
      const call = `'\\x${callIdBytes(ledger.calls.at(-1) ?? assert.fail()).toString('hex')}'::bytea`;
      const lease = 'insert into leases (kind, id, slot, bounded, granted_nano, spent_nano, seq) values';
      const cases: readonly [change: string, undo: string, rule: LedgerRule][] = [
        [
          'update funds set free_nano = free_nano + 1',
          'update funds set free_nano = free_nano - 1',
          'balance_is_the_sum',
        ],
        [
          `update settlements set cost_nano = cost_nano + 1 where call_id = ${call}`,
          `update settlements set cost_nano = cost_nano - 1 where call_id = ${call}`,
          'settlement_adds_up',
        ],
        [
          `update settlements set price_version = 99 where call_id = ${call}`,
          `update settlements set price_version = 1 where call_id = ${call}`,
          'price_version_known',
        ],
        ['update rollups_day set calls = calls + 1', 'update rollups_day set calls = calls - 1', 'rollup_is_the_sum'],
        [
          'update rollups_hour set charge_nano = charge_nano + 1',
          'update rollups_hour set charge_nano = charge_nano - 1',
          'rollup_is_the_sum',
        ],
        [
          'update spending_days set charge_nano = charge_nano + 1 where kind = 2',
          'update spending_days set charge_nano = charge_nano - 1 where kind = 2',
          'spending_is_the_sum',
        ],
        [
          `insert into spending_before (kind, id, day, charge_nano)
           select kind, id, max(day) + 1, sum(charge_nano) + 1 from spending_days where kind = 3 group by 1, 2`,
          'delete from spending_before',
          'spending_is_the_sum',
        ],
        [
          "update entries set amount_nano = amount_nano * 1000000 where kind = 'refund'",
          "update entries set amount_nano = amount_nano / 1000000 where kind = 'refund'",
          'refund_within_charge',
        ],
        [`${lease} (0, 1, 7, true, 5, 3, 0)`, 'delete from leases', 'lease_has_node'],
        [
          "insert into facts (name, value) values ('audit_head', '3')",
          "delete from facts where name = 'audit_head'",
          'audit_chain_whole',
        ],
      ];
      for (const [change, undo, rule] of cases) {
        await connection.rows(change);
        const found = await violations();
        assert.ok(
          found.some((violation) => violation.rule === rule),
          `${change}: ${JSON.stringify(found)}`,
        );
        await connection.rows(undo);
      }
      assert.deepEqual(await violations(), []);
    });

    test('the sum of old days is that of its days, and what is wrong with it is corrected as the finding says', async () => {
      const days = (more: string) =>
        `select kind, id, max(day), ${more} from spending_days as days where day < (
           select max(day) from spending_days where kind = days.kind and id = days.id) group by 1, 2`;
      await connection.rows(
        `insert into spending_before (kind, id, day, charge_nano)
         select kind, id, day, (select coalesce(sum(charge_nano), 0) from spending_days as d
           where d.kind = last.kind and d.id = last.id and d.day < last.day)
         from (${days('0')}) as last (kind, id, day)`,
      );
      const rows = await connection.rows<{ id: number; kind: number }>('select kind, id from spending_before');
      assert.ok(rows.length >= 3);
      assert.deepEqual(await violations(), []);
      await connection.rows('update spending_before set charge_nano = charge_nano - 1 where kind = 2');
      const found = await violations();
      assert.ok(found.length > 0);
      for (const { rule, subject, detail } of found) {
        assert.equal(rule, 'spending_is_the_sum');
        assert.match(subject, /^project \d+, before 20\d\d-\d\d-\d\d$/);
        const [, correction] = /: (DELETE FROM spending_before WHERE kind = 2 AND id = \d+);/.exec(detail) ?? [];
        assert.ok(correction !== undefined, detail);
        await connection.rows(correction);
      }
      assert.deepEqual(await violations(), []);
    });

    test('settlements whose account is lost are counted, sealed or not, and are no violation', async () => {
      const counts = async () => {
        const verified = await run('verify', { archive: true });
        const checked = await run('check', null);
        assert.deepEqual([verified.violations, checked.violations], [[], []]);
        assert.equal(verified.unownedSettlements, checked.unownedSettlements);
        return verified.unownedSettlements;
      };
      assert.equal(await counts(), 0);
      const [{ calls } = assert.fail()] = await connection.rows<{ calls: bigint }>(
        'select count(*) as calls from settlements where account_id = 2',
      );
      assert.ok(calls > 0n);
      // As a database that went back: it never had the row, so no other row is changed with it.
      await connection.rows('set session_replication_role = replica');
      await connection.rows('delete from accounts where id = 2');
      await connection.rows('set session_replication_role = origin');
      assert.equal(await counts(), Number(calls));
      await run('seal', { month: '2026-09' });
      assert.equal(await counts(), Number(calls));
      await arriveLate(OTHER_ID, 2);
      assert.deepEqual(await connection.rows("select from entries where kind = 'late_charge'"), [], 'nobody is there');
      await arriveLate(OTHER_ID);
      assert.equal((await connection.rows("select from entries where kind = 'late_charge'")).length, 1);
    });

    test('records that differ from their settlements are found, and missing ones counted', async () => {
      await connection.rows(
        `create table records_of_november partition of records for values from ('\\x00') to ('\\xff')`,
      );
      const insert = (charge: string) =>
        connection.rows(
          `insert into records (call_id, account_id, project_id, key_id, model, provider, status, ending, prompt_tokens,
             completion_tokens, cost_nano, charge_nano, duration_us, detail)
           select call_id, account_id, project_id, key_id, model, provider, 200, ending, input_tokens + cache_read_tokens +
             cache_write_tokens + cache_write_1h_tokens + input_audio_tokens, output_tokens + output_audio_tokens, cost_nano,
             ${charge}, 1, '' from settlements order by call_id desc limit 17`,
        );
      await insert('charge_nano');
      const { records, missingRecords, violations: none } = await run('verify', { archive: false });
      assert.deepEqual([records, missingRecords, none], [17, 1, []]);
      // What came late was charged less than its record says.
      const late = (by: number) =>
        connection.rows(
          `update settlements set node_loss_nano = node_loss_nano + ${by}, charge_nano = charge_nano - ${by} where charge_nano > 9`,
        );
      await late(1);
      assert.ok((await violations()).every(({ rule }) => rule !== 'record_agrees'));
      await late(-1);
      await connection.rows('update records set charge_nano = charge_nano + 1');
      const wrong = await violations();
      assert.equal(wrong.filter(({ rule }) => rule === 'record_agrees').length, 17);
      assert.match(wrong[0]?.detail ?? '', /charge is \d+ on the record and \d+ in the ledger/);
      await connection.rows('update records set charge_nano = charge_nano - 1');
      await connection.rows(
        'update records set call_id = set_byte(call_id, 15, (get_byte(call_id, 15) + 1) % 256) where call_id = (select call_id from records order by call_id limit 1)',
      );
      assert.deepEqual(
        (await violations()).map(({ detail }) => detail),
        ['it has a record and no settlement'],
      );
    });

    test('after a restore every epoch is over, and what was lent returns', async () => {
      await connection.rows(
        `insert into nodes (slot, id, fingerprint, name, version, epoch, state, seen_at) values
           (1, 'a', 'a', 'east-1', '1', 5, 'live', 0), (2, 'b', 'b', 'east-2', '1', 6, 'gone', 0)`,
      );
      const balances = () => connection.rows('select * from balances order by account_id');
      const before = await balances();
      await connection.rows('update funds set free_nano = free_nano - 70 where account_id = 1');
      await connection.rows(
        'insert into leases (kind, id, slot, bounded, granted_nano, spent_nano, seq) values (0, 1, 1, true, 70, 0, 0)',
      );
      assert.deepEqual(await balances(), before);
      assert.deepEqual(await run('adopt', null), { nodes: 2, returned: 70n });
      assert.deepEqual(await balances(), before);
      const nodes = await connection.rows<{ epoch: bigint; state: string }>(
        'select epoch, state from nodes order by slot',
      );
      assert.deepEqual(
        nodes.map(({ state }) => state),
        ['lost', 'gone'],
      );
      assert.ok(nodes.every(({ epoch }) => epoch > 6n) && nodes[0]?.epoch !== nodes[1]?.epoch);
      assert.deepEqual(await violations(), []);
    });

    test('a backup has the secrets and the archives, and says what else is to be backed up', async () => {
      await run('seal', { month: '2026-09' });
      const to = join(mkdtempSync(join(tmpdir(), 'turnpike-test-')), 'backup');
      const report = await run('backup', { folder: to, secrets: true });
      assert.deepEqual(readdirSync(to, { recursive: true }).sort(), [
        ...['archive', 'archive/ledger-2026-09.db', 'master.key', 'pepper'],
      ]);
      assert.equal(readFileSync(join(to, 'pepper'), 'utf8'), `${setting.secrets.pepper}\n`);
      assert.match(report.rest ?? '', /pg_basebackup.*ledger adopt/);
      await assert.rejects(run('backup', { folder: to, secrets: false }), { code: 'conflict' });
    });

    test('jobs run on threads and keep the code of a refusal', async () => {
      const { nowMs, ...parts } = setting;
      const maintenance = new PostgresMaintenance({ ...parts, clock: new ManualClock(nowMs) });
      assert.deepEqual((await maintenance.verify({ archive: true })).violations, []);
      await assert.rejects(maintenance.seal('2026-13'), { code: 'invalid_value' });
      await maintenance.close();
    });
  });

const OTHER_ID = 'set_byte(call_id, 15, (get_byte(call_id, 15) + 1) % 256)';

/** Values as text: an engine reads a small integer as a number, the other as a bigint. */
function textOf(row: Record<string, unknown>): readonly string[] {
  return Object.values(row).map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
  );
}
