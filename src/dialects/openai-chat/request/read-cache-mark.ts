/** Reads the marks up to which a provider should cache the prompt. */

import type { CacheMark } from '../../../chat/request.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { isAbsent, readObject, readWord } from '../../kit/request/request-values.ts';
import { warnOfUnknown } from './unknown-fields.ts';

/**
 * Anthropic's and OpenRouter's `cache_control`, or OpenAI's explicit `prompt_cache_breakpoint`, which has no duration.
 * https://openrouter.ai/docs/features/prompt-caching
 */
export function readCacheMark(holder: JsonObject, path: string, warnings: Set<string>): CacheMark | null {
  if (isAbsent(holder['cache_control'])) return readBreakpoint(holder['prompt_cache_breakpoint'], warnings);
  const control = readObject(holder['cache_control'], `${path}cache_control`);
  warnOfUnknown(control, KNOWN_FIELDS, 'cache_control.', warnings);
  readWord(control['type'], `${path}cache_control.type`, ['ephemeral']);
  return isAbsent(control['ttl']) ? '5m' : readWord(control['ttl'], `${path}cache_control.ttl`, ['5m', '1h']);
}

function readBreakpoint(value: unknown, warnings: Set<string>): CacheMark | null {
  if (isAbsent(value)) return null;
  warnOfUnknown(asObject(value) ?? {}, KNOWN_IN_BREAKPOINT, 'prompt_cache_breakpoint.', warnings);
  return '5m';
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['type', 'ttl']);
const KNOWN_IN_BREAKPOINT: ReadonlySet<string> = new Set(['mode']);

/** Sets the mark on the last block that can have one; returns whether there was such a block. */
export function markLast(blocks: { readonly type: string }[], cache: CacheMark | null): boolean {
  if (cache === null) return false;
  const at = blocks.findLastIndex(({ type }) => type !== 'reasoning' && type !== 'refusal');
  const last = blocks[at];
  if (last === undefined) return false;
  blocks[at] = Object.assign({ ...last }, { cache });
  return true;
}
