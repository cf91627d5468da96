/**
 * Reads a whole `generateContent` answer into the neutral form, by the same rules as a stream.
 *
 * https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse
 */
import type { ChatResponse } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asText, type JsonObject } from '../../../core/json-object.ts';
import { gatherBlocks, gatherWarnings } from '../../kit/answer/gather-blocks.ts';
import { ROUNDED, readWholeAnswer } from '../../kit/answer/read-whole-answer.ts';
import { isAnswer, UsageReport } from '../meter/read-usage.ts';
import { BlockOrder } from './block-order.ts';
import { isFailure, type ReportedFinish, readFinish } from './finish-reason.ts';
import { ID_LENGTH_MAX, readCandidate } from './read-candidate.ts';

/** Null when the body is not an answer in this format, an error instead of one, or one that breaks off in a call. Never throws. */
export function readResponse(body: Buffer, object?: JsonObject | null): ChatResponse | null {
  const whole = readWholeAnswer(body, object);
  if (whole === null || !isAnswer(whole.answer)) return null;
  const blocks = new BlockOrder();
  const reported = readAll(whole.answer, blocks);
  if (reported === undefined || (reported !== null && isFailure(reported))) return null;
  if (whole.isRounded) blocks.warn(ROUNDED);
  const events = blocks.take();
  const usage = new UsageReport();
  usage.read(whole.answer);
  return {
    id: asText(whole.answer['responseId'])?.slice(0, ID_LENGTH_MAX) ?? null,
    blocks: gatherBlocks(events),
    finish: readFinish(reported, blocks.sawCall),
    usage: usage.usage(),
    warnings: gatherWarnings(events),
  };
}

/** Undefined if a part cannot be read. */
function readAll(answer: JsonObject, blocks: BlockOrder): ReportedFinish | null | undefined {
  try {
    const reported = readCandidate(answer, blocks);
    blocks.close();
    return reported;
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
