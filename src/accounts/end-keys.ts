/** Ends many keys: a few in a transaction, each with what is noted of it, so that calls go on in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import type { Transactions } from '../core/transactions.ts';
import { isRetiring, predecessorsIn } from './key-chain.ts';
import type { Key } from './keys.ts';
import type { AccountStore, KeyChanges, KeysPage } from './ports.ts';

/** Asked within the transaction of each key that ends. */
export type NoteKey = (before: Key, after: Key) => Promise<void>;

export interface Ending {
  isMeant(key: Key): boolean;
  change(key: Key): KeyChanges;
  /** Whether calls that run on it are cut. */
  readonly isCut: boolean;
  isEnded(key: Key): boolean;
  readonly note?: NoteKey | undefined;
}

interface EndKeysParts {
  readonly store: Pick<AccountStore, 'changeKey' | 'cutCalls' | 'keysOfRoot'>;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** So many are looked at in a transaction: some milliseconds. */
const KEYS_AT_ONCE = 10;

/**
 * Ends those that are found and meant, with what is still good of their earlier secrets. Gives them as they were, in order of id. What an error
 * or a crash leaves is found by asking again.
 */
export async function endKeys(
  parts: EndKeysParts,
  find: (page: KeysPage) => Promise<readonly Key[]>,
  ending: Ending,
): Promise<readonly Key[]> {
  const { transactions } = parts;
  assert(!transactions.isOpen, 'many keys end in transactions of their own');
  const ended = new Map<Key['id'], Key>();
  for (let after = 0; ; ) {
    const page = { after, limit: KEYS_AT_ONCE };
    const { found, changed } = await transactions.run(async () => {
      const found = await find(page);
      const changed: Key[] = [];
      for (const key of found) changed.push(...(await endOne(parts, key, ending)));
      return { found, changed };
    });
    for (const key of changed) ended.set(key.id, key);
    if (found.length < KEYS_AT_ONCE) break;
    after = found.at(-1)?.id ?? after;
    await nextTurn();
  }
  return [...ended.values()].sort((one, other) => one.id - other.id);
}

async function endOne({ store, clock }: EndKeysParts, found: Key, ending: Ending): Promise<readonly Key[]> {
  if (!ending.isMeant(found)) return [];
  const earlier = found.rootId === found.id ? [] : predecessorsIn(await store.keysOfRoot(found.rootId), found);
  const before: Key[] = [];
  for (const key of [...earlier.filter((each) => isRetiring(each, clock.now())), found]) {
    const changed = await store.changeKey(key.id, (standing) =>
      ending.isEnded(standing) ? {} : ending.change(standing),
    );
    if (changed === null || changed.before === changed.after) continue;
    if (ending.isCut) await store.cutCalls(key.id);
    await ending.note?.(changed.before, changed.after);
    before.push(changed.before);
  }
  return before;
}
