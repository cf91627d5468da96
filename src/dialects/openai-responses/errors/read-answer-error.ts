/**
 * An error that a provider reports inside an answer whose status was 200: an `error` event, with its fields at the top or in `error`, or the
 * `error` of a response that failed.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming/error
 */
import { GatewayError } from '../../../core/errors.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import type { EventError } from '../../interface/event-error.ts';
import { judgeOpenaiError } from '../../kit/errors/openai-answer-error.ts';

/** Reads it like the same error in a refusal; the caller must not learn about the operator's problems. */
export function readAnswerError(event: JsonObject): GatewayError {
  return judgeAnswerError(event).error;
}

/** The same, and whether the provider's own text may be passed to the caller. */
export function judgeAnswerError(event: JsonObject): Omit<EventError, 'alone'> {
  const { type, sequence_number, response, ...own } = event;
  const inside = asObject(own['error']) ?? asObject(asObject(response)?.['error']);
  if (inside !== null) return judgeOpenaiError({ error: inside });
  if (type === 'error') return judgeOpenaiError({ error: own });
  const message = 'The provider failed in the middle of its answer.';
  return { error: new GatewayError('bad_gateway', { message }), isSafe: true };
}
