/**
 * Goal: clients for OpenRouter can read the answer, and its amounts match the bank to the nano-USD. Method: the SDK's schema, and a real
 * bank over a ledger in memory.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetCurrentKeyResponse$inboundSchema } from '@openrouter/sdk/models/operations/getcurrentkey.js';
import type { Key } from '../../accounts/keys.ts';
import type { Account, Limits, Permissions, Project } from '../../accounts/ports.ts';
import { NO_CAPTURE } from '../../accounts/ports.ts';
import { ScopeMirror } from '../../accounts/scope-mirror.ts';
import type { BillingMode } from '../../billing/billing-mode.ts';
import { LedgerBank } from '../../billing/ledger-bank.ts';
import { MemoryLedger } from '../../billing/memory-ledger.ts';
import type { AccountTotals, LoadedLedger, SpentSoFar } from '../../billing/ports.ts';
import type { Budgets } from '../../core/budget.ts';
import { dayOf } from '../../core/calendar.ts';
import { ManualClock } from '../../core/clock.ts';
import { accountId, keyId, newCallId, projectId } from '../../core/ids.ts';
import { type Money, parseUsd, picoUsd } from '../../core/money.ts';
import { type KeyFacts, keyInformation } from './key.ts';

/** A Saturday. */
const NOW = Date.UTC(2026, 10, 21, 12);

const key: Key = {
  id: keyId(7),
  rootId: keyId(7),
  projectId: projectId(1),
  accountId: accountId(1),
  name: 'staging backend',
  label: 'sk-tp-…wXyZ',
  kind: 'inference',
  digest: Buffer.alloc(32, 5),
  pepperId: 'pepper-one',
  disabled: false,
  createdAt: 0,
  createdBy: null,
  expiresAt: Date.UTC(2030, 0, 1),
  revokedAt: null,
  retiringAt: null,
  updatedAt: null,
  limits: {},
  permissions: {},
  seq: 0,
};

test('the OpenRouter SDK accepts the answer', async () => {
  const parsed = GetCurrentKeyResponse$inboundSchema.parse(JSON.parse(await text(key, facts())));
  assert.equal(parsed.data.label, 'sk-tp-…wXyZ');
  assert.equal(parsed.data.expiresAt?.getTime(), Date.UTC(2030, 0, 1));
  assert.equal(parsed.data.limitRemaining, null);
  assert.equal(parsed.data.rateLimit.requests, -1);
});

test('the balance is next to the data, includes what is held, and is exact', async () => {
  const subject = facts({ balance: '1234567890.123456789' });
  hold(subject, '0.5');
  assert.match(await text(key, subject), /"balance":1234567890\.123456789\}$/);
  const { data } = await answer(key, subject);
  assert.equal(Object.hasOwn(data, 'balance'), false);
  assert.equal(data['held'], 0.5);
});

test('without billing there is no balance, but spending is reported', async () => {
  const { data, balance } = await answer(key, facts({ mode: 'off', spent: spent('1', '2', '3', '4') }));
  assert.equal(balance, null);
  assert.equal(data['usage'], 4);
  assert.equal(data['binding'], null);
});

test('usage is reported for the day, the week from Monday, the month and in total', async () => {
  const { data } = await answer(key, facts({ spent: spent('0.000000001', '2.5', '3', '4') }));
  assert.equal(data['usage_daily'], 0.000000001);
  assert.equal(data['usage_weekly'], 2.5);
  assert.equal(data['usage_monthly'], 3);
  assert.equal(data['usage'], 4);
});

test('a rotated key continues the spending of the first key of its chain', async () => {
  const successor = { ...key, id: keyId(8), limits: { budgets: usd({ day: '5' }) } };
  const { data } = await answer(successor, facts({ spent: spent('1', '2', '3', '4') }));
  assert.equal(data['usage'], 4);
  assert.equal(data['limit_remaining'], 4);
});

const limits: [budgets: Partial<Record<keyof Budgets, string>>, expected: [unknown, unknown, unknown]][] = [
  [{}, [null, null, null]],
  [{ day: '5' }, [5, 4, 'daily']],
  [{ week: '5' }, [5, 3, 'weekly']],
  [{ month: '5' }, [5, 2, 'monthly']],
  [{ total: '5' }, [5, 1, null]],
  [{ day: '5', week: '5.5', month: '50' }, [5.5, 3.5, 'weekly']],
  [{ day: '0.5' }, [0.5, 0, 'daily']],
];

for (const [budgets, expected] of limits) {
  test(`budgets of the key ${JSON.stringify(budgets)} are the limit ${JSON.stringify(expected)}`, async () => {
    const { data } = await answer(
      { ...key, limits: { budgets: usd(budgets) } },
      facts({ spent: spent('1', '2', '3', '4') }),
    );
    assert.deepEqual([data['limit'], data['limit_remaining'], data['limit_reset']], expected);
  });
}

test('every budget that applies to the key is reported, with what remains and when it resets', async () => {
  const subject = facts({ spent: spent('1', '2', '3', '4'), project: { budgets: usd({ week: '10' }) } });
  const { data } = await answer({ ...key, limits: { budgets: usd({ month: '6', total: '9' }) } }, subject);
  const budget = (scope: string, window: string, ...amounts: number[]) => {
    const [limit, used, remaining] = amounts;
    return { scope, window, limit, spent: used, held: 0, remaining };
  };
  assert.deepEqual(data['budgets'], [
    { ...budget('key', 'month', 6, 3, 3), resets_at: '2026-12-01T00:00:00.000Z' },
    { ...budget('key', 'total', 9, 4, 5), resets_at: null },
    { ...budget('project', 'week', 10, 2, 8), resets_at: '2026-11-23T00:00:00.000Z' },
  ]);
});

