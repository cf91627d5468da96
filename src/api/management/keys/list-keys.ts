/**
 * Goes through the keys, which may be a million, for those that a question is about: a slice at a time, so that no
 * call waits for whoever looks at a list.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key } from '../../../accounts/keys.ts';
import { GatewayError } from '../../../core/errors.ts';

export interface KeyPage {
  /** Newest first. */
  readonly keys: readonly Key[];
  /** Of all pages. */
  readonly total: number;
  readonly hasMore: boolean;
}

export interface KeyQuestion {
  readonly isMeant: (key: Key) => boolean;
  /** Only keys older than this one are on the page; null for the first page. */
  readonly before: number | null;
  /** How many of those are passed over. */
  readonly offset: number;
  readonly limit: number;
}

/** Some 0.3 ms. */
const SLICE_KEYS = 5000;

export async function pageOfKeys(newestFirst: Iterable<Key>, question: KeyQuestion): Promise<KeyPage> {
  const { isMeant, before, offset, limit } = question;
  const keys: Key[] = [];
  let looked = 0;
  let total = 0;
  let passed = 0;
  for (const key of newestFirst) {
    looked += 1;
    if (looked % SLICE_KEYS === 0) await nextTurn();
    if (!isMeant(key)) continue;
    total += 1;
    if (before !== null && key.id >= before) continue;
    passed += 1;
    if (passed > offset && keys.length < limit) keys.push(key);
  }
  return { keys, total, hasMore: passed > offset + keys.length };
}

/** The id that the last page ended with; null for the first page. Throws `GatewayError` `invalid_value`. */
export function readKeysCursor(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new GatewayError('invalid_value', {
      message: 'cursor is invalid; use the one from the previous page.',
      param: 'cursor',
    });
  return Number(text);
}
