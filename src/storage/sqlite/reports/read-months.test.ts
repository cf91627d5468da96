/**
 * Goal: monthly statements add up exactly to the account's balance, whatever moved and whatever was sealed.
 * Method: an artificial history of all kinds, with large amounts, calls that moved no balance, and another account; counted from the rows.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { dayOf, dayStart, monthOf, nextMonthOf } from '../../../core/calendar.ts';
import { type AccountId, accountId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Month, MonthSums, MonthsCursor, Movement } from '../../../stats/ports.ts';
import { NO_RULES, sampleEntry, sampleSettlement, settlementRow } from '../../contract/sample-rows.ts';
import type { QuestionReader } from '../../stats/question-reader.ts';
import { sealMonth } from '../archive/seal-month.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';
import { openSqliteReader } from './sqlite-answerer.ts';

const ACME = accountId(1);
const OTHER = accountId(2);
const IDLE = accountId(3);
const KINDS = ['topup', 'promo', 'adjustment', 'refund'] as const;

test('months add up exactly to the account’s balance, and to its movements', async (context) => {
  const { reader, subject } = await openHistory(context);
  for (const account of [ACME, OTHER]) {
    const months = await walk(reader, account, subject.clock.now(), 100);
    assert.deepEqual(months, count(await movementsOf(reader, account)).slice(0, months.length));
    assert.equal(months.at(-1)?.opening, 0n, 'the first month opens with zero');
    assert.equal(months[0]?.closing, (await subject.storage.ledger.load()).balances.get(account)?.balance);
    for (const [index, month] of months.entries()) {
      assert.equal(month.closing, month.opening + sumOf(month.sums as MonthSums));
      assert.equal(month.opening, months[index + 1]?.closing ?? 0n);
    }
  }
});

test('each page of months continues where the previous one ended', async (context) => {
  const { reader, subject } = await openHistory(context);
  const now = subject.clock.now();
  for (const limit of [1, 2, 5])
    assert.deepEqual(await walk(reader, ACME, now, limit), await walk(reader, ACME, now, 100));
});

test('an account without movements has no months', async (context) => {
  const { reader, subject } = await openHistory(context);
  assert.deepEqual(await reader.months({ accountId: IDLE, before: null, limit: 12, nowMs: subject.clock.now() }), {
    months: [],
    next: null,
  });
});

test('the current month is included, and so is a month without movements', async (context) => {
  const { reader, subject } = await openHistory(context);
  const running = dayOf(subject.clock.now());
  const months = await walk(reader, ACME, dayStart(nextMonthOf(nextMonthOf(running))), 100);
  assert.deepEqual(
    months.slice(0, 2).map(({ opening, closing, sums }) => [opening === closing, sumOf(sums as MonthSums)]),
    [
      [true, 0n],
      [true, 0n],
    ],
  );
  const days = months.map(({ day }) => day);
  for (const [index, day] of days.slice(1).entries()) assert.equal(nextMonthOf(day), days[index]);
});

test('sealed months are unchanged, and their rows are read from the archive', async (context) => {
  const { reader, subject } = await openHistory(context);
  const now = subject.clock.now();
  const before = await walk(reader, ACME, now, 100);
  const sealed = before.slice(2).toReversed();
  for (const { day } of sealed) seal(subject, day);
  const months = await walk(reader, ACME, now, 100);
  assert.deepEqual(
    months,
    before.map((month, index) => ({ ...month, isSealed: index >= 2 })),
  );
  for (const { day, sums } of sealed) {
    const rows = await movementsOf(reader, ACME, day);
    assert.ok(rows.length > 0);
    assert.equal(
      rows.reduce((sum, { amount }) => sum + amount, 0n),
      sumOf(sums as MonthSums),
    );
    const [first] = await exported(reader, day);
    assert.deepEqual(first?.month, { ...before.find((month) => month.day === day), isSealed: true });
  }
});

test('a month that was sealed before seals had sums has opening and closing balances only', async (context) => {
  const { reader, subject } = await openHistory(context);
  const now = subject.clock.now();
  const before = await walk(reader, ACME, now, 100);
  for (const { day } of before.slice(2).toReversed()) seal(subject, day);
  const database = subject.openConnection();
  database.exec(
    'UPDATE seals SET topups_nano = NULL, promos_nano = NULL, adjustments_nano = NULL, refunds_nano = NULL, charges_nano = NULL',
  );
  database.close();
  assert.deepEqual(
    await walk(reader, ACME, now, 100),
    before.map((month, index) => (index < 2 ? month : { ...month, sums: null, isSealed: true })),
  );
});

/** Half a year with movements of each kind, also at the first and the last moment of months. */
async function openHistory(context: TestContext) {
  const subject = await openSqliteUnderTest();
  const { ledger } = subject.storage;
  const running = monthOf(dayOf(subject.clock.now()));
  let day = running;
  for (let months = 0; months < 5; months += 1) day = monthOf(day - 1);
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed;
  };
  for (let number = 0; day <= running; day = nextMonthOf(day)) {
    const moments = [dayStart(day), dayStart(day) + next(), dayStart(nextMonthOf(day)) - 1].filter(
      (at) => at < subject.clock.now(),
    );
    for (const at of moments)
      for (const account of [ACME, OTHER]) {
        number += 1;
        const charged = sampleSettlement(at, { accountId: account, charge: amount(next()) });
        // Made while billing was off: it is in the sums of calls, and not in the balance.
        const unbilled = sampleSettlement(at, { accountId: account, charge: amount(next()), hold: null });
        await ledger.commit([settlementRow(charged), settlementRow(unbilled)]);
        const kind = KINDS[number % 4] as (typeof KINDS)[number];
        await ledger.post(
          sampleEntry({
            accountId: account,
            kind,
            amount: kind === 'refund' ? nanoUsd(1n) : nanoUsd(kind === 'adjustment' ? -amount(next()) : amount(next())),
            callId: kind === 'refund' ? charged.callId : null,
            reference: `entry ${number}`,
            at,
          }),
          NO_RULES,
        );
      }
  }
  const reader = openSqliteReader({
    paths: { ledger: subject.databasePath, records: join(subject.folder, 'records') },
    clock: subject.clock,
    drainRecords: async () => {},
    deadlineMs: 60_000,
    searchMs: 60_000,
  });
  context.after(async () => {
    await reader.close();
    await subject.dispose();
  });
  return { subject, reader };
}

