/**
 * The one table of errors. Codes never change once published; callers' scripts may depend
 * on them. Only the edge (`gateway/end/reply-error.ts`, `api/`) renders errors.
 *
 * OpenAI's types: https://platform.openai.com/docs/guides/error-codes
 * Anthropic's types: https://docs.anthropic.com/en/api/errors
 */
import { UnreadableRow } from './feed.ts';

export interface ErrorEntry {
  readonly status: number;
  readonly openaiType: string;
  readonly anthropicType: string;
  /** Safe to show to any caller. A more specific message may replace it; it never contains a secret. */
  readonly message: string;
}

function entry(status: number, openaiType: string, anthropicType: string, message: string): ErrorEntry {
  return { status, openaiType, anthropicType, message };
}

const INVALID = 'invalid_request_error';

export const errorTable = {
  invalid_json: entry(400, INVALID, INVALID, 'The request body is not valid JSON.'),
  invalid_utf8: entry(400, INVALID, INVALID, 'The request body is not valid UTF-8.'),
  json_too_deep: entry(400, INVALID, INVALID, 'The request body is nested too deeply.'),
  duplicate_key: entry(400, INVALID, INVALID, 'The request body contains a field twice.'),
  invalid_value: entry(400, INVALID, INVALID, 'A field has an invalid value.'),
  missing_field: entry(400, INVALID, INVALID, 'A required field is missing.'),
  unsupported_value: entry(400, INVALID, INVALID, 'This value is not supported.'),
  field_not_allowed: entry(400, INVALID, INVALID, 'This gateway does not accept this field.'),
  previous_response_not_found: entry(400, INVALID, INVALID, 'The earlier response is not known here.'),
  context_length_exceeded: entry(400, INVALID, INVALID, "The prompt is longer than the model's context window."),
  duplicate_header: entry(400, INVALID, INVALID, 'A header that may be sent only once was sent twice.'),
  conflicting_credentials: entry(400, INVALID, INVALID, 'Two different valid API keys were sent; send only one.'),
  bad_request: entry(400, INVALID, INVALID, 'The request is malformed.'),
  invalid_api_key: entry(401, 'authentication_error', 'authentication_error', 'No valid API key was sent.'),
  not_signed_in: entry(401, 'authentication_error', 'authentication_error', 'You are not signed in. Sign in first.'),
  invalid_sign_in: entry(401, 'authentication_error', 'authentication_error', 'Incorrect email, password or code.'),
  insufficient_balance: entry(402, 'billing_error', 'billing_error', 'The balance of this account is used up.'),
  balance_reserved: entry(
    402,
    'billing_error',
    'billing_error',
    'The balance of this account is held by calls that are still running.',
  ),
  budget_exceeded: entry(
    402,
    'billing_error',
    'billing_error',
    'A budget of this key, its project or its account is used up.',
  ),
  permission_denied: entry(403, 'permission_error', 'permission_error', 'This key is not allowed to do this.'),
  origin_not_allowed: entry(
    403,
    'permission_error',
    'permission_error',
    'This key may not be used by pages of this origin.',
  ),
  model_not_allowed: entry(403, 'permission_error', 'permission_error', 'This key is not allowed to use this model.'),
  not_found: entry(404, 'not_found_error', 'not_found_error', 'There is nothing at this URL.'),
  response_not_found: entry(404, INVALID, 'not_found_error', 'There is no such response.'),
  file_not_found: entry(404, INVALID, 'not_found_error', 'There is no such file.'),
  model_not_found: entry(404, 'not_found_error', 'not_found_error', 'The model does not exist.'),
  model_not_priced: entry(
    404,
    'not_found_error',
    'not_found_error',
    'This model has no price, so it cannot be billed.',
  ),
  method_not_allowed: entry(405, INVALID, INVALID, 'This URL does not accept this method.'),
  request_timeout: entry(408, 'timeout_error', 'timeout_error', 'The request did not arrive in time.'),
  conflict: entry(409, 'conflict_error', 'conflict_error', 'The request conflicts with the current state.'),
  batch_not_found: entry(404, INVALID, 'not_found_error', 'There is no such batch.'),
  file_in_use: entry(409, 'conflict_error', INVALID, 'A running batch reads this file.'),
  row_unreadable: entry(409, 'conflict_error', 'conflict_error', 'A row of the database cannot be read.'),
  idempotency_in_flight: entry(409, 'conflict_error', INVALID, 'A call with this Idempotency-Key is still running.'),
  idempotency_streamed: entry(
    409,
    'conflict_error',
    INVALID,
    'The call with this Idempotency-Key has completed, but its answer was not stored.',
  ),
  request_too_large: entry(413, 'request_too_large', 'request_too_large', 'The request body is too large.'),
  file_space_exceeded: entry(
    413,
    'request_too_large',
    'request_too_large',
    'The files of this account take all its space.',
  ),
  unsupported_media_type: entry(
    415,
    INVALID,
    INVALID,
    'The request body must be uncompressed JSON (content-type: application/json).',
  ),
  expectation_failed: entry(
    417,
    INVALID,
    INVALID,
    'The Expect header asks for something this gateway does not support.',
  ),
  idempotency_mismatch: entry(
    422,
    'conflict_error',
    INVALID,
    'This Idempotency-Key was used with a different request.',
  ),
  websocket_not_supported: entry(426, INVALID, INVALID, 'This gateway has no WebSockets; use HTTP.'),
  rate_limit_exceeded: entry(429, 'rate_limit_error', 'rate_limit_error', 'Too many requests.'),
  headers_too_large: entry(431, INVALID, INVALID, 'The request has too many headers, or headers that are too large.'),
  internal_error: entry(500, 'server_error', 'api_error', 'The gateway failed to handle this request.'),
  bad_gateway: entry(502, 'upstream_error', 'api_error', 'The provider returned an invalid response.'),
  upstream_unreachable: entry(502, 'upstream_error', 'api_error', 'The provider could not be reached.'),
  upstream_credential_rejected: entry(
    502,
    'upstream_error',
    'api_error',
    "The provider rejected this gateway's credential; the operator of the gateway must fix it.",
  ),
  upstream_rate_limited: entry(
    429,
    'rate_limit_error',
    'rate_limit_error',
    'The provider is limiting requests; try again later.',
  ),
  upstream_overloaded: entry(
    503,
    'overloaded_error',
    'overloaded_error',
    'The provider is overloaded; try again later.',
  ),
  model_unavailable: entry(
    503,
    'overloaded_error',
    'overloaded_error',
    'No provider that can continue this conversation is available; try again later.',
  ),
  shedding: entry(
    503,
    'overloaded_error',
    'overloaded_error',
    'Too many requests of this kind are running; try again shortly.',
  ),
  overloaded: entry(
    503,
    'overloaded_error',
    'overloaded_error',
    'The gateway has too much to do right now; try again shortly.',
  ),
  draining: entry(503, 'overloaded_error', 'overloaded_error', 'The gateway is shutting down; try again shortly.'),
  auth_unavailable: entry(
    503,
    'overloaded_error',
    'overloaded_error',
    'API keys cannot be checked right now; try again shortly.',
  ),
  ledger_unavailable: entry(
    503,
    'overloaded_error',
    'overloaded_error',
    'Calls cannot be recorded right now; try again shortly.',
  ),
  upstream_timeout: entry(504, 'timeout_error', 'timeout_error', 'The provider did not respond in time.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** The page of this gateway that explains the code; error bodies link to it. */
export function docsUrl(code: ErrorCode): string {
  return `${docsAddress}/docs/reference/errors#${code}`;
}

let docsAddress = '';

/**
 * Sets the address that callers use, `https://example.com/llm`, without a slash at its end; null makes links paths. It applies to the whole process and is set once,
 * before it serves.
 */
export function setDocsAddress(publicUrl: string | null): void {
  docsAddress = publicUrl ?? '';
}

export interface ErrorDetails {
  /** More specific than the table's message; safe to show to the caller. */
  readonly message?: string;
  /** The path of the invalid field in the request. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  /** Machine-readable facts for `error.details` (Anthropic) and `error.metadata` (OpenAI). */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A failure that is reported to the caller. It has everything a dialect needs to render it. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;
  readonly facts: Readonly<Record<string, unknown>> | null;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    // A stack trace is useless for a caller's mistake or an overload, and a flood of such errors must be cheap.
    const frames = Error.stackTraceLimit;
    if (errorTable[code].status < 500 || code === 'overloaded') Error.stackTraceLimit = 0;
    super(
      details.message ?? errorTable[code].message,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    Error.stackTraceLimit = frames;
    this.code = code;
    this.status = errorTable[code].status;
    this.param = details.param ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.facts = details.facts ?? null;
  }
}

/**
 * A row that cannot be read becomes `row_unreadable`, with the error's message, which names it; any other error an `internal_error`, whose
 * message is not shown to callers.
 */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (!(error instanceof UnreadableRow)) return new GatewayError('internal_error', { cause: error });
  return new GatewayError('row_unreadable', { message: `${error.message} ${CORRECT_ROWS}`, cause: error });
}

const CORRECT_ROWS = 'Until then nothing can be changed that depends on it.';

export interface StorageTroublePorts {
  /** Whether the error means that the storage is not available now. */
  isStorageTrouble(error: unknown): boolean;
}

const STORAGE_TROUBLE = 'The database is not available right now; try again shortly.';
const STORAGE_RETRY_SECONDS = 5;

/**
 * What is answered when the storage could not do its part, which is nobody's mistake and passes: 503 in place of an internal error that is the storage's trouble; any
 * other error as it is.
 */
export function orStorageTrouble(error: GatewayError, ports: StorageTroublePorts): GatewayError {
  if (error.code !== 'internal_error' || !ports.isStorageTrouble(error.cause)) return error;
  return new GatewayError('ledger_unavailable', {
    message: STORAGE_TROUBLE,
    retryAfterSeconds: STORAGE_RETRY_SECONDS,
    cause: error,
  });
}
