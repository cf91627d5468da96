/** The limits that apply to a target, known or assumed, to be shown before a call. */
import type { Target } from '../catalog/model.ts';
import { ASSUMED_WINDOW } from '../core/assumed-limits.ts';
import { capToSend, defaultCapOf } from './default-cap.ts';

export interface LimitsInEffect {
  /** Tokens. */
  readonly contextWindow: number;
  readonly isWindowAssumed: boolean;
  /** The cap in tokens if the caller sets none; null if there is none, because answers cost nothing. */
  readonly outputCap: number | null;
  readonly isCapAssumed: boolean;
}

export function limitsInEffect(target: Target): LimitsInEffect {
  const { contextWindow, outputCap } = target;
  const isCapped = outputCap !== null || capToSend(target, null) !== null;
  return {
    contextWindow: contextWindow ?? ASSUMED_WINDOW,
    isWindowAssumed: contextWindow === null,
    outputCap: isCapped ? defaultCapOf(target) : null,
    isCapAssumed: isCapped && outputCap === null,
  };
}
