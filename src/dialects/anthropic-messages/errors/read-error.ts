/**
 * Reads a provider's refusal in the Messages format.
 *
 * https://docs.anthropic.com/en/api/errors
 */
import { type ErrorCode, errorTable } from '../../../core/errors.ts';
import { isObject, type JsonObject, parseObject } from '../../../core/json-object.ts';
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { readOverflow } from '../../kit/errors/context-overflow.ts';
import { namesContent } from '../../kit/errors/names-content.ts';
import { namesOperator } from '../../kit/errors/names-operator.ts';
import { quotableText } from '../../kit/errors/quotable-text.ts';
import { headerText, secondsToDate, type UpstreamHeaders, wholeSeconds } from '../../kit/errors/retry-after.ts';
import { safeMessage } from '../../kit/errors/safe-message.ts';

/**
 * A provider's refusal. `status` is the provider's own. Its body is relayable, byte for byte, only when it is an error in this format about
 * the request or about load (400, 404, 409, 413, 422, 429, 529) that names nothing of the operator's: coding assistants fix their next
 * request according to the exact wording. Errors about the operator's credential, account or money never are.
 */
export function readError(status: number, headers: UpstreamHeaders, body: Buffer): UpstreamError {
  const text = body.toString('utf8', 0, BODY_BYTES_MAX);
  const parsed = parseObject(text);
  const said = readEnvelope(parsed, headerText(headers, 'x-amzn-errortype'));
  const code = judge(status, said);
  const operatorsTrouble = code === 'upstream_credential_rejected';
  const fault =
    !operatorsTrouble && RELAYABLE.has(status) && isMessagesEnvelope(parsed) && body.length <= BODY_BYTES_MAX;
  const named = fault && namesOperator(text);
  return {
    code,
    sureCode: status === 404 ? code : judge(status, { ...said, message: null }),
    status,
    relayable: fault && !named,
    namesOperator: named,
    retryAfterSeconds: operatorsTrouble ? null : readRetryAfter(headers),
    message: safeMessage(said.message ?? errorTable[code].message),
    quotable: quotableText(said.message ?? ''),
  };
}

/** An error has a few hundred bytes; anything longer is a proxy's page, and its start is enough. */
const BODY_BYTES_MAX = 64 * 1024;

const RELAYABLE: ReadonlySet<number> = new Set([400, 404, 409, 413, 422, 429, 529]);

/** Refusals with 400 or 429 that are about the operator's account. */
const MONEY_WORDS =
  /credit balance is too low|specified (workspace )?api usage limits|plans & billing|purchase credits/i;
const ACCOUNT_CODES: ReadonlySet<unknown> = new Set([
  'contract_spend_limit_reached',
  'enforced_spend_limit_reached',
  'linked_organization_billing_unavailable',
  'linked_organization_spend_limit_reached',
  'organization_on_hold',
  'insufficient_quota',
  'workspace_policy_violation',
]);
const ACCOUNT_TYPES: ReadonlySet<unknown> = new Set([
  'authentication_error',
  'billing_error',
  'insufficient_quota',
  'permission_error',
]);

interface Said {
  readonly type: unknown;
  /** The most specific code: Anthropic's `details.error_code`, else OpenAI's `code`. */
  readonly code: unknown;
  readonly message: string | null;
}

function judge(status: number, said: Said): ErrorCode {
  return isOperatorsTrouble(status, said) ? 'upstream_credential_rejected' : codeOf(status, said);
}

/** The error code for what the provider answered. */
function codeOf(status: number, said: Said): ErrorCode {
  switch (status) {
    case 404:
      // Anthropic says "model: <name>" for a model it does not have; any other 404 means that our URL is wrong.
      if (NO_MODEL.has(said.type)) return 'model_not_found';
      if (said.type !== 'not_found_error') return 'bad_gateway';
      return namesContent(said.message ?? '') ? 'not_found' : 'model_not_found';
    case 400:
      if (NO_MODEL_WORDS.test(said.message ?? '')) return 'model_not_found';
      return readOverflow(said.message ?? '') === null ? 'bad_request' : 'context_length_exceeded';
    case 409:
    case 422:
      return 'bad_request';
    case 413:
      return 'request_too_large';
    case 429:
      return 'upstream_rate_limited';
    case 503:
    case 529:
      return 'upstream_overloaded';
    case 408:
    case 504:
    case 524:
      return 'upstream_timeout';
    default:
      return said.type === 'overloaded_error' ? 'upstream_overloaded' : 'bad_gateway';
  }
}

function isOperatorsTrouble(status: number, said: Said): boolean {
  if (status === 401 || status === 402 || status === 403) return true;
  if (status < 400 || status >= 500) return false;
  if (ACCOUNT_CODES.has(said.code) || ACCOUNT_TYPES.has(said.type)) return true;
  return said.message !== null && MONEY_WORDS.test(said.message);
}

/** The clouds' own words for a model that they do not have; its name is the operator's. */
const NO_MODEL: ReadonlySet<unknown> = new Set(['ResourceNotFoundException', 'NOT_FOUND']);
const NO_MODEL_WORDS = /provided model identifier is invalid|on-demand throughput isn.t supported/i;

/**
 * Reads Anthropic's and OpenAI's envelope, OpenRouter's, vLLM's flat one, `{"error": "text"}`, Google's, and AWS's, whose type is in a
 * header: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html (errors)
 */
function readEnvelope(parsed: JsonObject | null, exception: string | null): Said {
  const outer = parsed ?? {};
  const inner = isObject(outer['error']) ? outer['error'] : outer;
  const details = isObject(inner['details']) ? inner['details'] : {};
  const message = [inner['message'], outer['error'], outer['detail']].find((value) => typeof value === 'string');
  return {
    type: inner['type'] ?? inner['status'] ?? exception?.split(':')[0],
    code: details['error_code'] ?? inner['code'],
    message: typeof message === 'string' && message !== '' ? message : null,
  };
}

function isMessagesEnvelope(parsed: JsonObject | null): boolean {
  if (parsed?.['type'] !== 'error' || !isObject(parsed['error'])) return false;
  return typeof parsed['error']['type'] === 'string' && typeof parsed['error']['message'] === 'string';
}

/** Seconds, or a date. */
function readRetryAfter(headers: UpstreamHeaders): number | null {
  const value = headerText(headers, 'retry-after') ?? '';
  return wholeSeconds(/^\d+(\.\d+)?$/.test(value) ? Number(value) : secondsToDate(headers));
}
