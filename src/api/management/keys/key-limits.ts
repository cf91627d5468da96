/** The current limits of a key, and the one that stops a call first. */
import type * as z from 'zod';
import type { Key } from '../../../accounts/keys.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import type { Bank } from '../../../billing/bank.ts';
import { isoTime } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import { usdLiteral } from '../../../core/money.ts';
import type { Limiter } from '../../../limits/limiter.ts';
import type { RateName } from '../../../limits/rate-limits.ts';
import type { keyRoutes } from '../../contract/keys.ts';
import { bindingOf, moneyOfKey, notBelowZero } from './budgets.ts';

export interface LimitFacts {
  readonly scopes: Pick<ScopeMirror, 'project' | 'account'>;
  readonly bank: Pick<Bank, 'mode' | 'money'>;
  readonly limiter: Pick<Limiter, 'readings'>;
  readonly clock: Pick<Clock, 'now'>;
}

type KeyLimits = z.input<typeof keyRoutes.readKeyLimits.answer>['data'];

export async function describeKeyLimits({ scopes, bank, limiter, clock }: LimitFacts, key: Key): Promise<KeyLimits> {
  const project = scopes.project(key.projectId);
  const account = scopes.account(key.accountId);
  const { balance, budgets } = await moneyOfKey(bank.money, key, project, account, clock.now());
  const binding = bindingOf(bank.mode === 'prepaid' ? balance : null, budgets);
  const readings = limiter.readings(
    { id: key.rootId, limits: key.limits },
    { id: project.id, limits: project.limits },
    { id: account.id, limits: account.limits },
  );
  return {
    budgets: budgets.map(({ scope, window, limit, spent, held, remaining, resetsAt }) => ({
      scope,
      window,
      limit: usdLiteral(limit),
      spent: usdLiteral(spent),
      held: usdLiteral(held),
      remaining: usdLiteral(notBelowZero(remaining)),
      resets_at: resetsAt === null ? null : isoTime(resetsAt),
    })),
    rates: readings.map(({ scope, name, limit, remaining }) => ({
      scope,
      kind: KINDS[name],
      limit,
      used: limit - remaining,
    })),
    binding:
      binding === null
        ? null
        : {
            kind: binding.scope === 'balance' ? 'balance' : 'budget',
            scope: binding.scope === 'balance' ? 'account' : binding.scope,
            window: binding.window,
            available: usdLiteral(notBelowZero(binding.available)),
          },
  };
}

const KINDS = {
  requestsPerMinute: 'requests_per_minute',
  requestsPerDay: 'requests_per_day',
  tokensPerMinute: 'tokens_per_minute',
  concurrentCalls: 'concurrent_calls',
} as const satisfies Record<RateName, string>;
