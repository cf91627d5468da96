/**
 * `GET /api/v1/key`: the calling key with its limits and spending, in the fields that OpenRouter's clients read
 * (https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key), and the account's balance. Values that this gateway does not
 * have are zero or null, never a guess.
 */
import type { Key } from '../../accounts/keys.ts';
import type { Limits, Permissions } from '../../accounts/limits.ts';
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import type { Bank } from '../../billing/bank.ts';
import { isoTime } from '../../core/calendar.ts';
import type { Clock } from '../../core/clock.ts';
import { usdLiteral } from '../../core/money.ts';
import { type BudgetState, bindingOf, moneyOfKey, notBelowZero, tightestOfKey } from '../management/keys/budgets.ts';
import { keyMoney } from '../management/keys/key-money.ts';

export interface KeyFacts {
  readonly bank: Pick<Bank, 'mode' | 'money'>;
  readonly scopes: Pick<ScopeMirror, 'project' | 'account'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** For `JSON.stringify`, which writes money as exact numbers. */
export interface KeyInformation {
  readonly data: Readonly<Record<string, unknown>>;
  /** USD, including what running calls hold; null without billing. */
  readonly balance: unknown;
}

/** OpenRouter's clients read -1 as "none"; `limits` has the actual limits. */
const RATE_LIMIT = { requests: -1, interval: '10s', note: 'deprecated: always -1' };

export async function keyInformation(key: Key, facts: KeyFacts): Promise<KeyInformation> {
  const { bank, scopes } = facts;
  const project = scopes.project(key.projectId);
  const account = scopes.account(key.accountId);
  const { ofKey, balance, budgets } = await moneyOfKey(bank.money, key, project, account, facts.clock.now());
  const limit = tightestOfKey(budgets);
  return {
    data: {
      label: key.label,
      name: key.name,
      ...keyMoney(limit, ofKey),
      is_free_tier: false,
      is_management_key: key.kind === 'management',
      is_provisioning_key: key.kind === 'management',
      creator_user_id: key.createdBy,
      expires_at: isoTime(key.expiresAt),
      rate_limit: RATE_LIMIT,
      // Required by the SDK's schema; this gateway has neither regions nor free models with a daily allowance.
      allowed_data_regions: ['global'],
      free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
      organization_id: null,
      workspace_id: null,
      id: key.id,
      project_id: key.projectId,
      account_id: key.accountId,
      created_at: isoTime(key.createdAt),
      // When a rotated key ends; its successor stays good.
      retires_at: isoTime(key.retiringAt),
      limits: { key: limitsOf(key.limits), project: limitsOf(project.limits), account: limitsOf(account.limits) },
      permissions: {
        key: permissionsOf(key.permissions),
        project: permissionsOf(project.permissions),
        account: permissionsOf(account.permissions),
      },
      budgets: budgets.map(writeBudget),
      binding: writeBinding(bindingOf(bank.mode === 'prepaid' ? balance : null, budgets)),
      held: usdLiteral(ofKey.held),
    },
    balance: usdLiteral(balance?.balance ?? null),
  };
}

/** OpenRouter's words. */
function writeBudget(budget: BudgetState): Readonly<Record<string, unknown>> {
  return {
    scope: budget.scope,
    window: budget.window,
    limit: usdLiteral(budget.limit),
    spent: usdLiteral(budget.spent),
    held: usdLiteral(budget.held),
    remaining: usdLiteral(notBelowZero(budget.remaining)),
    resets_at: isoTime(budget.resetsAt),
  };
}

function writeBinding(binding: ReturnType<typeof bindingOf>): unknown {
  if (binding === null) return null;
  return { ...binding, available: usdLiteral(notBelowZero(binding.available)) };
}

/** As they are set; null means unlimited. */
function limitsOf(limits: Limits): Readonly<Record<string, unknown>> {
  return {
    requests_per_minute: limits.requestsPerMinute ?? null,
    requests_per_day: limits.requestsPerDay ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
    concurrent_calls: limits.concurrentCalls ?? null,
    budgets: {
      day: usdLiteral(limits.budgets?.day ?? null),
      week: usdLiteral(limits.budgets?.week ?? null),
      month: usdLiteral(limits.budgets?.month ?? null),
      total: usdLiteral(limits.budgets?.total ?? null),
    },
  };
}

/** Null allows all. The addresses are not listed, so that a thief does not learn where the key works. */
function permissionsOf(permissions: Permissions): Readonly<Record<string, unknown>> {
  return {
    operations: permissions.operations ?? null,
    models_allow: permissions.modelsAllow ?? null,
    models_deny: permissions.modelsDeny ?? null,
    ips_limited: permissions.ips !== undefined,
  };
}
