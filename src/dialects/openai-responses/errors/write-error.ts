/**
 * The gateway's own errors in this format, which are those of the chat completions format before an answer, and events in a stream.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming/error
 */
import type { ErrorCode, GatewayError } from '../../../core/errors.ts';
import { parseCallId } from '../../../core/ids.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { openaiEnvelope } from '../../kit/errors/openai-envelope.ts';
import { responseId } from '../answer/answer-object.ts';
import type { WireEvent } from '../answer/wire-event.ts';

/** The body of an error before the answer has begun. */
export function writeError(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(JSON.stringify({ error: openaiEnvelope(error, requestId) }));
}

/**
 * The bytes that end a stream with an error if its writer cannot: how far it came is not known here, so the numbers are those of a stream
 * that has just begun.
 */
export function writeStreamError(error: GatewayError, requestId: string): Buffer {
  const response = {
    id: responseId(parseCallId(requestId) ?? requestId),
    object: 'response',
    created_at: 0,
    status: 'failed',
    error: failureOf(error),
    incomplete_details: null,
    model: '',
    output: [],
    usage: null,
  };
  const failed = { type: 'response.failed', response, sequence_number: 1 };
  return Buffer.concat([
    encodeSse('error', JSON.stringify({ ...errorEvent(error, requestId), sequence_number: 0 })),
    encodeSse(failed.type, JSON.stringify(failed)),
  ]);
}

/** As documented, and with the envelope in `error`, where OpenAI itself writes it and its libraries and Vercel's read it. */
export function errorEvent(error: GatewayError, requestId: string): WireEvent {
  const { code, message, param } = error;
  return { type: 'error', code, message, param, error: openaiEnvelope(error, requestId) };
}

/** `error` of a response that failed. Codex decides by the code whether to try again. */
export function failureOf({ code, message }: GatewayError): object {
  return { code: CODES.get(code) ?? 'server_error', message };
}

/** Codes that the format has; Codex also knows those of its vendor's other errors. */
const CODES: ReadonlyMap<ErrorCode, string> = new Map([
  ['rate_limit_exceeded', 'rate_limit_exceeded'],
  ['upstream_rate_limited', 'rate_limit_exceeded'],
  ['context_length_exceeded', 'context_length_exceeded'],
  ['insufficient_balance', 'insufficient_quota'],
  ['budget_exceeded', 'insufficient_quota'],
  ['upstream_overloaded', 'server_is_overloaded'],
]);
