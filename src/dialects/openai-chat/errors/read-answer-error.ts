/** An error that a provider reports inside an answer whose status was 200. */
import { errorTable, GatewayError } from '../../../core/errors.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import type { EventError } from '../../interface/event-error.ts';
import { troubleText } from '../../kit/errors/quotable-text.ts';
import { isSafeError } from '../../kit/errors/safe-error.ts';
import { parseReport } from './error-report.ts';
import { readError } from './read-error.ts';

/** Whether this chunk, answer or choice is an error, or has one. Clients of the format throw for any `error` that is truthy. */
export function holdsError(fields: JsonObject): boolean {
  return Boolean(fields['error']) || fields['object'] === 'error';
}

/** Reads it like the same error in a refusal; the caller must not learn about the operator's problems. */
export function readAnswerError(fields: JsonObject): GatewayError {
  return judgeError(fields).error;
}

/** The same, and whether the provider's own text may be passed to the caller. */
export function judgeError(fields: JsonObject): Omit<EventError, 'alone'> {
  if (!isShallow(fields)) return { error: new GatewayError('bad_gateway'), isSafe: false };
  const text = JSON.stringify(fields);
  const understood = readError(statusOf(fields, text), {}, Buffer.from(text));
  const { code, message, quotable, retryAfterSeconds } = understood;
  const aboutTheRequest = errorTable[code].status < 500 && code !== 'upstream_rate_limited' && message !== '';
  const callerText = aboutTheRequest ? message : troubleText(code, null, quotable);
  const error = new GatewayError(code, {
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(callerText === null ? {} : { message: callerText }),
  });
  return { error, isSafe: isSafeError(understood, fields) };
}

/** OpenRouter writes the status as `code`, others only words; a failure mid-stream is the provider's unless it says otherwise. */
function statusOf(fields: JsonObject, text: string): number {
  const error = asObject(fields['error']) ?? fields;
  for (const value of [error['code'], error['status'], error['status_code']]) {
    const status = typeof value === 'string' ? Number(value) : value;
    if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600) return status;
  }
  for (const word of parseReport(text).words) {
    const status = STATUS_OF_WORD.get(word);
    if (status !== undefined) return status;
  }
  return 502;
}

const STATUS_OF_WORD: ReadonlyMap<string, number> = new Map([
  ['rate_limit_exceeded', 429],
  ['rate_limit_error', 429],
  ['too_many_requests', 429],
  ['resource_exhausted', 429],
  ['overloaded_error', 503],
  ['provider_overloaded', 503],
  ['server_is_overloaded', 503],
  ['service_unavailable_error', 503],
  ['unavailable', 503],
  ['timeout', 504],
  ['timeout_error', 504],
  ['deadline_exceeded', 504],
  ['context_length_exceeded', 400],
  ['invalid_request_error', 400],
  ['invalid_request', 400],
  ['invalid_argument', 400],
  ['badrequesterror', 400],
]);
