/**
 * What an operator states of a provider's service, because no vendor's API says it, and it depends on the contract: whether it collects what
 * it is sent (keeps it for longer than the call needs, and may train on it), and whether it keeps nothing at all.
 * https://openrouter.ai/docs/guides/routing/provider-selection has the same words.
 */
import type { Quantization } from '../core/routing/quantization.ts';

/** Null, or absent: not stated. */
export interface StatedFacts {
  readonly dataCollection?: 'allow' | 'deny' | null;
  readonly zeroDataRetention?: boolean | null;
  /** Of all its models of which nothing else is stated. */
  readonly quantization?: Quantization | null;
}

/** Null: not known. */
export interface ServiceFacts {
  readonly collectsData: boolean | null;
  readonly retainsData: boolean | null;
  readonly quantization: Quantization | null;
}

/** Who retains nothing collects nothing. */
export function serviceFacts({ dataCollection, zeroDataRetention, quantization }: StatedFacts): ServiceFacts {
  const retainsData = zeroDataRetention == null ? null : !zeroDataRetention;
  const collectsData = dataCollection == null ? (retainsData === false ? false : null) : dataCollection === 'allow';
  return { collectsData, retainsData, quantization: quantization ?? null };
}

/** Null if the facts can all be true. */
export function contradictionIn({ dataCollection, zeroDataRetention }: StatedFacts): string | null {
  return dataCollection === 'allow' && zeroDataRetention === true
    ? 'has both dataCollection "allow" and zeroDataRetention; keep one'
    : null;
}
