/**
 * Goal: a call of a sealed month is charged once, whatever the database's clock says when its settlement arrives. Method: a real PostgreSQL, whose
 * clock is set back into a month that was sealed, as a standby with a wrong clock would have it.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  openPostgresBank,
  type PostgresBankUnderTest,
  setBankTime,
} from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { ledgerRules } from '../../../billing/ledger-rules.ts';
import type { Violation } from '../../../billing/maintenance-ports.ts';
import { newCallId } from '../../../core/ids.ts';
import { ACCOUNT, TestNode } from '../../../nodes/contract/test-node.ts';
import { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';
import { verifyLedger } from '../verify/verify-ledger.ts';
import { sealMonth } from './seal-month.ts';

const DAY_MS = 86_400_000;
const DECEMBER = Date.UTC(2026, 11, 1);
/** An epoch that is over. */
const LATE = 1;

interface Sealing {
  readonly connection: MaintenanceConnection;
  seal(month: string): Promise<void>;
  violations(): Promise<readonly Violation[]>;
}

for (const server of serverNames) {
  const check = (sentence: string, run: (subject: PostgresBankUnderTest, sealing: Sealing) => Promise<void>) =>
    void test(`PostgreSQL ${server}: ${sentence}`, async (context) => {
      const subject = await openPostgresBank(server);
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
      const connection = await MaintenanceConnection.open(subject.database.url);
      context.after(async () => {
        await connection.close();
        await subject.dispose();
        rmSync(folder, { recursive: true });
      });
      const verified = { connection, folder, archive: true, billingMode: 'prepaid', rules: ledgerRules, times: null };
      await run(subject, {
        connection,
        seal: async (month) => void (await sealMonth({ connection, folder, month, nowMs: subject.now() })),
        // The calls of these nodes have no prices.
        violations: async () =>
          (await verifyLedger(verified)).violations.filter(({ rule }) => rule !== 'settlement_adds_up'),
      });
    });

  check(
    'a call that was sealed is not charged again after the clock was back in its month',
    async (subject, sealing) => {
      const { node, call } = await sealNovember(subject, sealing);
      const charged = async () => {
        // A node that starts makes the partitions of the month that the clock says.
        await TestNode.start(subject, 1);
        await node.settle([call], LATE);
        return (await subject.account(ACCOUNT)).charged;
      };
      await setBankTime(subject.connections[0], DECEMBER - DAY_MS);
      assert.equal(await charged(), 30n);
      await setBankTime(subject.connections[0], subject.now());
      assert.equal(await charged(), 30n);
      assert.deepEqual(await sealing.violations(), []);
    },
  );

  check('a new call of a sealed month is charged once, to a month that can be sealed', async (subject, sealing) => {
    await sealNovember(subject, sealing);
    const back = DECEMBER - DAY_MS;
    await setBankTime(subject.connections[0], back);
    const node = await TestNode.start(subject, 0);
    await node.lease({ shortfall: 100 });
    const call = node.call(20, { admittedAt: back, callId: newCallId(back) });
    for (const _time of [1, 2]) await node.settle([call]);
    await node.bank.leave(node.place);
    assert.equal((await subject.account(ACCOUNT)).charged, 50n);
    assert.equal(await subject.settlement(call.settlement.callId), null);
    await setBankTime(subject.connections[0], subject.now());
    await node.settle([call], LATE);
    assert.equal((await subject.account(ACCOUNT)).charged, 50n);
    await subject.advance(40 * DAY_MS);
    await sealing.seal('2026-12');
    await node.settle([call], LATE);
    assert.equal((await subject.account(ACCOUNT)).charged, 50n);
    assert.deepEqual(await sealing.violations(), []);
  });

  check('a month gets no partition while it is sealed, nor afterwards', async (subject, { connection }) => {
    const [{ query }] = subject.connections;
    const makeMonths = async (at: number) => {
      await setBankTime(subject.connections[0], at);
      const { rows } = await query<{ made: boolean }>('select turnpike_make_months_2(0) as made');
      return rows[0]?.made;
    };
    const { promise: sealed, resolve: onSealed } = Promise.withResolvers<void>();
    const { promise: begun, resolve: onBegun } = Promise.withResolvers<void>();
    const sealing = connection.transaction('', async () => {
      await connection.rows('lock table seals in share row exclusive mode');
      await connection.rows(
        `insert into seals (month, account_id, topups_nano, promos_nano, adjustments_nano, refunds_nano, charges_nano,
           closing_balance_nano, rows, hash, sealed_at) values ('2026-06', 1, 0, 0, 0, 0, 0, 0, 0, '', 0)`,
      );
      onBegun();
      await sealed;
    });
    await begun;
    assert.equal(await makeMonths(Date.UTC(2026, 5, 9)), false, 'it is tried again');
    onSealed();
    await sealing;
    const months = [Date.UTC(2026, 5, 9), Date.UTC(2026, 4, 9), Date.UTC(2026, 6, 9)];
    for (const at of months) assert.equal(await makeMonths(at), true);
    const { rows } = await query<{ name: string }>(
      `select relid::regclass::text as name from pg_partition_tree('settlements') where isleaf order by 1`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['settlements_2026_07', 'settlements_default'],
    );
  });
}

/** With a call of 30 in it, of a node that has left; it is the second of December then. */
async function sealNovember(subject: PostgresBankUnderTest, { seal }: Sealing) {
  const node = await TestNode.start(subject, 0);
  await subject.post(ACCOUNT, 1_000n);
  await node.lease({ shortfall: 100 });
  const call = node.call(30);
  await node.settle([call]);
  await node.bank.leave(node.place);
  await subject.advance(DECEMBER + DAY_MS - subject.now());
  await seal('2026-11');
  return { node, call };
}
