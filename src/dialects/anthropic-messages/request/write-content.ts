/** The content blocks of turns for the Messages API: https://docs.anthropic.com/en/api/messages */
import type { AssistantBlock, ReasoningBlock, TextBlock, ToolResultBlock, UserBlock } from '../../../chat/request.ts';
import { FOREIGN_THOUGHTS } from '../../kit/answer/left-out-thoughts.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { isOwnThought, isSet } from '../../kit/request/claude-thinking.ts';
import type { WireIds } from '../../kit/request/wire-ids.ts';
import type { CacheMarks, WireBlock } from './cache-marks.ts';
import { writeDocument, writeImage } from './write-media.ts';

/** Blank blocks are a 400 at the API, so they are not written, whatever their origin. */
export function writeTextBlocks(blocks: readonly TextBlock[], marks: CacheMarks): WireBlock[] {
  return blocks.flatMap((block) => writeText(block.text, marks, block.cache));
}

/** Throws `GatewayError` 400 for audio. */
export function writeUserBlock(block: UserBlock, ids: WireIds, marks: CacheMarks): WireBlock[] {
  switch (block.type) {
    case 'text':
      return writeText(block.text, marks, block.cache);
    case 'image':
      return [marks.mark(writeImage(block), block.cache)];
    case 'document':
      return [marks.mark(writeDocument(block), block.cache)];
    case 'tool_result':
      return [writeToolResult(block, ids, marks)];
    case 'audio':
      throw unsupported('messages', 'This model does not support audio.');
    case 'video':
      throw unsupported('messages', 'This model does not support video.');
  }
}

export function writeAssistantBlock(
  block: AssistantBlock,
  ids: WireIds,
  marks: CacheMarks,
  warnings: Set<string>,
): WireBlock[] {
  switch (block.type) {
    case 'text':
      return writeText(block.text, marks, block.cache);
    case 'refusal':
      return writeText(block.text, marks, null);
    case 'reasoning':
      return writeReasoning(block, warnings);
    case 'tool_call': {
      const { input, cache } = block;
      return [marks.mark({ type: 'tool_use', id: ids.call(block.id), name: wireName(block.name), input }, cache)];
    }
  }
}

/** Whether `writeAssistantBlock` writes anything for it. */
export function leavesSomething(block: AssistantBlock): boolean {
  if (block.type === 'reasoning') return isOwnThought(block);
  return block.type === 'tool_call' || block.text.trim() !== '';
}

/** A name the API accepts. Earlier calls may have invalid names: models make them up. */
export function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, TOOL_NAME_LENGTH_MAX) || '_';
}

export const TOOL_NAME_LENGTH_MAX = 128;

function writeText(text: string, marks: CacheMarks, cache: TextBlock['cache']): WireBlock[] {
  return text.trim() === '' ? [] : [marks.mark({ type: 'text', text }, cache)];
}

/** Without a mark: the API accepts none on thinking. */
function writeReasoning(block: ReasoningBlock, warnings: Set<string>): WireBlock[] {
  if (!isOwnThought(block)) {
    warnings.add(FOREIGN_THOUGHTS);
    return [];
  }
  if (isSet(block.encrypted)) return [{ type: 'redacted_thinking', data: block.encrypted }];
  return [{ type: 'thinking', thinking: block.text, signature: block.signature }];
}

function writeToolResult(block: ToolResultBlock, ids: WireIds, marks: CacheMarks): WireBlock {
  // A result is marked as a whole; the API also takes marks within it, and they count in the order of the prompt.
  const content = block.content.flatMap((part) => writeUserBlock(part, ids, marks));
  const result: WireBlock = { type: 'tool_result', tool_use_id: ids.result(block.callId) };
  if (content.length > 0) result['content'] = content;
  if (block.isError) result['is_error'] = true;
  return marks.mark(result, block.cache);
}
