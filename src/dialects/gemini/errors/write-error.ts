/**
 * The gateway's own errors as Google's APIs write them.
 *
 * https://cloud.google.com/apis/design/errors#http_mapping, https://google.aip.dev/193
 */
import { docsUrl, type GatewayError } from '../../../core/errors.ts';
import { encodeEvent } from '../answer/encode-event.ts';

/** The body of an error before the answer has begun. */
export function writeError(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(errorJson(error, requestId));
}

/**
 * The event that ends a stream with an error. `@google/genai`, its Python counterpart and `@ai-sdk/google` throw when an event has an
 * `error`; no event with a `finishReason` follows it, so that other clients do not take a part for the whole.
 */
export function writeStreamError(error: GatewayError, requestId: string): Buffer {
  return encodeEvent(errorJson(error, requestId));
}

/**
 * As Google sends it in a stream: the JSON alone, without `data:`. Older versions of `@google/genai`, Gemini CLI's among them, parse each chunk
 * that arrives, and take an error in an event for an answer without a finish reason.
 *
 * https://github.com/googleapis/js-genai/blob/main/src/_api_client.ts (processStreamResponse)
 */
export function writeErrorAlone(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(errorJson(error, requestId));
}

/**
 * `reason` is our stable code in Google's notation, and `metadata` has it as it is everywhere else, with the request's id. Google's values
 * in `metadata` are all strings.
 */
function errorJson(error: GatewayError, requestId: string): string {
  const { code, status, message, param, facts, retryAfterSeconds } = error;
  const metadata = {
    ...Object.fromEntries(Object.entries(facts ?? {}).map(([name, value]) => [name, textOf(value)])),
    code,
    request_id: requestId,
    docs_url: docsUrl(code),
    ...(param !== null && { param }),
  };
  const details: object[] = [
    { '@type': `${TYPES}ErrorInfo`, reason: code.toUpperCase(), domain: 'turnpike', metadata },
  ];
  if (retryAfterSeconds !== null) details.push({ '@type': `${TYPES}RetryInfo`, retryDelay: `${retryAfterSeconds}s` });
  if (status === 400 && param !== null)
    details.push({ '@type': `${TYPES}BadRequest`, fieldViolations: [{ field: param, description: message }] });
  return JSON.stringify({ error: { code: status, message, status: STATUSES[status] ?? 'UNKNOWN', details } });
}

const TYPES = 'type.googleapis.com/google.rpc.';

/** By HTTP status. https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  417: 'INVALID_ARGUMENT',
  422: 'FAILED_PRECONDITION',
  426: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  431: 'INVALID_ARGUMENT',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
