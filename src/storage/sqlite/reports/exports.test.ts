/**
 * Goal: an export contains exactly what existed when it began, whatever happens meanwhile. Method: a real
 * storage that is written to between batches.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ManualClock } from '../../../core/clock.ts';
import { accountId, type CallId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { MovementsExport } from '../../../stats/ports.ts';
import { NO_RULES, sampleEntry, sampleRecord, sampleSettlement, settlementRows } from '../../contract/sample-rows.ts';
import { ACME, anyCall, DAY_MS, HOUR_MS, OTHER } from '../../contract/stats-rows.ts';
import { EXPORT_MS_MAX, ThreadExports } from '../../threads/thread-exports.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';
import { exporterOf } from './sqlite-answerer.ts';

const CHARGE = nanoUsd(3n);

async function open(context: TestContext) {
  const subject = await openSqliteUnderTest();
  const exports = new ThreadExports({
    code: exporterOf({ ledger: subject.databasePath, records: join(subject.folder, 'records') }),
    clock: subject.clock,
  });
  context.after(async () => {
    await exports.close();
    await subject.dispose();
  });
  return { subject, exports, clock: subject.clock };
}

/** Writes `count` charges of an account, over ten days. */
async function charge({ storage, clock }: SqliteUnderTest, count: number, account = ACME): Promise<CallId[]> {
  const settlements = Array.from({ length: count }, (_, index) =>
    sampleSettlement(clock.now() - 10 * DAY_MS + Math.floor((index * 9 * DAY_MS) / count), {
      accountId: account,
      charge: CHARGE,
      model: `acme/model-${index % 60}`,
    }),
  );
  await storage.ledger.commit(settlementRows(settlements));
  return settlements.map(({ callId }) => callId).toReversed();
}

const everything: MovementsExport = { accountId: ACME, kind: 'all', fromMs: null, toMs: null };

async function callsOf(exports: ThreadExports, query: MovementsExport): Promise<(CallId | null)[]> {
  const calls: (CallId | null)[] = [];
  for await (const { movements } of exports.allMovements(query)) calls.push(...movements.map(({ callId }) => callId));
  return calls;
}

test('twelve thousand charges are all exported, newest first, once each', async (context) => {
  const { subject, exports } = await open(context);
  const charged = await charge(subject, 12_000);
  await charge(subject, 100, OTHER);
  assert.deepEqual(await callsOf(exports, everything), charged);
});

test('changes during an export are not in it: its sum is the balance at its beginning', async (context) => {
  const { subject, exports, clock } = await open(context);
  await charge(subject, 3_000);
  await subject.storage.ledger.post(sampleEntry({ at: clock.now() }), NO_RULES);
  const before = await balanceOf(subject);
  let sum = 0n;
  let batches = 0;
  for await (const { movements } of exports.allMovements(everything)) {
    batches += 1;
    for (const { amount } of movements) sum += amount;
    // Charges between rows already read and rows not read yet, an entry, and deleted rows.
    await charge(subject, 100);
    await subject.storage.ledger.post(sampleEntry({ at: clock.now(), reference: `later ${batches}` }), NO_RULES);
    const database = subject.openConnection();
    database.exec(
      'DELETE FROM settlements WHERE call_id IN (SELECT call_id FROM settlements ORDER BY call_id LIMIT 50)',
    );
    database.close();
  }
  assert.ok(batches > 2);
  assert.equal(sum, before);
});

test('every group of every hour is exported, however many there are, and their sum is that of the calls', async (context) => {
  const { subject, exports, clock } = await open(context);
  await charge(subject, 3_000);
  const end = Math.floor(clock.now() / HOUR_MS) + 1;
  const all = { projectId: null, keyId: null, model: null, provider: null };
  const query = { ...all, accountId: ACME, interval: 'hour', first: end - 31 * 24, end, groupBy: 'model' } as const;
  const groups = new Set<string>();
  let calls = 0;
  for await (const rows of exports.allUsage(query))
    for (const { id, sums } of rows) {
      groups.add(id);
      calls += sums.calls;
    }
  assert.deepEqual([groups.size, calls], [60, 3_000]);
});

test('sealed months are reported, with the account’s balance at their end', async (context) => {
  const { subject, exports } = await open(context);
  await charge(subject, 10);
  const database = subject.openConnection();
  database
    .prepare(
      'INSERT INTO seals (month, account_id, closing_balance_nano, rows, hash, sealed_at) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run('2026-09', ACME, 77n, 1, Buffer.alloc(32), 0);
  database.close();
  const sealedOf = async (query: MovementsExport) => {
    const found = [];
    for await (const { sealed } of exports.allMovements(query)) found.push(sealed);
    return found.at(-1);
  };
  const october = Date.UTC(2026, 9, 1);
  assert.deepEqual(await sealedOf(everything), { endMs: october, balance: 77n });
  assert.deepEqual(await sealedOf({ ...everything, fromMs: october - 1 }), { endMs: october, balance: 77n });
  assert.equal(await sealedOf({ ...everything, fromMs: october }), null);
  assert.equal(await sealedOf({ ...everything, accountId: OTHER }), null);
});

test('an account can run four concurrent exports, and other accounts can still export', async (context) => {
  const { subject, exports } = await open(context);
  await charge(subject, 1_500);
  const begun = Array.from({ length: 5 }, () => exports.allMovements(everything)[Symbol.asyncIterator]());
  const first = await Promise.allSettled(begun.map((each) => each.next()));
  assert.deepEqual(
    first.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  );
  assert.deepEqual(await callsOf(exports, { ...everything, accountId: OTHER }), []);
  for (const each of begun) await each.return?.();
  assert.equal((await callsOf(exports, everything)).length, 1_500);
});

test('a snapshot of the ledger is not held for longer than ten minutes', async (context) => {
  const { subject, exports, clock } = await open(context);
  await charge(subject, 3_000);
  await assert.rejects(
    async () => {
      for await (const _ of exports.allMovements(everything)) (clock as ManualClock).advance(EXPORT_MS_MAX + 1);
    },
    { code: 'shedding' },
  );
});

test('calls are exported as they are listed, without those that arrive meanwhile', async (context) => {
  const { subject, exports, clock } = await open(context);
  const records = Array.from({ length: 2_500 }, (_, index) =>
    sampleRecord(sampleSettlement(clock.now() - 3 * DAY_MS + index * 60_000)),
  );
  await subject.storage.ledger.commit(settlementRows(records));
  for (const record of records) subject.storage.records.append(record);
  await subject.storage.records.drain();
  const found: CallId[] = [];
  const query = { ...anyCall, accountId: accountId(1), fromMs: null, toMs: null };
  for await (const calls of exports.allCalls(query)) {
    found.push(...calls.map(({ callId }) => callId));
    const later = sampleRecord(sampleSettlement(clock.now()));
    await subject.storage.ledger.commit(settlementRows([later]));
    subject.storage.records.append(later);
    await subject.storage.records.drain();
  }
  assert.deepEqual(found, records.map(({ callId }) => callId).toReversed());
});

async function balanceOf(subject: SqliteUnderTest): Promise<bigint> {
  const database = subject.openConnection();
  const { balance } = database
    .prepare('SELECT CAST(balance_nano AS TEXT) AS balance FROM balances WHERE account_id = ?')
    .get(ACME) as { balance: string };
  database.close();
  return BigInt(balance);
}
