/** Writes a whole answer: https://platform.openai.com/docs/api-reference/responses/object */
import type { AnswerBlock, ChatEvent, ChatResponse } from '../../../chat/response.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { argumentsText } from '../../kit/answer/tool-input.ts';
import { AnswerItems } from './answer-items.ts';
import { AnswerObject } from './answer-object.ts';
import { writeFinish } from './finish-reason.ts';
import { addLossesOfFinish } from './losses.ts';
import { writeUsage } from './write-usage.ts';

/** The body. `usage` is null if the provider reported none. */
export function writeResponse(response: ChatResponse, context: WriteContext): Buffer {
  const { blocks, finish, usage } = response;
  const items = new AnswerItems(context);
  for (const block of blocks) for (const event of eventsOf(block)) items.event(event);
  const end = writeFinish(finish.reason, items.hasRefusal);
  items.close(end.status);
  addLossesOfFinish(finish, context.warnings);
  const state = { ...end, error: null, output: items.output, usage: usage && writeUsage(usage, context.cost()) };
  return Buffer.from(new AnswerObject(context).write(state));
}

/** A block as a stream would bring it. */
function eventsOf(block: AnswerBlock): readonly ChatEvent[] {
  switch (block.type) {
    case 'text': {
      const citations = block.citations.map((citation): ChatEvent => ({ type: 'citation', citation }));
      return [{ type: 'block_start', block }, { type: 'text', text: block.text }, ...citations, END];
    }
    case 'refusal':
      return [{ type: 'block_start', block }, { type: 'text', text: block.text }, END];
    case 'image':
      return [{ type: 'block_start', block }, END];
    case 'tool_call':
      return [{ type: 'block_start', block }, { type: 'arguments', json: argumentsText(block.input) }, END];
    case 'reasoning': {
      const { signature, origin } = block;
      const signed: ChatEvent[] = signature === null ? [] : [{ type: 'signature', signature, origin }];
      return [{ type: 'block_start', block }, { type: 'reasoning', text: block.text }, ...signed, END];
    }
  }
}

const END: ChatEvent = { type: 'block_end' };
