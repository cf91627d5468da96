/** The prompt in the order in which the real API caches it: tools, system, messages. */
import { isObject, type JsonObject, objectsOf } from '../../core/json-object.ts';
import type { PromptSegment } from '../prompt-cache.ts';
import { blocksOf } from './check-messages.ts';

/** One image counts as 85 tokens, one document as 300. */
const MEDIA_TOKENS: Readonly<Record<string, number>> = { image: 85, document: 300 };

export function readPrompt(body: JsonObject, messages: readonly JsonObject[]): PromptSegment[] {
  const segments: PromptSegment[] = [];
  for (const tool of objectsOf(body['tools'])) {
    const { cache_control: _mark, ...declared } = tool;
    segments.push({ role: 'tools', text: JSON.stringify(declared), mediaTokens: 0, mark: markOf(tool) });
  }
  for (const block of blocksOf({ content: body['system'] })) segments.push(segmentOf('system', block));
  for (const message of messages) {
    for (const block of blocksOf(message)) segments.push(segmentOf(String(message['role']), block));
  }
  return markLast(segments, markOf(body));
}

/** A mark at the top of the body applies to the last block. */
function markLast(segments: PromptSegment[], mark: PromptSegment['mark']): PromptSegment[] {
  const last = segments.at(-1);
  return mark === null || last === undefined ? segments : segments.with(-1, { ...last, mark });
}

function segmentOf(role: string, block: JsonObject): PromptSegment {
  return {
    role,
    text: textOfBlock(block),
    mediaTokens: MEDIA_TOKENS[String(block['type'])] ?? 0,
    mark: markOf(block),
  };
}

/** Thinking of earlier turns does not count. */
function textOfBlock(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return String(block['text']);
    case 'tool_use':
      return `${String(block['name'])} ${JSON.stringify(block['input'])}`;
    case 'tool_result':
      return typeof block['content'] === 'string'
        ? block['content']
        : objectsOf(block['content']).map(textOfBlock).join('\n');
    default:
      return '';
  }
}

function markOf(block: JsonObject): PromptSegment['mark'] {
  const control = block['cache_control'];
  if (!isObject(control)) return null;
  return control['ttl'] === '1h' ? '1h' : '5m';
}
