/**
 * Reads a whole chat completion into the neutral form, by the same rules as a stream: its message is
 * one large delta.
 *
 * https://platform.openai.com/docs/api-reference/chat/object
 */
import type { ChatEvent, ChatResponse } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { gatherBlocks, gatherWarnings } from '../../kit/answer/gather-blocks.ts';
import { ROUNDED, readWholeAnswer } from '../../kit/answer/read-whole-answer.ts';
import { holdsError } from '../errors/read-answer-error.ts';
import { findUsage, readUsage } from '../meter/read-usage.ts';
import { BlockOrder } from './block-order.ts';
import { findFinish, isFailure, readFinish } from './finish-reason.ts';
import { addLossesOfAnswer, OTHER_CHOICES } from './losses.ts';
import { readPieces } from './read-pieces.ts';

/** Null when the body is not an answer in this format, or an error instead of one. Never throws. */
export function readResponse(body: Buffer, object?: JsonObject | null): ChatResponse | null {
  const whole = readWholeAnswer(body, object);
  if (whole === null || holdsError(whole.answer)) return null;
  const { answer } = whole;
  const choices = answer['choices'];
  if (!Array.isArray(choices)) return null;
  // Without any choice it may still have usage.
  const choice = choices.length === 0 ? NO_CHOICE : asObject(choices[0]);
  const message = asObject(choice?.['message']);
  if (choice === null || message === null || holdsError(choice)) return null;
  const reported = findFinish(choice);
  if (reported !== null && isFailure(reported)) return null;
  const blocks = new BlockOrder(true);
  const events = eventsOf(message, blocks);
  if (events === null) return null;
  if (choices.length > 1) events.push(OTHER_CHOICES);
  addLossesOfAnswer(answer, events);
  if (whole.isRounded) events.push({ type: 'warning', text: ROUNDED });
  const reading = readUsage(findUsage(answer));
  return {
    id: asText(answer['id'])?.slice(0, ID_LENGTH_MAX) ?? null,
    blocks: gatherBlocks(events),
    finish: readFinish(reported, blocks),
    usage: reading === null || reading.reported === 'none' ? null : reading.usage,
    warnings: gatherWarnings(events),
  };
}

const NO_CHOICE: JsonObject = { message: {} };

const ID_LENGTH_MAX = 256;

/** Null if a call has no name, since nobody could execute it. */
function eventsOf(message: JsonObject, blocks: BlockOrder): ChatEvent[] | null {
  try {
    for (const piece of readPieces(message)) blocks.add(piece);
    blocks.close();
    return blocks.take();
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
