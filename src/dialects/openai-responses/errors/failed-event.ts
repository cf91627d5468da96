/**
 * The event of a response that failed, as it follows an `error` event: clients recognise one or the other.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming/response/failed
 */
import { type ErrorCode, errorTable } from '../../../core/errors.ts';
import { parseCallId } from '../../../core/ids.ts';
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { responseId } from '../answer/answer-object.ts';

/** `event` is an `error` event: the gateway's own, or a provider's. How far the stream came is not known here. */
export function failedEvent(event: JsonObject): Buffer {
  const error = asObject(event['error']) ?? event;
  const requestId = asText(asObject(error['metadata'])?.['request_id']);
  const number = event['sequence_number'];
  const failed = {
    type: 'response.failed',
    response: {
      id: requestId === null ? '' : responseId(parseCallId(requestId) ?? requestId),
      object: 'response',
      created_at: 0,
      status: 'failed',
      error: { code: failureCode(asText(error['code'])), message: asText(error['message']) ?? '' },
      incomplete_details: null,
      model: '',
      output: [],
      usage: null,
    },
    sequence_number: typeof number === 'number' ? number + 1 : 1,
  };
  return encodeSse(failed.type, JSON.stringify(failed));
}

/** The code of a failed response: Codex decides by it whether to try again. Codes that are not the gateway's stay. */
export function failureCode(code: string | null): string {
  if (code === null) return 'server_error';
  return CODES.get(code as ErrorCode) ?? (code in errorTable ? 'server_error' : code);
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
