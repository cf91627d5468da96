/** An error that a provider reports inside an answer whose status was 200. */
import type { GatewayError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { judgeOpenaiError } from '../../kit/errors/openai-answer-error.ts';

/** Whether this chunk, answer or choice is an error, or has one. Clients of the format throw for any `error` that is truthy. */
export function holdsError(fields: JsonObject): boolean {
  return Boolean(fields['error']) || fields['object'] === 'error';
}

/** Reads it like the same error in a refusal; the caller must not learn about the operator's problems. */
export function readAnswerError(fields: JsonObject): GatewayError {
  return judgeOpenaiError(fields).error;
}
