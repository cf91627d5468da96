/**
 * The gateway's own errors in this format, which are those of the chat completions format before an answer, and events in a stream.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming/error
 */
import type { GatewayError } from '../../../core/errors.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { openaiEnvelope } from '../../kit/errors/openai-envelope.ts';
import type { WireEvent } from '../answer/wire-event.ts';
import { failedEvent, failureCode } from './failed-event.ts';

/** The body of an error before the answer has begun. */
export function writeError(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(JSON.stringify({ error: openaiEnvelope(error, requestId) }));
}

/**
 * The bytes that end a stream with an error if its writer cannot: how far it came is not known here, so the numbers are those of a stream
 * that has just begun.
 */
export function writeStreamError(error: GatewayError, requestId: string): Buffer {
  const event = { ...errorEvent(error, requestId), sequence_number: 0 };
  return Buffer.concat([encodeSse('error', JSON.stringify(event)), failedEvent(event)]);
}

/** As documented, and with the envelope in `error`, where OpenAI itself writes it and its libraries and Vercel's read it. */
export function errorEvent(error: GatewayError, requestId: string): WireEvent {
  const { code, message, param } = error;
  return { type: 'error', code, message, param, error: openaiEnvelope(error, requestId) };
}

/** `error` of a response that failed. */
export function failureOf({ code, message }: GatewayError): object {
  return { code: failureCode(code), message };
}
