/** `cache_control` of the whole request: it stands for a mark on the last block that can bear one. */
import type { AssistantBlock, CacheMark, TextBlock, Turn, UserBlock } from '../../../chat/request.ts';

/** The request with the mark in its place; a block that has one of its own keeps that. */
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
