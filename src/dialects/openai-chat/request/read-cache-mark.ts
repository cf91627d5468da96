/** Reads the marks up to which a provider should cache the prompt. */

import type { CacheMark } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { isAbsent, readObject, readWord } from '../../kit/request/request-values.ts';

/**
 * Anthropic's and OpenRouter's `cache_control`, or OpenAI's explicit `prompt_cache_breakpoint`, which has no duration.
 * https://openrouter.ai/docs/features/prompt-caching
 */
export function readCacheMark(holder: JsonObject, path: string): CacheMark | null {
  if (!isAbsent(holder['prompt_cache_breakpoint'])) return '5m';
  if (isAbsent(holder['cache_control'])) return null;
  const control = readObject(holder['cache_control'], `${path}cache_control`);
  readWord(control['type'], `${path}cache_control.type`, ['ephemeral']);
  return isAbsent(control['ttl']) ? '5m' : readWord(control['ttl'], `${path}cache_control.ttl`, ['5m', '1h']);
}

/** Sets the mark on the last block that can have one; returns whether there was such a block. */
export function markLast(blocks: { readonly type: string }[], cache: CacheMark | null): boolean {
  if (cache === null) return false;
  const at = blocks.findLastIndex(({ type }) => type !== 'reasoning' && type !== 'refusal');
  const last = blocks[at];
  if (last === undefined) return false;
  blocks[at] = Object.assign({ ...last }, { cache });
  return true;
}
