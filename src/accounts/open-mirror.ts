import type { Feed } from '../core/feed.ts';
import { KeyMirror } from './key-mirror.ts';
import { isGood } from './keys.ts';
import type { AccountStore, AccountTopics } from './ports.ts';
import { ScopeMirror } from './scope-mirror.ts';
import type { Pepper } from './secret/pepper.ts';

/**
 * Loads the mirrors at start: of keys, and in it that of projects and accounts. Refuses when there are active keys and none of them was made with this
 * pepper: every caller would be told that a good key is invalid, and the cause is a lost file.
 */
export async function openMirror(
  { store, feed }: { readonly store: AccountStore; readonly feed: Feed<AccountTopics> },
  pepper: Pepper,
  nowMs: number,
): Promise<KeyMirror> {
  const scopes = new ScopeMirror();
  const mirror = new KeyMirror(pepper, scopes);
  // First: what changes while it is read has a higher number than what was read.
  feed.subscribe('account', (account) => scopes.putAccount(account));
  feed.subscribe('project', (project) => scopes.putProject(project));
  feed.subscribe('key', (key) => mirror.put(key));
  await scopes.load(store);
  await mirror.load(store.keys());
  let strangers = 0;
  for (const key of mirror.list()) {
    if (!isGood(key, nowMs)) continue;
    if (key.pepperId === pepper.id) return mirror;
    strangers += 1;
  }
  if (strangers > 0)
    throw new Error(
      `None of the ${strangers} active keys was made with the pepper in use, so no caller could be let in. ` +
        'Put back the file "pepper" of this data folder (or the pepper given in its place).',
    );
  return mirror;
}
