/**
 * Goal: sealing moves a month to an archive and closing balances, loses nothing if it is interrupted, and all of it can be
 * verified and exported afterwards. Method: a correct ledger of three months; a step that throws simulates a crash.
 */

import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { ledgerRules } from '../../../billing/ledger-rules.ts';
import type { Transfer } from '../../../billing/maintenance-ports.ts';
import { systemClock } from '../../../core/clock.ts';
import { accountId, priceVersionId } from '../../../core/ids.ts';
import { nanoUsd, parseUsd } from '../../../core/money.ts';
import { NO_RULES, settlementRow } from '../../contract/sample-rows.ts';
import { archivePath } from '../files.ts';
import { OCTOBER, openValidLedger, SEPTEMBER, type ValidLedger, validSettlement } from '../verify/valid-ledger.ts';
import { verifyLedger } from '../verify/verify-ledger.ts';
import { isReferenceOfLedger } from './archived-reference.ts';
import { exportTransfers } from './export-transfers.ts';
import { sealMonth } from './seal-month.ts';
import { readSeals } from './seals.ts';

let ledger: ValidLedger;
beforeEach(async () => {
  ledger = await openValidLedger();
});
afterEach(() => ledger.under.dispose());

const seal = (month: string, onStep?: (step: 'archived' | 'deleted') => void) =>
  sealMonth({
    folder: ledger.under.folder,
    month,
    nowMs: ledger.under.clock.now(),
    ...(onStep === undefined ? {} : { onStep }),
  });

async function violations(archive: boolean) {
  const { folder, clock } = ledger.under;
  const report = await verifyLedger({
    folder,
    archive,
    billingMode: 'prepaid',
    longestCallMs: 3_600_000,
    nowMs: clock.now(),
    clock: systemClock,
    rules: ledgerRules,
  });
  return report.violations;
}

function transfers(changes: { limit?: number; fromMs?: number; toMs?: number; accountId?: number } = {}): Transfer[] {
  const query = { fromMs: 0, toMs: 8.64e15, accountId: null, limit: 1000, ...changes };
  const all: Transfer[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = exportTransfers(ledger.under.folder, { ...query, cursor });
    all.push(...page.transfers);
    cursor = page.cursor;
    if (cursor === null) return all;
  }
}

function liveRows(): number {
  const database = ledger.under.openConnection();
  const row = database
    .prepare('SELECT (SELECT count(*) FROM settlements) + (SELECT count(*) FROM entries) AS count')
    .get() as { count: number };
  database.close();
  return row.count;
}

test('months are archived in order, and the ledger stays correct with and without its archives', async () => {
  const before = transfers();
  const balances = await ledger.under.storage.ledger.load();
  const report = seal('2026-09');
  assert.deepEqual([report.settlements, report.entries, report.accounts, report.wasSealed], [6, 3, 2, false]);
  assert.equal(statSync(report.archive).mode & 0o777, 0o600);
  assert.deepEqual(await violations(false), []);
  assert.deepEqual(await violations(true), []);
  seal('2026-10');
  assert.deepEqual(await violations(false), []);
  assert.deepEqual(await violations(true), []);
  assert.equal(liveRows(), 9);
  assert.deepEqual(transfers(), before);
  assert.deepEqual((await ledger.under.storage.ledger.load()).balances, balances.balances);
  await ledger.under.reopen();
  assert.deepEqual(await violations(true), []);
});

test('an export that continues after a month was sealed is refused, because rows have moved', () => {
  const query = { fromMs: 0, toMs: 8.64e15, accountId: null, limit: 2 };
  const { cursor } = exportTransfers(ledger.under.folder, { ...query, cursor: null });
  seal('2026-09');
  assert.throws(() => exportTransfers(ledger.under.folder, { ...query, cursor }), { code: 'conflict' });
});

test('calls of a clock that was in a sealed month stay in the ledger, and the next month can be sealed', async () => {
  seal('2026-09');
  const { storage } = ledger.under;
  for (const index of [0, 1])
    await storage.ledger.commit([settlementRow(validSettlement(SEPTEMBER + index, priceVersionId(1), index))]);
  assert.equal(seal('2026-10').settlements, 6);
  assert.equal(liveRows(), 11);
  for (const archive of [false, true]) assert.deepEqual(await violations(archive), []);
  await ledger.under.reopen();
  assert.deepEqual(await violations(true), []);
});

