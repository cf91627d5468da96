/**
 * An error that a provider reports inside a stream. It has no status, so it gets the one that belongs to its type, and is then read like
 * any refusal.
 *
 * https://docs.anthropic.com/en/api/errors
 */
import { errorTable, GatewayError } from '../../../core/errors.ts';
import { isObject, type JsonObject, parseObject } from '../../../core/json-object.ts';
import { troubleText } from '../../kit/errors/quotable-text.ts';
import { readError } from './read-error.ts';

/** `data` is the payload of an `error` event, or whatever came instead. */
export function readAnswerError(data: Buffer): GatewayError {
  const understood = readError(statusOf(parseObject(data.toString())), {}, data);
  const { code, message, relayable, namesOperator, quotable } = understood;
  const aboutTheRequest =
    (relayable || namesOperator) && errorTable[code].status < 500 && code !== 'upstream_rate_limited';
  // What may not be relayed is reported in our words.
  const text = aboutTheRequest ? message : troubleText(code, null, quotable);
  return new GatewayError(code, text === null ? {} : { message: text });
}

/** The status that a refusal with this error would have had. */
export function statusOf(parsed: JsonObject | null): number {
  const error = isObject(parsed?.['error']) ? parsed['error'] : parsed;
  const known = STATUSES.get(error?.['type']);
  if (known !== undefined) return known;
  // Servers that imitate the format put the status in `code`.
  const code = error?.['code'];
  return typeof code === 'number' && code >= 400 && code < 600 ? code : 500;
}

const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);
