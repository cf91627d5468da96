/** Revokes or disables many keys, a few per transaction with their audit entries, so that calls are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import type { Transactions } from '../core/transactions.ts';
import { isRetiring, predecessorsIn } from './key-chain.ts';
import type { Key } from './keys.ts';
import type { AccountStore, KeyChanges, KeysPage } from './ports.ts';

/** Called within the transaction of each key that ends. */
export type NoteKey = (before: Key, after: Key) => Promise<void>;

export interface Ending {
  matches(key: Key): boolean;
  change(key: Key): KeyChanges;
  /** Whether running calls of the key are cut. */
  readonly isCut: boolean;
  isEnded(key: Key): boolean;
  readonly note?: NoteKey | undefined;
}

interface EndKeysParts {
  readonly store: Pick<AccountStore, 'changeKey' | 'cutCalls' | 'keysOfRoot'>;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** Keys read per transaction: some milliseconds. */
const KEYS_PER_TRANSACTION = 10;

/**
 * Ends the keys found that are meant, and their earlier secrets that are still good. Returns them as they were before, in order of id.
 * After an error or a crash, calling it again ends the rest.
 */
export async function endKeys(
  parts: EndKeysParts,
  find: (page: KeysPage) => Promise<readonly Key[]>,
  ending: Ending,
): Promise<readonly Key[]> {
  const { transactions } = parts;
  assert(!transactions.isOpen, 'many keys end in their own transactions');
  const ended = new Map<Key['id'], Key>();
  for (let after = 0; ; ) {
    const page = { after, limit: KEYS_PER_TRANSACTION };
    const { found, changed } = await transactions.run(async () => {
      const found = await find(page);
      const changed: Key[] = [];
      for (const key of found) changed.push(...(await endOne(parts, key, ending)));
      return { found, changed };
    });
    for (const key of changed) ended.set(key.id, key);
    if (found.length < KEYS_PER_TRANSACTION) break;
    after = found.at(-1)?.id ?? after;
    await nextTurn();
  }
  return [...ended.values()].sort((one, other) => one.id - other.id);
}

async function endOne({ store, clock }: EndKeysParts, found: Key, ending: Ending): Promise<readonly Key[]> {
  if (!ending.matches(found)) return [];
  const earlier = found.rootId === found.id ? [] : predecessorsIn(await store.keysOfRoot(found.rootId), found);
  const before: Key[] = [];
  for (const key of [...earlier.filter((each) => isRetiring(each, clock.now())), found]) {
    const changed = await store.changeKey(key.id, (current) => (ending.isEnded(current) ? {} : ending.change(current)));
    if (changed === null || changed.before === changed.after) continue;
    if (ending.isCut) await store.cutCalls(key.id);
    await ending.note?.(changed.before, changed.after);
    before.push(changed.before);
  }
  return before;
}
