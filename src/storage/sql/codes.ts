/**
 * Small integers that represent the words of closed lists in rows that are kept for ever. A
 * number never changes its meaning; new words get new numbers.
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
  cache: 3,
} as const satisfies Record<UsageSource, number>;

/** The ending with this code. */
export const endingOf = reader<Ending>(endingCodes, 'ending');
/** The usage source with this code. */
export const usageSourceOf = reader<UsageSource>(usageSourceCodes, 'usage source');

function reader<Word extends string>(codes: Record<Word, number>, what: string): (code: number) => Word {
  const words = new Map(Object.entries<number>(codes).map(([word, code]) => [code, word as Word]));
  return (code) => {
    const word = words.get(code);
    assert(word !== undefined, `${code} is not the code of any ${what} this version knows`);
    return word;
  };
}
