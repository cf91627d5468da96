/** Whether the balance and the budgets cover what a candidate may cost. Nothing is held. */
import type { Bank } from '../../billing/bank.ts';
import type { Bound } from '../../billing/bound.ts';
import type { PicoUsd } from '../../core/money.ts';
import type { Routed } from '../phases.ts';
import { holdRequest } from './hold-request.ts';

/** With the cap that the caller set, or, if the bank may set one, with the lowest that it would. */
export function isCovered(bank: Pick<Bank, 'checkAffordable'>, call: Routed, bound: Bound | null): boolean {
  if (bound === null) return true;
  const needed = bound.mayLower ? bound : { ...bound, fixed: fixedAt(bound), perOutputToken: 0n as PicoUsd };
  return bank.checkAffordable(holdRequest(call, null), [needed]) === null;
}

function fixedAt({ fixed, perOutputToken, outputCap }: Bound): PicoUsd {
  return (fixed + perOutputToken * BigInt(outputCap)) as PicoUsd;
}
