/**
 * Writes a whole answer for a caller of the Messages API.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import type { ChatResponse } from '../../../chat/response.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { WireIds } from '../../kit/request/wire-ids.ts';
import { writeAnswerBlock } from './answer-block.ts';
import { writeFinish } from './finish-reason.ts';
import { writeUsage } from './write-usage.ts';

export function writeResponse(response: ChatResponse, context: WriteContext): Buffer {
  const { blocks, finish, usage } = response;
  const ids = new WireIds();
  const content = blocks.map((block) => writeAnswerBlock(block, ids, context)).filter((block) => block !== null);
  const stop = writeFinish(finish, {
    calledTools: blocks.some(({ type }) => type === 'tool_call'),
    refused: blocks.some(({ type }) => type === 'refusal'),
  });
  return Buffer.from(
    JSON.stringify({
      id: `msg_${context.id}`,
      type: 'message',
      role: 'assistant',
      model: context.callerModel,
      content,
      stop_details: null,
      ...stop,
      usage: writeUsage(usage),
    }),
  );
}
