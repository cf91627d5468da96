/**
 * Reads a whole Converse answer into the neutral form.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
import type { ChatResponse } from '../../../chat/response.ts';
import { addWarning, listWarnings } from '../../../chat/warnings.ts';
import { asText, type JsonObject } from '../../../core/json-object.ts';
import { ROUNDED, readWholeAnswer } from '../../kit/answer/read-whole-answer.ts';
import { readUsage } from '../meter/read-usage.ts';
import { readAnswerBlock } from './answer-block.ts';
import { contentOf } from './content-of.ts';
import { isFailure, readFinish } from './finish-reason.ts';

/** Null when the body is not an answer in this format: an error, a page, other JSON, words that Bedrock could not read. Never throws. */
export function readResponse(body: Buffer, object?: JsonObject | null): ChatResponse | null {
  const whole = readWholeAnswer(body, object);
  const answer = whole?.answer ?? null;
  const content = answer === null ? null : contentOf(answer);
  if (answer === null || content === null || isFailure(asText(answer['stopReason']))) return null;
  const warnings = new Set<string>();
  const blocks = content
    .map((block, index) => readAnswerBlock(block, `tooluse_${index}`, warnings))
    .filter((block) => block !== null);
  const calledTools = blocks.some(({ type }) => type === 'tool_call');
  if (whole?.isRounded === true) addWarning(warnings, ROUNDED);
  const finish = readFinish(answer, calledTools);
  const usage = readUsage(answer['usage'])?.usage ?? null;
  return { id: null, blocks, finish, usage, warnings: listWarnings(warnings) };
}
