/** Reads the marks up to which a provider should cache the prompt. */
import type { AssistantBlock, CacheMark, JsonObject, TextBlock, Turn, UserBlock } from '../../../chat/request.ts';
import { isAbsent, isEmpty, requireObject } from '../../kit/request/request-values.ts';

/** A mark only affects the price, so an unknown value causes a warning, not an error. `param` is empty for the whole request. */
export function readCacheMark(block: JsonObject, param: string, warnings: Set<string>): CacheMark | null {
  const value = block['cache_control'];
  if (isAbsent(value)) return null;
  const mark = requireObject(value, param === '' ? 'cache_control' : `${param}.cache_control`);
  const { type, ttl, ...others } = mark;
  if (!Object.values(others).every(isEmpty))
    warnings.add('cache_control supports only type and ttl; the rest was left out');
  if (type !== 'ephemeral' || !(isAbsent(ttl) || ttl === '5m' || ttl === '1h')) {
    warnings.add('a cache_control with an unknown type or ttl was read as ephemeral for 5m');
    return '5m';
  }
  return ttl === '1h' ? '1h' : '5m';
}

/**
 * `cache_control` of the whole request means a mark on the last block that can have one. Returns the request with that mark; a block that
 * already has one keeps it.
 */
export function markLast(
  system: readonly TextBlock[],
  turns: readonly Turn[],
  cache: CacheMark,
): { readonly system: readonly TextBlock[]; readonly turns: readonly Turn[] } {
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index] as Turn;
    const at = (turn.blocks as readonly AnyBlock[]).findLastIndex((block) => 'cache' in block);
    if (at === -1) continue;
    const blocks = marked<AnyBlock>(turn.blocks, at, cache);
    return { system, turns: turns.with(index, { role: turn.role, blocks } as Turn) };
  }
  return { system: system.length === 0 ? system : marked(system, system.length - 1, cache), turns };
}

type AnyBlock = UserBlock | AssistantBlock;

function marked<Block extends AnyBlock>(blocks: readonly Block[], at: number, cache: CacheMark): readonly Block[] {
  const block = blocks[at] as Block;
  return 'cache' in block && block.cache === null ? blocks.with(at, { ...block, cache }) : blocks;
}
