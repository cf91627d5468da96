/**
 * Goal: a correct ledger passes, and every kind of error is reported. Method: a ledger written by the storage,
 * corrupted by one statement at a time.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ledgerRules } from '../../../billing/ledger-rules.ts';
import type { LedgerRule } from '../../../billing/maintenance-ports.ts';
import { systemClock } from '../../../core/clock.ts';
import { callIdBytes } from '../../../core/ids.ts';
import { NO_RULES, sampleSettlement } from '../../contract/sample-rows.ts';
import { openValidLedger, type ValidLedger, validSettlement } from './valid-ledger.ts';
import { checkLedger, verifyLedger } from './verify-ledger.ts';

let ledger: ValidLedger;
before(async () => {
  ledger = await openValidLedger();
});
after(() => ledger.under.dispose());

const LONGEST_CALL_MS = 3_600_000;

function verify(billingMode = 'prepaid') {
  const { folder, clock } = ledger.under;
  const nowMs = clock.now() + 86_400_000;
  return verifyLedger({
    folder,
    archive: false,
    billingMode,
    longestCallMs: LONGEST_CALL_MS,
    nowMs,
    clock: systemClock,
    rules: ledgerRules,
  });
}

function check() {
  const { folder, clock } = ledger.under;
  return checkLedger({ folder, billingMode: 'prepaid', longestCallMs: LONGEST_CALL_MS, nowMs: clock.now() });
}

test('an unmodified ledger has no violations', async () => {
  const report = await verify();
  assert.deepEqual(report.violations, []);
  assert.deepEqual([report.accounts, report.settlements, report.entries, report.records], [2, 18, 9, 18]);
});

const ONE_CALL = 'call_id = (SELECT min(call_id) FROM settlements)';
const HOLD_COLUMNS =
  'call_id, admitted_at, account_id, project_id, key_id, operation, model, provider, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, input_audio_tokens, output_tokens, output_audio_tokens, reasoning_tokens, web_searches, usage_source, price_version, cost_nano, charge_nano, ending, hold_nano, fault_nano, variance_nano';

/** The change, how it is undone, and the rules that must report it. */
const spoilt: readonly [what: string, done: string, undone: string, rules: readonly LedgerRule[]][] = [
  [
    'a balance that is one nano-USD too high',
    'UPDATE balances SET balance_nano = balance_nano + 1 WHERE account_id = 1',
    'UPDATE balances SET balance_nano = balance_nano - 1 WHERE account_id = 1',
    ['balance_is_the_sum'],
  ],
  [
    'a balance that exceeds 64 bits',
    'UPDATE balances SET balance_nano = 9300000000000000000.0 WHERE account_id = 1',
    'UPDATE balances SET balance_nano = credited_nano - charged_nano WHERE account_id = 1',
    ['database_sound'],
  ],
  [
    'an amount that is not a number',
    `UPDATE settlements SET fault_nano = 'much' WHERE ${ONE_CALL}`,
    `UPDATE settlements SET fault_nano = 0 WHERE ${ONE_CALL}`,
    ['database_sound'],
  ],
  [
    'credits and charges changed by the same amount',
    'UPDATE balances SET credited_nano = credited_nano + 1, charged_nano = charged_nano + 1 WHERE account_id = 2',
    'UPDATE balances SET credited_nano = credited_nano - 1, charged_nano = charged_nano - 1 WHERE account_id = 2',
    ['balance_is_the_sum'],
  ],
  [
    'a charge that is one nano-USD too high',
    `UPDATE settlements SET charge_nano = charge_nano + 1 WHERE ${ONE_CALL}`,
    `UPDATE settlements SET charge_nano = charge_nano - 1 WHERE ${ONE_CALL}`,
    ['balance_is_the_sum', 'settlement_adds_up', 'rollup_is_the_sum', 'record_agrees'],
  ],
  [
    'a cost that does not match its tokens',
    `UPDATE settlements SET input_tokens = input_tokens + 1, output_tokens = output_tokens WHERE ${ONE_CALL}`,
    `UPDATE settlements SET input_tokens = input_tokens - 1 WHERE ${ONE_CALL}`,
    ['settlement_adds_up', 'rollup_is_the_sum', 'record_agrees'],
  ],
  [
    'a charge above its hold',
    `UPDATE settlements SET hold_nano = charge_nano - 1 WHERE ${ONE_CALL}`,
    `UPDATE settlements SET hold_nano = charge_nano + 1000 WHERE ${ONE_CALL}`,
    ['settlement_adds_up'],
  ],
  [
    'an ending that costs nothing',
    `UPDATE settlements SET ending = 7 WHERE ${ONE_CALL}`,
    `UPDATE settlements SET ending = 1 WHERE ${ONE_CALL}`,
    ['settlement_adds_up', 'rollup_is_the_sum', 'record_agrees'],
  ],
  [
    'an unknown ending',
    `UPDATE settlements SET ending = 99 WHERE ${ONE_CALL}`,
    `UPDATE settlements SET ending = 1 WHERE ${ONE_CALL}`,
    ['settlement_adds_up', 'rollup_is_the_sum', 'record_agrees'],
  ],
  [
    'a missing price version',
    `UPDATE settlements SET price_version = 77 WHERE ${ONE_CALL}`,
    `UPDATE settlements SET price_version = 1 WHERE ${ONE_CALL}`,
    ['price_version_known'],
  ],
  [
    'an hour with one call too many',
    'UPDATE rollups_hour SET calls = calls + 1 WHERE start = (SELECT min(start) FROM rollups_hour)',
    'UPDATE rollups_hour SET calls = calls - 1 WHERE start = (SELECT min(start) FROM rollups_hour)',
    ['rollup_is_the_sum'],
  ],
  [
    'a daily sum with another model',
    'UPDATE rollups_day SET model = 99 WHERE key_id = 1',
    'UPDATE rollups_day SET model = (SELECT model FROM settlements LIMIT 1) WHERE key_id = 1',
    ['rollup_is_the_sum'],
  ],
  [
    'a refund above the charge',
    "UPDATE entries SET amount_nano = amount_nano + 90000000 WHERE kind = 'refund' AND account_id = 1",
    "UPDATE entries SET amount_nano = amount_nano - 90000000 WHERE kind = 'refund' AND account_id = 1",
    ['balance_is_the_sum', 'refund_within_charge'],
  ],
  [
    'a call that is settled and still held',
    `INSERT INTO holds (${HOLD_COLUMNS}) SELECT ${HOLD_COLUMNS} FROM settlements WHERE ${ONE_CALL}`,
    'DELETE FROM holds',
    ['call_once', 'hold_not_stale'],
  ],
  [
    'holds above the balance',
    `INSERT INTO holds (${HOLD_COLUMNS}) SELECT ${HOLD_COLUMNS.replace(
      'call_id',
      "x'01a0000000000000000000000000000a'",
    ).replace('hold_nano', '99000000000')} FROM settlements WHERE ${ONE_CALL}`,
    'DELETE FROM holds',
    ['available_not_negative', 'hold_not_stale'],
  ],
];