test('the binding limit is the one with the least available, including running calls', async () => {
  const budgeted = { ...key, limits: { budgets: usd({ day: '5' }) } };
  const subject = facts({
    balance: '4.5',
    spent: spent('1', '1', '1', '1'),
    account: { budgets: usd({ month: '5' }) },
  });
  assert.deepEqual((await answer(budgeted, subject)).data['binding'], {
    name: 'key_budget_day',
    scope: 'key',
    window: 'day',
    available: 4,
  });
  assert.deepEqual((await answer(key, facts({ balance: '4.5' }))).data['binding'], {
    name: 'balance',
    scope: 'balance',
    window: null,
    available: 4.5,
  });
  hold(subject, '3');
  assert.equal(((await answer(budgeted, subject)).data['binding'] as { available: number }).available, 1);
});

test('a balance that may go below zero is not a limit', async () => {
  assert.equal((await answer(key, facts({ mode: 'postpaid', balance: '-3' }))).data['binding'], null);
});

test('limits and permissions are reported as set on key, project and account', async () => {
  const subject = facts({ project: { requestsPerMinute: 60 }, account: { budgets: usd({ total: '100.5' }) } });
  const permissions: Permissions = { modelsAllow: ['acme/*'], ips: ['10.0.0.0/8'] };
  const { data } = await answer({ ...key, permissions }, subject);
  const reported = data['limits'] as Record<string, Record<string, unknown>>;
  assert.equal(reported['project']?.['requests_per_minute'], 60);
  assert.equal(reported['key']?.['requests_per_minute'], null);
  assert.deepEqual(reported['account']?.['budgets'], { day: null, week: null, month: null, total: 100.5 });
  assert.deepEqual((data['permissions'] as Record<string, unknown>)['key'], {
    operations: null,
    models_allow: ['acme/*'],
    models_deny: null,
    ips_limited: true,
  });
});

test('a management key is marked under both names', async () => {
  const { data } = await answer({ ...key, kind: 'management', expiresAt: null }, facts());
  assert.equal(data['is_management_key'], true);
  assert.equal(data['is_provisioning_key'], true);
  assert.equal(data['expires_at'], null);
});

test('neither the digest nor the pepper nor an IP address is revealed', async () => {
  const written = await text({ ...key, permissions: { ips: ['10.1.2.3'] } }, facts());
  assert.doesNotMatch(written, /pepper|digest|0505|10\.1\.2/);
});

interface Given {
  readonly mode?: BillingMode;
  readonly balance?: string;
  readonly spent?: SpentSoFar;
  readonly project?: Limits;
  readonly account?: Limits;
}

interface Facts extends KeyFacts {
  readonly bank: LedgerBank;
}

/** Key, project and account have the same spending. */
function facts(given: Given = {}): Facts {
  const clock = new ManualClock(NOW);
  const totals: AccountTotals = {
    balance: amount(given.balance ?? '0'),
    credited: amount('0'),
    charged: amount('0'),
  };
  const loaded: LoadedLedger = {
    balances: new Map([[key.accountId, totals]]),
    lastEntry: null,
    spent: {
      keys: new Map(given.spent && [[key.rootId, given.spent]]),
      projects: new Map(given.spent && [[key.projectId, given.spent]]),
      accounts: new Map(given.spent && [[key.accountId, given.spent]]),
    },
  };
  const store = new MemoryLedger(NOW);
  const bank = new LedgerBank({ store, loaded, mode: given.mode ?? 'prepaid', clock, isWritable: () => true });
  const scopes = new ScopeMirror();
  const rest = { name: 'Default', createdAt: 0, closedAt: null, capture: NO_CAPTURE, permissions: {}, seq: 0 };
  scopes.putProject({
    ...rest,
    id: key.projectId,
    accountId: key.accountId,
    archivedAt: null,
    limits: given.project ?? {},
  } satisfies Project);
  scopes.putAccount({
    ...rest,
    id: key.accountId,
    limits: given.account ?? {},
    rates: {},
  } satisfies Account);
  return { bank, scopes, clock };
}

function hold({ bank }: Facts, held: string): void {
  bank.hold({
    callId: newCallId(NOW),
    admittedAt: NOW,
    accountId: key.accountId,
    projectId: key.projectId,
    keyId: key.rootId,
    keyBudgets: undefined,
    projectBudgets: undefined,
    accountBudgets: undefined,
    bound: {
      fixed: picoUsd(amount(held) * 1000n),
      perOutputToken: picoUsd(0n),
      outputCap: 0,
      mayLower: false,
    },
  });
}

function spent(today: string, week: string, month: string, total: string): SpentSoFar {
  return {
    day: dayOf(NOW),
    today: amount(today),
    week: amount(week),
    month: amount(month),
    total: amount(total),
    callsToday: 1,
    lastDay: dayOf(NOW),
  };
}

function usd(budgets: Partial<Record<keyof Budgets, string>>): Budgets {
  return Object.fromEntries(Object.entries(budgets).map(([window, limit]) => [window, amount(limit)]));
}

function amount(usdText: string): Money {
  return parseUsd(usdText);
}

async function text(asking: Key, subject: KeyFacts): Promise<string> {
  return JSON.stringify(await keyInformation(asking, subject));
}

async function answer(asking: Key, subject: KeyFacts): Promise<{ data: Record<string, unknown>; balance: unknown }> {
  return JSON.parse(await text(asking, subject));
}
