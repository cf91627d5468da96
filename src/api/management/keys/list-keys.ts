/** Finds a page of keys among up to a million, in slices, so that listing does not delay calls. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key } from '../../../accounts/keys.ts';
import { GatewayError } from '../../../core/errors.ts';

export interface KeyPage {
  /** Newest first. */
  readonly keys: readonly Key[];
  /** The number on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
}

export interface KeyQuestion {
  readonly matches: (key: Key) => boolean;
  /** Only keys older than this one; null for the first page. */
  readonly before: number | null;
  /** How many of those to skip. */
  readonly offset: number;
  readonly limit: number;
}

/** About 0.3 ms of work. */
const SLICE_KEYS = 5000;

export async function pageOfKeys(newestFirst: Iterable<Key>, question: KeyQuestion): Promise<KeyPage> {
  const { matches, before, offset, limit } = question;
  const keys: Key[] = [];
  let visited = 0;
  let total = 0;
  let passed = 0;
  for (const key of newestFirst) {
    visited += 1;
    if (visited % SLICE_KEYS === 0) await nextTurn();
    if (!matches(key)) continue;
    total += 1;
    if (before !== null && key.id >= before) continue;
    passed += 1;
    if (passed > offset && keys.length < limit) keys.push(key);
  }
  return { keys, total, hasMore: passed > offset + keys.length };
}

/** The last id of the previous page; null for the first page. Throws `GatewayError` `invalid_value`. */
export function readKeysCursor(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new GatewayError('invalid_value', {
      message: 'cursor is invalid; use the one from the previous page.',
      param: 'cursor',
    });
  return Number(text);
}