test('sealing twice changes nothing', () => {
  seal('2026-09');
  const rows = liveRows();
  const again = seal('2026-09');
  assert.deepEqual([again.wasSealed, again.settlements, again.entries], [true, 6, 3]);
  assert.equal(liveRows(), rows);
});

test('if sealing is interrupted at any step, the ledger is unchanged, and sealing again succeeds', async () => {
  for (const step of ['archived', 'deleted'] as const) {
    assert.throws(
      () =>
        seal('2026-09', (at) => {
          if (at === step) throw new Error('cut off');
        }),
      /cut off/,
    );
    assert.equal(liveRows(), 27);
    assert.deepEqual(await violations(true), []);
  }
  assert.equal(seal('2026-09').settlements, 6);
  assert.equal(liveRows(), 18);
  assert.deepEqual(await violations(true), []);
});

test('a month that cannot be sealed yet is refused with the reason', () => {
  assert.throws(() => seal('2026-13'), /is not a month/);
  assert.throws(() => seal('2026-10'), /seal 2026-09 first/);
  assert.throws(() => seal('2026-11'), /can be sealed from 2026-12-01T02:00:00/);
  assert.throws(() => seal('2026-08'), /nothing to seal/);
  seal('2026-09');
  assert.throws(() => seal('2026-08'), /sealed in order/);
  ledger.corrupt(`INSERT INTO holds SELECT call_id, admitted_at, account_id, project_id, key_id, operation, model, provider,
    input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, input_audio_tokens, output_tokens,
    output_audio_tokens, reasoning_tokens, web_searches, usage_source, price_version, cost_nano, charge_nano, ending, hold_nano,
    fault_nano, variance_nano, file_searches, code_containers, cached_audio_tokens, output_image_tokens, markup_ppm, own_credential,
    saved_nano, node_loss_nano, units, unit_line, input_image_tokens FROM settlements LIMIT 1`);
  assert.throws(() => seal('2026-10'), /still has an open hold/);
});

test('a modified or missing archive is reported', async () => {
  const { archive } = seal('2026-09');
  const database = new DatabaseSync(archive);
  database.exec('UPDATE entries SET note = note || 1 WHERE id = 1');
  database.close();
  assert.deepEqual(
    (await violations(true)).map(({ rule, subject }) => [rule, subject]),
    [['archive_unchanged', '2026-09, account 1']],
  );
  rmSync(archive);
  assert.ok((await violations(true)).some(({ detail }) => detail.includes('is missing')));
  assert.deepEqual(await violations(false), []);
  assert.throws(() => transfers(), /The archive of 2026-09 is missing/);
  assert.throws(() => seal('2026-09'), /its archive is missing/);
});

test('balances are computed from the closing balance after sealing', async () => {
  seal('2026-09');
  ledger.corrupt('UPDATE seals SET closing_balance_nano = closing_balance_nano + 1 WHERE account_id = 1');
  assert.deepEqual(
    (await violations(false)).map(({ rule }) => rule),
    ['balance_is_the_sum'],
  );
});

test('a draft left by a crash is written again', () => {
  const path = archivePath(ledger.under.folder, '2026-09');
  assert.throws(() =>
    seal('2026-09', () => {
      throw new Error('cut off');
    }),
  );
  assert.ok(existsSync(path));
  assert.equal(seal('2026-09').wasSealed, false);
  assert.ok(!existsSync(`${path}.new`));
});

test('a reference in a sealed month is still known', () => {
  assert.equal(isReferenceOfLedger(ledger.under.folder, 1, 'top-up 0'), false);
  seal('2026-09');
  assert.equal(isReferenceOfLedger(ledger.under.folder, 1, 'top-up 0'), true);
  assert.equal(isReferenceOfLedger(ledger.under.folder, 3, 'top-up 0'), false);
});

test('transfers are exported in order, page by page, and by time and account', () => {
  seal('2026-09');
  const all = transfers();
  // Per month: two top-ups, a refund, four charges, two faults, two variances.
  assert.equal(all.length, 33);
  assert.deepEqual(transfers({ limit: 2 }), all);
  assert.deepEqual(
    all.map(({ time }) => time),
    all.map(({ time }) => time).sort(),
  );
  const october = transfers({ fromMs: Date.UTC(2026, 9, 1), toMs: Date.UTC(2026, 10, 1) });
  assert.equal(october.length, 11);
  assert.ok(october.every(({ time }) => time.startsWith('2026-10')));
  assert.ok(transfers({ accountId: 2 }).every(({ account }) => account === 2));
  assert.equal(transfers({ accountId: 2 }).length + transfers({ accountId: 1 }).length, 33);
});

