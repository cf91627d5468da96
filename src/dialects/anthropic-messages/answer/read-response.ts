/**
 * Reads a provider's whole Messages answer into the neutral form.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import type { ChatResponse } from '../../../chat/response.ts';
import { addWarning, listWarnings } from '../../../chat/warnings.ts';
import { isObject, type JsonObject } from '../../../core/json-object.ts';
import { ROUNDED, readWholeAnswer } from '../../kit/answer/read-whole-answer.ts';
import { UsageReport } from '../meter/read-usage.ts';
import { readAnswerBlock } from './answer-block.ts';
import { readFinish } from './finish-reason.ts';
import { lossesOfMessage } from './losses.ts';

/** Null when the body is not an answer in this format: an error, a page, other JSON. Never throws. */
export function readResponse(body: Buffer, object?: JsonObject | null): ChatResponse | null {
  const whole = readWholeAnswer(body, object);
  const message = whole?.answer ?? null;
  if (message === null || message['type'] === 'error' || !Array.isArray(message['content'])) return null;
  const id = typeof message['id'] === 'string' ? message['id'] : null;
  const warnings = new Set<string>();
  const blocks = message['content']
    .filter(isObject)
    .map((block, index) => readAnswerBlock(block, `${id ?? 'toolu'}_${index}`, warnings))
    .filter((block) => block !== null);
  const usage = new UsageReport();
  usage.readFinal(message['usage']);
  const calledTools = blocks.some(({ type }) => type === 'tool_call');
  for (const loss of lossesOfMessage(message)) addWarning(warnings, loss);
  if (whole?.isRounded === true) addWarning(warnings, ROUNDED);
  const finish = readFinish(message, calledTools);
  return { id, blocks, finish, usage: usage.usage(), warnings: listWarnings(warnings) };
}
