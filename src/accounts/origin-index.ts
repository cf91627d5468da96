/** Which keys have which origins, so that a preflight is answered without a search through every key. */
import type { KeyId } from '../core/ids.ts';
import { patternsOf } from './origins.ts';

/** Keys that are checked for one answer. Those that are of no use go to the end, so the next answer checks others. */
const CHECKED_MAX = 64;

export class OriginIndex {
  readonly #keys = new Map<string, Set<KeyId>>();

  add(id: KeyId, origins: readonly string[]): void {
    for (const origin of origins) {
      const keys = this.#keys.get(origin);
      if (keys === undefined) this.#keys.set(origin, new Set([id]));
      else keys.add(id);
    }
  }

  delete(id: KeyId, origins: readonly string[]): void {
    for (const origin of origins) {
      const keys = this.#keys.get(origin);
      keys?.delete(id);
      if (keys?.size === 0) this.#keys.delete(origin);
    }
  }

  /** Whether a page of this origin may use some key that `isUsable` accepts. */
  has(origin: string, isUsable: (id: KeyId) => boolean): boolean {
    return patternsOf(origin).some((pattern) => {
      const keys = this.#keys.get(pattern);
      return keys !== undefined && hasOne(keys, isUsable);
    });
  }
}

function hasOne(keys: Set<KeyId>, isUsable: (id: KeyId) => boolean): boolean {
  let left = Math.min(keys.size, CHECKED_MAX);
  for (const id of keys) {
    if (isUsable(id)) return true;
    keys.delete(id);
    keys.add(id);
    left -= 1;
    if (left === 0) return false;
  }
  return false;
}
