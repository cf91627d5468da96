/**
 * Goal: a page requests all the money it shows at once, and that changes nothing. Method: the view of a bank over a ledger in
 * memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from '../core/calendar.ts';
import { NO_MONEY, parseUsd } from '../core/money.ts';
import { bankOf, bound, call, held, NOON, prepaid, spend } from './bank-under-test.ts';
import { balanceOf, moneyOf } from './money-view.ts';

const NOTHING = { day: NO_MONEY, week: NO_MONEY, month: NO_MONEY, total: NO_MONEY };

test('scopes are returned in the order requested, with what they spent and what running calls hold', async () => {
  const { bank } = await prepaid('5');
  await spend(bank, call({ bound: bound('2') }), '1.5');
  held(bank, call({ bound: bound('1') }));
  const spent = { day: parseUsd('1.5'), week: parseUsd('1.5'), month: parseUsd('1.5'), total: parseUsd('1.5') };
  const counted = { balance: null, spent, held: parseUsd('1'), lastDay: dayOf(NOON) };
  const balance = {
    balance: parseUsd('3.5'),
    held: parseUsd('1'),
    available: parseUsd('2.5'),
    credited: parseUsd('5'),
    charged: parseUsd('1.5'),
  };
  const asked = [
    { scope: 'project', id: 2 },
    { scope: 'account', id: 1 },
    { scope: 'key', id: 3 },
    { scope: 'key', id: 3 },
  ] as const;
  assert.deepEqual(await bank.money.of(asked), [counted, { ...counted, balance }, counted, counted]);
  assert.deepEqual(await bank.money.of([]), []);
});

test('windows are the current ones, even if there was no call since', async () => {
  const { bank, clock } = await prepaid('5');
  await spend(bank, call({ bound: bound('1') }), '1');
  clock.advance(86_400_000);
  const { spent, lastDay } = await moneyOf(bank.money, 'key', 3);
  assert.deepEqual([spent.day, spent.month, lastDay], [0n, parseUsd('1'), dayOf(NOON)]);
});

test('an unknown scope has zeros everywhere, and no balance if none is kept', async () => {
  const { bank } = await prepaid('5');
  const unknown = { balance: null, spent: NOTHING, held: 0n, lastDay: null };
  assert.deepEqual(await moneyOf(bank.money, 'key', 99), unknown);
  assert.equal((await balanceOf(bank.money, 99 as never))?.balance, 0n);
  const off = await bankOf('off');
  assert.equal(await balanceOf(off.bank.money, 1 as never), null);
});