test('an entry is exported as a transfer between two accounts of the ledger', async () => {
  for (const [kind, nano, debit, credit] of [
    ['promo', 5n, 'promo', 'available'],
    ['adjustment', 5n, 'adjustment', 'available'],
    ['adjustment', -5n, 'available', 'adjustment'],
    ['late_charge', -5n, 'available', 'revenue'],
  ] as const) {
    const entry = {
      accountId: accountId(1),
      kind,
      amount: nanoUsd(nano),
      reference: `${kind} ${nano}`,
      callId: null,
      note: null,
      at: OCTOBER,
    };
    await ledger.under.storage.ledger.post(entry, NO_RULES);
    const found = transfers().find(({ reference }) => reference === entry.reference);
    assert.deepEqual([found?.debit, found?.credit, found?.amount], [debit, credit, '0.000000005']);
  }
});

test('what came too late is exported as an expense of the operator, from an archive as well', () => {
  const before = transfers();
  ledger.corrupt(`UPDATE settlements SET node_loss_nano = 3, charge_nano = charge_nano - 3
    WHERE call_id = (SELECT min(call_id) FROM settlements WHERE charge_nano > 3)`);
  const losses = () =>
    transfers()
      .filter(({ debit }) => debit === 'expense:node_loss')
      .map(({ credit, amount }) => [credit, amount]);
  assert.deepEqual(losses(), [['revenue', '0.000000003']]);
  assert.equal(transfers().length, before.length + 1);
  ledger.corrupt(
    'UPDATE balances SET balance_nano = balance_nano + 3, charged_nano = charged_nano - 3 WHERE account_id = 1',
  );
  seal('2026-09');
  assert.deepEqual(losses(), [['revenue', '0.000000003']]);
});

test('what a call is charged after its month was sealed is a charge: in balances, statements and seals', async () => {
  seal('2026-09');
  const entry = {
    accountId: accountId(1),
    kind: 'late_charge',
    amount: nanoUsd(-5n),
    reference: 'late-1',
    callId: ledger.calls[0] ?? null,
    note: null,
    at: OCTOBER,
  } as const;
  const totals = async () => (await ledger.under.storage.ledger.load()).balances.get(accountId(1));
  const before = await totals();
  await ledger.under.storage.ledger.post(entry, NO_RULES);
  const after = await totals();
  assert.equal(after?.charged, (before?.charged ?? 0n) + 5n);
  assert.equal(after?.credited, before?.credited);
  assert.deepEqual(await violations(true), []);
  const charged = transfers({ accountId: 1, fromMs: Date.UTC(2026, 9, 1), toMs: Date.UTC(2026, 10, 1) })
    .filter(({ debit }) => debit === 'available')
    .reduce((sum, { amount }) => sum + parseUsd(amount), 0n);
  seal('2026-10');
  const database = ledger.under.openConnection();
  const seals = readSeals(database);
  database.close();
  assert.equal(seals.get('2026-10')?.get(1)?.sums?.charges, -charged);
  assert.deepEqual(await violations(true), []);
});

test('an archive from before a column was added is verified by the columns that it has', async () => {
  const added = [
    ...['file_searches', 'code_containers', 'cached_audio_tokens', 'output_image_tokens'],
    'node_loss_nano',
    'input_image_tokens',
  ];
  const tables = ['settlements', 'holds'];
  const change = (how: (column: string) => string) =>
    ledger.corrupt(tables.flatMap((table) => added.map((column) => `ALTER TABLE ${table} ${how(column)}`)).join(';'));
  const before = transfers();
  change((column) => `DROP COLUMN ${column}`);
  const { archive } = seal('2026-09');
  change((column) => `ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`);
  assert.deepEqual(await violations(true), []);
  assert.deepEqual(transfers(), before);
  const database = new DatabaseSync(archive);
  database.exec(
    'UPDATE settlements SET charge_nano = charge_nano + 1 WHERE call_id = (SELECT min(call_id) FROM settlements)',
  );
  database.close();
  const found = await violations(true);
  assert.ok(
    found.some(({ rule }) => rule === 'archive_unchanged'),
    JSON.stringify(found),
  );
});