for (const [what, done, undone, rules] of spoilt) {
  test(`verify reports ${what}`, async () => {
    ledger.corrupt(done);
    try {
      const report = await verify();
      assert.deepEqual(
        new Set(report.violations.map(({ rule }) => rule)),
        new Set(rules),
        JSON.stringify(report.violations),
      );
      assert.ok(report.violations.every(({ subject, detail }) => subject !== '' && detail !== ''));
    } finally {
      ledger.corrupt(undone);
    }
    assert.equal((await verify()).violationCount, 0);
  });
}

test('a record without a settlement is reported, and a settlement without a record is counted', async () => {
  const { under } = ledger;
  const settlement = validSettlement(
    under.clock.now() - 7_200_000,
    sampleSettlement(0).priceVersion ?? (1 as never),
    0,
  );
  const call = `x'${callIdBytes(settlement.callId).toString('hex')}'`;
  ledger.corrupt(`ATTACH '${join(under.folder, 'records', '2026-11-21.db')}' AS records;
    CREATE TEMP TABLE moved AS SELECT * FROM records.records LIMIT 1;
    UPDATE records.records SET call_id = ${call} WHERE call_id = (SELECT call_id FROM moved)`);
  const { violations, missingRecords } = await verify();
  assert.equal(missingRecords, 1);
  assert.deepEqual(
    violations.map(({ rule, detail }) => [rule, detail.slice(0, 20)]),
    [['record_agrees', 'it has a record and ']],
  );
  rmSync(join(under.folder, 'records', '2026-11-21.db'));
});

test('the quick check covers balances, holds, ballast and backups', async () => {
  const { violations, accounts, ballast, backupAt } = check();
  assert.deepEqual([violations.length, accounts, ballast, backupAt], [0, 2, true, null]);
  ledger.corrupt('UPDATE balances SET balance_nano = balance_nano + 1 WHERE account_id = 1');
  assert.equal(check().violations[0]?.rule, 'balance_is_the_sum');
  ledger.corrupt('UPDATE balances SET balance_nano = balance_nano - 1 WHERE account_id = 1');
});

test('the quick check reports a balance that is not an integer', () => {
  ledger.corrupt('UPDATE balances SET charged_nano = 9300000000000000000.0 WHERE account_id = 1');
  try {
    const [violation] = check().violations;
    assert.deepEqual([violation?.rule, violation?.subject], ['database_sound', 'balances']);
    assert.match(violation?.detail ?? '', /charged_nano of account 1 holds 9\.3e\+18, which is not an integer/);
  } finally {
    ledger.corrupt('UPDATE balances SET charged_nano = credited_nano - balance_nano WHERE account_id = 1');
  }
});

test('writes during verification are neither blocked nor reported as violations', async () => {
  const { under } = ledger;
  const verifying = verify();
  await under.storage.ledger.post(
    {
      accountId: 1 as never,
      kind: 'topup',
      amount: 5n as never,
      reference: 'meanwhile',
      callId: null,
      note: null,
      at: under.clock.now(),
    },
    NO_RULES,
  );
  assert.equal((await verifying).violationCount, 0);
  assert.equal((await verify()).violationCount, 0);
});
