/** A whole answer as the events of a stream: the reverse of `gatherBlocks`. */
import type { AnswerBlock, ChatEvent, ChatResponse } from '../../../chat/response.ts';
import { argumentsText } from './tool-input.ts';

/** In the order that a reader promises. */
export function answerEvents({ id, blocks, finish, usage }: ChatResponse): readonly ChatEvent[] {
  return [
    { type: 'start', id, usage },
    ...blocks.flatMap(blockEvents),
    { type: 'finish', finish },
    { type: 'end', usage },
  ];
}

function blockEvents(block: AnswerBlock): readonly ChatEvent[] {
  switch (block.type) {
    case 'text':
      return [
        { type: 'block_start', block: { type: 'text' } },
        { type: 'text', text: block.text },
        ...block.citations.map((citation) => ({ type: 'citation', citation }) as const),
        { type: 'block_end' },
      ];
    case 'refusal':
      return [
        { type: 'block_start', block: { type: 'refusal' } },
        { type: 'text', text: block.text },
        { type: 'block_end' },
      ];
    case 'image':
      return [{ type: 'block_start', block }, { type: 'block_end' }];
    case 'tool_call':
      return [
        { type: 'block_start', block: { type: 'tool_call', id: block.id, name: block.name } },
        { type: 'arguments', json: argumentsText(block.input) },
        { type: 'block_end' },
      ];
    case 'reasoning': {
      const { text, signature, origin, ...rest } = block;
      const ends: ChatEvent[] = signature === null ? [] : [{ type: 'signature', signature, origin }];
      const begins: ChatEvent = { type: 'block_start', block: { ...rest, origin } };
      return [begins, ...(text === '' ? [] : [{ type: 'reasoning', text } as const]), ...ends, { type: 'block_end' }];
    }
  }
}
