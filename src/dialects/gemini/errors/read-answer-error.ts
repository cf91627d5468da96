/** An error that the provider reports inside an answer whose status was 200. It has its status in `code`. */
import { errorTable, GatewayError } from '../../../core/errors.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import type { EventError } from '../../interface/event-error.ts';
import { troubleText } from '../../kit/errors/quotable-text.ts';
import { isSafeError } from '../../kit/errors/safe-error.ts';
import { readError } from './read-error.ts';

export function holdsError(message: JsonObject): boolean {
  return message['error'] !== undefined && message['error'] !== null;
}

/** Reads it like the same error in a refusal; the caller must not learn about the operator's problems. */
export function readAnswerError(message: JsonObject): GatewayError {
  return judgeError(message).error;
}

/** The same, and whether the provider's own text may be passed to the caller. */
export function judgeError(message: JsonObject): Omit<EventError, 'alone'> {
  if (!isShallow(message)) return { error: new GatewayError('bad_gateway'), isSafe: false };
  const understood = readError(statusOf(message), {}, Buffer.from(JSON.stringify(message)));
  const { code, message: text, relayable, namesOperator, quotable, retryAfterSeconds } = understood;
  const aboutTheRequest =
    (relayable || namesOperator) && errorTable[code].status < 500 && code !== 'upstream_rate_limited';
  const callerText = aboutTheRequest ? text : troubleText(code, null, quotable);
  const error = new GatewayError(code, {
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(callerText === null ? {} : { message: callerText }),
  });
  return { error, isSafe: isSafeError(understood, message) };
}

function statusOf(message: JsonObject): number {
  const error = asObject(message['error']);
  const code = error?.['code'];
  if (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code < 600) return code;
  return STATUS_OF_WORD.get(error?.['status']) ?? 500;
}

/** https://cloud.google.com/apis/design/errors#handling_errors */
const STATUS_OF_WORD: ReadonlyMap<unknown, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);