/** Uses all decimal places; the sum of a few exceeds what a double represents exactly. */
function amount(random: number) {
  return nanoUsd(BigInt(random) * 4_503_599n + 1n);
}

function seal({ folder, clock }: SqliteUnderTest, day: number): void {
  sealMonth({ folder, month: new Date(dayStart(day)).toISOString().slice(0, 7), nowMs: clock.now() });
}

async function walk(reader: QuestionReader, account: AccountId, nowMs: number, limit: number): Promise<Month[]> {
  const walked: Month[] = [];
  for (let before: MonthsCursor | null = null; ; ) {
    const page = await reader.months({ accountId: account, before, limit, nowMs });
    assert.ok(page.months.length <= limit);
    walked.push(...page.months);
    before = page.next;
    if (before === null) return walked;
  }
}

async function movementsOf(reader: QuestionReader, account: AccountId, day: number | null = null): Promise<Movement[]> {
  const time = day === null ? {} : { fromMs: dayStart(day), toMs: dayStart(nextMonthOf(day)) };
  const query = {
    accountId: account,
    kind: 'all',
    fromMs: null,
    toMs: null,
    ...time,
    before: null,
    limit: 1_000,
  } as const;
  const { movements, next } = await reader.movements(query);
  assert.equal(next, null);
  return [...movements];
}

async function exported(reader: QuestionReader, day: number) {
  const time = { fromMs: dayStart(day), toMs: dayStart(nextMonthOf(day)) };
  const batches = [];
  for await (const batch of reader.allMovements({ accountId: ACME, kind: 'all', ...time })) batches.push(batch);
  return batches;
}

/** Unlike the reader, counts forwards from zero, row by row. */
function count(movements: readonly Movement[]): Month[] {
  const months: Month[] = [];
  let balance = 0n;
  const oldestFirst = movements.toReversed();
  for (let at = 0, day = monthOf(dayOf(oldestFirst[0]?.at ?? 0)); at < oldestFirst.length; day = nextMonthOf(day)) {
    const sums = { topups: 0n, promos: 0n, adjustments: 0n, refunds: 0n, charges: 0n };
    const opening = balance;
    for (; at < oldestFirst.length; at += 1) {
      const movement = oldestFirst[at] as Movement;
      if (monthOf(dayOf(movement.at)) !== day) break;
      const { kind } = movement;
      sums[kind === 'late_charge' ? 'charges' : (`${kind}s` as const)] += movement.amount;
      balance += movement.amount;
    }
    months.unshift({ day, opening, sums, closing: balance, isSealed: false } as unknown as Month);
  }
  return months;
}

function sumOf({ topups, promos, adjustments, refunds, charges }: MonthSums): bigint {
  return topups + promos + adjustments + refunds + charges;
}
