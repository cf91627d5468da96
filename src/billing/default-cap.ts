/**
 * The output cap of a call whose caller set none. Money is held for it, so it is sent, unless the provider is known to apply
 * its own, or answers cost nothing.
 */
import type { Target } from '../catalog/model.ts';
import { ASSUMED_OUTPUT_CAP } from '../core/assumed-limits.ts';
import { dearestLines } from './dearest-lines.ts';

/** The output cap in tokens. With a small window, an assumed cap leaves three quarters for the prompt. */
export function defaultCapOf({ outputCap, contextWindow }: Pick<Target, 'outputCap' | 'contextWindow'>): number {
  if (outputCap !== null) return outputCap;
  return contextWindow === null ? ASSUMED_OUTPUT_CAP : Math.min(ASSUMED_OUTPUT_CAP, Math.ceil(contextWindow / 4));
}

/**
 * The cap to send to `target`; null leaves it to the provider. `lowered` is the cap the bank could hold for, if it is lower.
 */
export function capToSend(target: Target, lowered: number | null): number | null {
  if (lowered !== null) return Math.min(lowered, defaultCapOf(target));
  return target.outputCap === null && answersCost(target) ? defaultCapOf(target) : null;
}

function answersCost({ prices }: Target): boolean {
  return prices !== null && dearestLines(prices, Number.MAX_SAFE_INTEGER).output > 0n;
}
