/**
 * Words of a closed list, as the small integers that stand for them in rows kept for ever. A
 * number once given keeps its meaning; new words get new numbers.
 */
import { assert } from '../../core/assert.ts';
import type { Ending } from '../../core/settlement.ts';
import type { UsageSource } from '../../core/usage.ts';

export const endingCodes = {
  complete: 1,
  empty: 2,
  caller_left: 3,
  caller_slow: 4,
  upstream_failed: 5,
  upstream_timeout: 6,
  refused_upstream: 7,
  drained: 8,
  gateway_failed: 9,
  key_cut: 10,
  gateway_crashed: 11,
} as const satisfies Record<Ending, number>;

export const usageSourceCodes = {
  none: 0,
  reported: 1,
  estimated: 2,
} as const satisfies Record<UsageSource, number>;

/** The ending a number stands for. */
export const endingOf = reader<Ending>(endingCodes, 'ending');
/** The usage source a number stands for. */
export const usageSourceOf = reader<UsageSource>(usageSourceCodes, 'usage source');

function reader<Word extends string>(codes: Record<Word, number>, what: string): (code: number) => Word {
  const words = new Map(Object.entries<number>(codes).map(([word, code]) => [code, word as Word]));
  return (code) => {
    const word = words.get(code);
    assert(word !== undefined, `${code} stands for no ${what} this version knows`);
    return word;
  };
}
