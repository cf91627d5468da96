/**
 * Reads a refusal of Google's APIs (`google.rpc.Status`). Everything about the operator's account (credential, money, project, address)
 * becomes one of the gateway's codes; only a refusal about the request itself may be passed to the caller unchanged.
 *
 * https://ai.google.dev/gemini-api/docs/troubleshooting, https://cloud.google.com/apis/design/errors
 */
import { type ErrorCode, errorTable } from '../../../core/errors.ts';
import { asObject, asText, type JsonObject, objectsOf, parseOrNull } from '../../../core/json-object.ts';
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { readOverflow } from '../../kit/errors/context-overflow.ts';
import { namesContent } from '../../kit/errors/names-content.ts';
import { namesOperator } from '../../kit/errors/names-operator.ts';
import { quotableText } from '../../kit/errors/quotable-text.ts';
import { headerText, secondsToDate, type UpstreamHeaders, wholeSeconds } from '../../kit/errors/retry-after.ts';
import { safeMessage } from '../../kit/errors/safe-message.ts';

/** `status` is the provider's own. Bodies of at most `BODY_BYTES_MAX` are read; longer ones are not API errors. */
export function readError(status: number, headers: UpstreamHeaders, body: Buffer): UpstreamError {
  const text = body.toString('utf8', 0, BODY_BYTES_MAX);
  const said = readStatus(text);
  const code = judge(status, said);
  const fault = REQUEST_FAULTS.has(code) && said.isStatus && body.length <= BODY_BYTES_MAX;
  const named = fault && (namesOperator(text) || PROJECT.test(text));
  return {
    code,
    sureCode: status === 404 ? code : judge(status, { ...said, message: '' }),
    status,
    relayable: fault && !named,
    namesOperator: named,
    retryAfterSeconds: MAY_RETRY.has(code) ? readRetryAfter(headers, said) : null,
    message: safeMessage(said.message === '' ? errorTable[code].message : said.message),
    quotable: said.isError ? quotableText(said.message) : '',
  };
}

const BODY_BYTES_MAX = 256 * 1024;
const MAY_RETRY: ReadonlySet<ErrorCode> = new Set(['upstream_rate_limited', 'upstream_overloaded', 'bad_gateway']);
const REQUEST_FAULTS: ReadonlySet<ErrorCode> = new Set([
  ...(['bad_request', 'context_length_exceeded', 'not_found', 'request_too_large'] as const),
]);
/** The project of the operator, by number or in a resource's name. */
const PROJECT = /\bprojects\/[^/\s"]|\bproject[_ -]?(?:number|id)?[:= ]{1,3}\d/i;

interface Said {
  /** Whether it is an error as Google writes it; whether it is any API's. */
  readonly isStatus: boolean;
  readonly isError: boolean;
  readonly message: string;
  /** `INVALID_ARGUMENT`, …, or another API's type and code. */
  readonly words: readonly string[];
  /** Of `ErrorInfo`: `API_KEY_INVALID`, … */
  readonly reasons: readonly string[];
  readonly retryDelaySeconds: number | null;
}

/** Also one inside an array, as from Google's compatible API. */
function readStatus(text: string): Said {
  const json = parseOrNull(text);
  const outer = asObject(Array.isArray(json) ? json[0] : json);
  const error = asObject(outer?.['error']);
  const details = objectsOf(error?.['details']);
  const message = asText(error?.['message']) ?? asText(outer?.['error']) ?? asText(outer?.['message']) ?? '';
  return {
    isStatus: error !== null && typeof error['code'] === 'number' && asText(error['message']) !== null,
    isError: message !== '',
    message,
    words: [error?.['status'], error?.['type'], error?.['code']].filter((word) => typeof word === 'string'),
    reasons: details.flatMap((detail) => asText(detail['reason']) ?? []),
    retryDelaySeconds: delayIn(details),
  };
}

/** `"34.4s"`, of `RetryInfo`. */
function delayIn(details: readonly JsonObject[]): number | null {
  for (const { retryDelay } of details) {
    const match = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(asText(retryDelay) ?? '');
    if (match !== null) return Number(match[1]);
  }
  return null;
}

/** Google answers 400 to a bad key. */
const CREDENTIAL_REASONS: ReadonlySet<string> = new Set([
  ...['API_KEY_INVALID', 'API_KEY_EXPIRED', 'API_KEY_SERVICE_BLOCKED', 'API_KEY_HTTP_REFERRER_BLOCKED'],
  ...['API_KEY_IP_ADDRESS_BLOCKED', 'SERVICE_DISABLED', 'BILLING_DISABLED', 'CONSUMER_INVALID', 'CONSUMER_SUSPENDED'],
  ...['ACCESS_TOKEN_EXPIRED', 'ACCESS_TOKEN_TYPE_UNSUPPORTED', 'CREDENTIALS_MISSING', 'IAM_PERMISSION_DENIED'],
]);
const OWNER_WORDS: ReadonlySet<string> = new Set([
  ...['UNAUTHENTICATED', 'PERMISSION_DENIED', 'insufficient_quota', 'authentication_error', 'billing_error'],
]);
const CREDENTIAL_TEXT =
  /\bapi[ _-]?key (?:not valid|not found|expired|is invalid|has expired)|\b(?:invalid|expired|incorrect) api[ _-]?key|location is not supported|enable billing|billing account|free quota tier is not available|credit balance|prepayment credits/i;

function judge(status: number, said: Said): ErrorCode {
  return isOperatorsTrouble(status, said) ? 'upstream_credential_rejected' : codeOf(status, said);
}

function isOperatorsTrouble(status: number, { reasons, words, message }: Said): boolean {
  if (status === 401 || status === 402 || status === 403) return true;
  if (status < 400 || status >= 500) return false;
  if (reasons.some((reason) => CREDENTIAL_REASONS.has(reason)) || words.some((word) => OWNER_WORDS.has(word)))
    return true;
  return CREDENTIAL_TEXT.test(message);
}

function codeOf(status: number, said: Said): ErrorCode {
  switch (status) {
    case 400:
      if (readOverflow(said.message) !== null) return 'context_length_exceeded';
      // Without an error in it, it is a proxy's page.
      return said.isError ? 'bad_request' : 'bad_gateway';
    case 404:
      // A model that the provider does not have is an error in our catalogue; any other page means that our address is wrong.
      if (!said.isStatus) return 'bad_gateway';
      return namesContent(said.message) ? 'not_found' : 'model_not_found';
    case 413:
      return 'request_too_large';
    case 429:
      return 'upstream_rate_limited';
    case 408:
    case 504:
    case 524:
      return 'upstream_timeout';
    case 503:
    case 529:
      return 'upstream_overloaded';
    default:
      return status === 409 || status === 422 ? 'bad_request' : 'bad_gateway';
  }
}

function readRetryAfter(headers: UpstreamHeaders, { retryDelaySeconds }: Said): number | null {
  const value = headerText(headers, 'retry-after') ?? '';
  const seconds = [
    /^\d+(\.\d+)?$/.test(value) ? Number(value) : secondsToDate(headers),
    retryDelaySeconds ?? Number.NaN,
  ].find((candidate) => Number.isFinite(candidate));
  return seconds === undefined ? null : wholeSeconds(seconds);
}
