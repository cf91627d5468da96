/** The cache marks of one request, of which the API accepts four: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
import type { CacheMark } from '../../../chat/request.ts';

/** A block or a tool as it will be sent. */
export type WireBlock = Record<string, unknown>;

export class CacheMarks {
  readonly #marked: WireBlock[] = [];

  /** Marks the block if `cache` asks for it. Blocks come in the order of the prompt. */
  mark(block: WireBlock, cache: CacheMark | null): WireBlock {
    if (cache === null) return block;
    // Without `ttl` the API assumes five minutes.
    block['cache_control'] = cache === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
    this.#marked.push(block);
    return block;
  }

  /** Removes the first marks beyond the limit: later ones cover longer prefixes. Returns whether it removed any. */
  limit(): boolean {
    const surplus = this.#marked.slice(0, Math.max(0, this.#marked.length - MARKS_MAX));
    for (const block of surplus) delete block['cache_control'];
    return surplus.length > 0;
  }
}

const MARKS_MAX = 4;
