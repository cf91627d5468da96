/** What one call has to do with the response cache. */
import type { Model } from '../../catalog/model.ts';
import type { CacheWish } from '../../response-cache/cache-wish.ts';
import type { KeptAnswer } from '../../response-cache/kept-answer.ts';
import type { Recording } from '../../response-cache/recording.ts';
import type { Found } from '../../response-cache/response-cache.ts';

export interface CacheUse {
  readonly wish: CacheWish;
  /** The digest of its request; null if no answer to it may be kept. */
  readonly key: string | null;
  /** How its answer is sent. */
  readonly form: string;
  /** The model that its request was found to name. */
  readonly model: Model;
  /** An answer that was kept when its request arrived. */
  found: Found | null;
  /** Set while its own answer is recorded. */
  recording: Recording | null;
  /** Set once it is answered from the cache. */
  answer: KeptAnswer | null;
}

/** The headers that say what the cache did. */
export function cacheHeaders({ wish, answer }: CacheUse): readonly string[] {
  const isHit = answer !== null;
  const headers = ['x-turnpike-cache', isHit ? 'hit' : 'miss'];
  if (wish.isOpenRouters) headers.push('x-openrouter-cache-status', isHit ? 'HIT' : 'MISS');
  return headers;
}
