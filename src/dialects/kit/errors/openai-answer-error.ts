/** An error in OpenAI's form that a provider reports inside an answer whose status was 200. */
import { errorTable, GatewayError } from '../../../core/errors.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import type { EventError } from '../../interface/event-error.ts';
import { parseReport } from './error-report.ts';
import { readOpenaiError } from './openai-error.ts';
import { troubleText } from './quotable-text.ts';
import { isSafeError } from './safe-error.ts';

/**
 * Reads it like the same error in a refusal; the caller must not learn about the operator's problems. `isSafe`: whether the provider's own
 * text may be passed to the caller. `fields` is the error, or an object with it as `error`.
 */
export function judgeOpenaiError(fields: JsonObject): Omit<EventError, 'alone'> {
  if (!isShallow(fields)) return { error: new GatewayError('bad_gateway'), isSafe: false };
  const text = JSON.stringify(fields);
  const understood = readOpenaiError(statusOf(fields, text), {}, Buffer.from(text));
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
  // The operator's account, in codes that come with other statuses as well.
  ['insufficient_quota', 402],
  ['credit_balance_exhausted', 402],
  ['payment_required', 402],
  ['billing_error', 402],
  ['billing_not_active', 402],
  ['billing_hard_limit_reached', 402],
  ['context_length_exceeded', 400],
  // https://platform.openai.com/docs/api-reference/responses/object (error.code)
  ['invalid_prompt', 400],
  ['bio_policy', 400],
  ['invalid_image', 400],
  ['invalid_image_format', 400],
  ['invalid_base64_image', 400],
  ['invalid_image_url', 400],
  ['image_too_large', 400],
  ['image_too_small', 400],
  ['image_parse_error', 400],
  ['image_content_policy_violation', 400],
  ['unsupported_image_media_type', 400],
  ['failed_to_download_image', 400],
  ['image_file_not_found', 400],
  ['invalid_request_error', 400],
  ['invalid_request', 400],
  ['invalid_argument', 400],
  ['badrequesterror', 400],
]);
