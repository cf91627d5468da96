/**
 * Goal: a refusal names the limit that applies, what is needed and left, and whether waiting helps. Method: a table of
 * balances, spending and holds before a call, over the bank and a ledger in memory, with the whole error of each.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountId } from '../core/ids.ts';
import { type Money, parseUsd } from '../core/money.ts';
import type { HoldRequest } from './bank.ts';
import { bankOf, bound, call, held, NOON, posted, spend } from './bank-under-test.ts';
import type { BillingMode } from './billing-mode.ts';
import { type Constraint, refusalError, shortfall, unlimitedUseError } from './refusal.ts';

interface Case {
  readonly name: string;
  readonly mode?: BillingMode;
  readonly balance?: string;
  readonly spent?: string;
  readonly held?: string;
  readonly budgets?: Pick<HoldRequest, 'keyBudgets' | 'projectBudgets' | 'accountBudgets'>;
  readonly needs: string;
  readonly isWritable?: boolean;
  readonly code: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly message: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

const HOUR_SECONDS = 3_600;

const cases: readonly Case[] = [
  {
    name: 'a balance that is too low',
    balance: '1',
    needs: '2',
    code: 'insufficient_balance',
    message:
      'The balance of this account is too low: this call may cost up to $2, and $1 is left. Ask for fewer tokens (maxOutput), or ask the operator to add credit: turnpike balance add <usd> --account 7.',
    facts: { binding: 'balance', needed: 2, available: 1 },
  },
  {
    name: 'a balance that running calls hold',
    balance: '1',
    held: '0.7',
    needs: '0.7',
    code: 'balance_reserved',
    retryAfterSeconds: 2,
    message:
      'The balance of this account is held by running calls: this call may cost up to $0.7, and $0.3 is available. Try again when they have finished, or ask for fewer tokens (maxOutput).',
    facts: { binding: 'balance', needed: 0.7, available: 0.3 },
  },
  {
    name: 'a budget that running calls hold',
    held: '1.5',
    budgets: budgets({ keyBudgets: { week: usd('2') } }),
    needs: '1',
    code: 'balance_reserved',
    retryAfterSeconds: 2,
    message:
      'The weekly budget of this key is held by running calls: this call may cost up to $1, and $0.5 is available. Try again when they have finished, or ask for fewer tokens (maxOutput).',
    facts: { binding: 'key_budget_week', needed: 1, available: 0.5 },
  },
  {
    name: 'a budget that is partly used',
    spent: '1',
    budgets: budgets({ keyBudgets: { day: usd('2') } }),
    needs: '1.5',
    code: 'budget_exceeded',
    retryAfterSeconds: 12 * HOUR_SECONDS,
    message:
      'The daily budget of this key leaves $1, and this call may cost up to $1.5. It resets at 2026-11-22T00:00:00.000Z.',
    facts: { binding: 'key_budget_day', needed: 1.5, available: 1, resets_at: '2026-11-22T00:00:00.000Z' },
  },
  {
    name: 'a budget that is used up or held',
    spent: '1',
    held: '1',
    budgets: budgets({ projectBudgets: { month: usd('2') } }),
    needs: '1.5',
    code: 'budget_exceeded',
    retryAfterSeconds: (9 * 24 + 12) * HOUR_SECONDS,
    message:
      'The monthly budget of this project is used up or held by running calls: this call may cost up to $1.5, and $0 is left. It resets at 2026-12-01T00:00:00.000Z.',
    facts: { binding: 'project_budget_month', needed: 1.5, available: 0, resets_at: '2026-12-01T00:00:00.000Z' },
  },
  {
    name: 'a budget without windows that is used up',
    spent: '2',
    budgets: budgets({ accountBudgets: { total: usd('2') } }),
    needs: '1.5',
    code: 'budget_exceeded',
    message:
      'The total budget of this account is used up: this call may cost up to $1.5, and $0 is left. It does not reset.',
    facts: { binding: 'account_budget_total', needed: 1.5, available: 0, resets_at: null },
  },
  {
    name: 'a call that exceeds a whole budget, so that waiting does not help',
    budgets: budgets({ keyBudgets: { day: usd('0.00005') } }),
    needs: '0.000304',
    code: 'budget_exceeded',
    message:
      'This call may cost up to $0.000304, more than the whole daily budget of this key, $0.00005. Ask for fewer tokens (maxOutput), or have the budget raised.',
    facts: { binding: 'key_budget_day', needed: 0.000304, available: 0.00005, resets_at: null },
  },
  {
    name: 'a call that no account can owe',
    mode: 'off',
    needs: '1000000001',
    code: 'insufficient_balance',
    message:
      "This call may cost up to $1000000001, more than an account can owe. Ask for fewer tokens (maxOutput), or ask the operator to check the model's price.",
    facts: { binding: 'balance', needed: 1000000001 },
  },
  {
    name: 'a disk that refuses rows',
    balance: '1',
    needs: '0.1',
    isWritable: false,
    code: 'ledger_unavailable',
    status: 503,
    retryAfterSeconds: 1,
    message: 'Calls cannot be recorded right now; try again shortly.',
  },
];

describe('a refusal names the limit that applies:', () => {
  for (const each of cases)
    test(each.name, async () => {
      const { mode = 'prepaid', budgets: set = {} } = each;
      let isWritable = true;
      const { bank } = await bankOf(mode, { isWritable: () => isWritable });
      if (mode === 'prepaid') await posted(bank, { amount: usd(each.balance ?? '100') });
      if (each.spent !== undefined) await spend(bank, call({ ...set, bound: bound(each.spent) }), each.spent);
      if (each.held !== undefined) held(bank, call({ ...set, bound: bound(each.held) }));
      isWritable = each.isWritable ?? true;
      const answer = bank.hold(call({ ...set, bound: bound(each.needs) }));
      assert.ok(answer.refused !== null);
      const error = refusalError(answer, NOON, 'ask for fewer tokens (maxOutput)', accountId(7));
      assert.deepEqual(
        [error.code, error.status, error.retryAfterSeconds, error.message],
        [each.code, each.status ?? 402, each.retryAfterSeconds ?? null, each.message],
      );
      assert.deepEqual(JSON.parse(JSON.stringify(error.facts ?? {})), each.facts ?? {});
    });
});

describe('with several nodes a refusal names what is left in all, which is the same at each:', () => {
  const shares = [
    { available: usd('0.096'), elsewhere: usd('0.1039') },
    { available: usd('0.1039'), elsewhere: usd('0.096') },
    { available: usd('0'), elsewhere: usd('0.1999') },
  ];
  const at = (share: (typeof shares)[number], needed: string, scope: 'key' | 'balance') => {
    const limits = scope === 'key' ? { window: 'day', limit: usd('1') } : { window: null, limit: null };
    const binding = { scope, whole: usd('0.1999'), ...share, ...limits } as Constraint;
    const { code, message, facts } = refusalError(
      shortfall(binding, usd(needed)),
      NOON,
      'ask for fewer tokens (maxOutput)',
      accountId(7),
    );
    return { code, message, available: facts?.['available'] };
  };
  const said = [
    [
      'key',
      '0.5',
      'budget_exceeded',
      /^The daily budget of this key leaves \$0\.1999, and this call may cost up to \$0\.5\. It resets/,
    ],
    ['balance', '0.5', 'insufficient_balance', /too low: this call may cost up to \$0\.5, and \$0\.1999 is left\. /],
    [
      'balance',
      '0.15',
      'balance_reserved',
      /^The balance of this account is held by running calls, at this node and others: this call may cost up to \$0\.15, and \$0\.1999 is left with what they hold\. Try again/,
    ],
  ] as const;
  for (const [scope, needed, expected, words] of said)
    test(`${expected} of a ${scope}`, () => {
      for (const share of shares) {
        const { code, message, available } = at(share, needed, scope);
        assert.equal(code, expected);
        assert.match(message, words);
        if (code !== 'balance_reserved') assert.deepEqual(JSON.stringify({ available }), '{"available":0.1999}');
      }
    });
});

test('unlimited use of a provider’s tools is refused with the field that requests it', () => {
  const [tools, search] = [unlimitedUseError('tools', 'Set max_uses'), unlimitedUseError('enable_search', null)];
  assert.deepEqual([tools.code, tools.param, search.param], ['unsupported_value', 'tools', 'enable_search']);
  assert.match(tools.message, / Set max_uses, or leave the tool out\.$/);
  assert.match(unlimitedUseError('tools', null).message, /\. Leave the tool out\.$/);
  assert.match(search.message, /^"enable_search" makes the provider search/);
});

function usd(text: string): Money {
  return parseUsd(text);
}

function budgets(set: Partial<Pick<HoldRequest, 'keyBudgets' | 'projectBudgets' | 'accountBudgets'>>) {
  return { keyBudgets: undefined, projectBudgets: undefined, accountBudgets: undefined, ...set };
}
