/**
 * The output cap of a call whose caller gave none. It is held for, so it is sent, unless the provider is known to keep one
 * of its own, or answers cost nothing.
 */
import type { Target } from '../catalog/model.ts';
import { ASSUMED_OUTPUT_CAP } from '../core/assumed-limits.ts';
import { dearestLines } from './dearest-lines.ts';

/** The most tokens of an answer, in tokens; of a small window an assumed cap leaves the prompt three quarters. */
export function defaultCapOf({ outputCap, contextWindow }: Pick<Target, 'outputCap' | 'contextWindow'>): number {
  if (outputCap !== null) return outputCap;
  return contextWindow === null ? ASSUMED_OUTPUT_CAP : Math.min(ASSUMED_OUTPUT_CAP, Math.ceil(contextWindow / 4));
}

/** What is to be sent to `target`, `lowered` being what the bank could hold for where that is less; null leaves it to the provider. */
export function capToSend(target: Target, lowered: number | null): number | null {
  if (lowered !== null) return Math.min(lowered, defaultCapOf(target));
  return target.outputCap === null && answersCost(target) ? defaultCapOf(target) : null;
}

function answersCost({ prices }: Target): boolean {
  return prices !== null && dearestLines(prices, Number.MAX_SAFE_INTEGER).output > 0n;
}
