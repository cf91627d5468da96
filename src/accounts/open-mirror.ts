import type { Feed } from '../core/feed.ts';
import { KeyMirror } from './key-mirror.ts';
import { isGood } from './keys.ts';
import type { AccountStore, AccountTopics } from './ports.ts';
import { ScopeMirror } from './scope-mirror.ts';
import type { Pepper } from './secret/pepper.ts';

/**
 * Loads the key mirror at start, with its mirror of projects and accounts. Throws if there are active keys and none of them was made with
 * this pepper: the pepper file was lost, and every caller would get 401 for a good key.
 */
export async function openMirror(
  { store, feed }: { readonly store: AccountStore; readonly feed: Feed<AccountTopics> },
  pepper: Pepper,
  nowMs: number,
): Promise<KeyMirror> {
  const scopes = new ScopeMirror();
  const mirror = new KeyMirror(pepper, scopes);
  // Subscribe first: a change made during loading has a higher number than the row that was read.
  feed.subscribe('account', (account) => scopes.putAccount(account));
  feed.subscribe('project', (project) => scopes.putProject(project));
  feed.subscribe('key', (key) => mirror.put(key));
  await scopes.load(store);
  await mirror.load(store.keys());
  let foreignKeys = 0;
  for (const key of mirror.list()) {
    if (!isGood(key, nowMs)) continue;
    if (key.pepperId === pepper.id) return mirror;
    foreignKeys += 1;
  }
  if (foreignKeys > 0)
    throw new Error(
      `None of the ${foreignKeys} active keys was created with the current pepper, so every caller would be rejected. ` +
        'Restore the file "pepper" of this data folder (or the configured pepper).',
    );
  return mirror;
}
