import { KeyMirror } from './key-mirror.ts';
import { keyStatus } from './keys.ts';
import type { Pepper } from './pepper.ts';
import type { AccountStore } from './ports.ts';

/**
 * Loads the mirror at start. Refuses when there are active keys and none of them was made with this
 * pepper: every caller would be told that a good key is invalid, and the cause is a lost file.
 */
export async function openMirror(store: AccountStore, pepper: Pepper, nowMs: number): Promise<KeyMirror> {
  const mirror = new KeyMirror(pepper);
  await mirror.load(store.keys());
  let strangers = 0;
  for (const key of mirror.list()) {
    if (keyStatus(key, nowMs) !== 'active') continue;
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
