/**
 * Reads a whole answer into the neutral form, by the same rules as a stream: each item is one that ends as it begins.
 *
 * https://platform.openai.com/docs/api-reference/responses/object
 */
import type { ChatResponse } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asText, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import { gatherBlocks, gatherWarnings } from '../../kit/answer/gather-blocks.ts';
import { ROUNDED, readWholeAnswer } from '../../kit/answer/read-whole-answer.ts';
import { readUsage } from '../meter/read-usage.ts';
import { type Quirks, usualQuirks } from '../quirks.ts';
import { BlockOrder } from './block-order.ts';
import { isFailed, readFinish } from './finish-reason.ts';

/** Null when the body is not an answer in this format, or an error instead of one. Never throws. */
export function readResponse(
  body: Buffer,
  object?: JsonObject | null,
  { thoughtOrigin }: Quirks = usualQuirks,
): ChatResponse | null {
  const whole = readWholeAnswer(body, object);
  if (whole === null || !Array.isArray(whole.answer['output']) || isFailed(whole.answer)) return null;
  const { answer } = whole;
  const blocks = new BlockOrder(thoughtOrigin);
  try {
    for (const [order, item] of objectsOf(answer['output']).entries()) blocks.doneInOrder(order, item);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
  if (whole.isRounded) blocks.warn(ROUNDED);
  const events = blocks.take();
  const reading = readUsage(answer);
  return {
    id: asText(answer['id'])?.slice(0, ID_LENGTH_MAX) ?? null,
    blocks: gatherBlocks(events),
    finish: readFinish(answer, blocks),
    usage: reading === null || reading.reported === 'none' ? null : reading.usage,
    warnings: gatherWarnings(events),
  };
}

const ID_LENGTH_MAX = 256;
