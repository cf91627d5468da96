/**
 * Reads a provider's refusal in OpenAI's form, which most vendors use for every format of OpenAI's. Everything about the operator's account
 * (credential, money, URL, model names) becomes one of the gateway's codes; only a refusal about the request itself may be passed to the
 * caller unchanged.
 *
 * https://platform.openai.com/docs/guides/error-codes, https://openrouter.ai/docs/api-reference/errors
 */
import type { ErrorCode } from '../../../core/errors.ts';
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { readOverflow } from './context-overflow.ts';
import { parseReport, type Report } from './error-report.ts';
import { namesContent } from './names-content.ts';
import { namesOperator } from './names-operator.ts';
import { quotableText } from './quotable-text.ts';
import { headerText, secondsToDate, type UpstreamHeaders, wholeSeconds } from './retry-after.ts';
import { safeMessage } from './safe-message.ts';

/** `status` is the provider's own. Bodies of at most `BODY_BYTES_MAX` are read; longer ones are not API errors. */
export function readOpenaiError(status: number, headers: UpstreamHeaders, body: Buffer): UpstreamError {
  const text = body.toString('utf8', 0, BODY_BYTES_MAX);
  const report = parseReport(text);
  const code = classify(status, report);
  const fault = body.length <= BODY_BYTES_MAX && isRequestFault(status, code, report);
  const named = fault && namesOperator(text);
  return {
    code,
    sureCode: status === 404 ? code : classify(status, { ...report, message: '' }),
    status,
    relayable: fault && !named,
    namesOperator: named,
    retryAfterSeconds: MAY_RETRY.has(code) ? readRetryAfter(headers, report) : null,
    message: safeMessage(report.message),
    quotable: report.isApiError ? quotableText(report.message) : '',
  };
}

const BODY_BYTES_MAX = 256 * 1024;
const MAY_RETRY: ReadonlySet<ErrorCode> = new Set(['upstream_rate_limited', 'upstream_overloaded', 'bad_gateway']);

/** The vendors' codes for an account without money: OpenAI, OpenRouter, Moonshot, DeepSeek, Anthropic's compatible side. */
const MONEY: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'payment_required',
  'billing_error',
  'billing_not_active',
  'billing_hard_limit_reached',
  'insufficient_balance',
  'exceeded_current_quota_error',
]);
const MONEY_WORDS =
  /credit balance is too low|insufficient (balance|credits|funds)|exceeded your current quota|check your plan and billing/i;

/** Google and xAI answer 400 to a bad key: https://ai.google.dev/gemini-api/docs/troubleshooting */
const CREDENTIAL: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'api_key_invalid',
  'api_key_expired',
  'authentication',
  'authentication_error',
  'invalid_authentication_error',
  'unauthenticated',
]);
const CREDENTIAL_WORDS =
  /\bapi[ _-]?key (not valid|is invalid|is not valid|expired|has expired|not found)|\b(incorrect|invalid|expired|missing) api[ _-]?key/i;

/** A model that the provider does not have is an error in our catalogue: the caller never sent that name. */
const NO_MODEL: ReadonlySet<string> = new Set([
  'model_not_found',
  'invalid_model',
  'deploymentnotfound',
  'not_found_error',
]);
const NO_MODEL_WORDS = /\binvalid model\b|\bnot a valid model\b/i;
const MODEL = /\b(model|deployment)\b/i;
const MISSING = /\b(not exist|not found|not available|unknown)\b/i;

/** OpenRouter answers 403 for a moderated prompt, which is about the request. */
const CONTENT: ReadonlySet<string> = new Set(['content_policy_violation', 'content_filter', 'refusal', 'moderation']);

function classify(status: number, report: Report): ErrorCode {
  if (status < 400) return 'bad_gateway';
  if (status < 500 && isMoney(status, report)) return 'upstream_credential_rejected';
  switch (status) {
    case 401:
      return 'upstream_credential_rejected';
    case 403:
      return isContent(report) ? 'permission_denied' : 'upstream_credential_rejected';
    case 404:
      if (isModelMissing(report)) return 'model_not_found';
      // Without an API error in it, the URL is wrong, and the URL is the operator's.
      return report.isApiError ? 'not_found' : 'bad_gateway';
    case 405:
      return 'bad_gateway';
    case 408:
    case 504:
    case 524:
      return 'upstream_timeout';
    case 429:
      return 'upstream_rate_limited';
    case 498: // Groq, when its flexible capacity is used up: https://console.groq.com/docs/errors
    case 503:
    case 529:
      return 'upstream_overloaded';
    default:
      return status >= 500 ? 'bad_gateway' : classifyRefusal(status, report);
  }
}

function classifyRefusal(status: number, report: Report): ErrorCode {
  if (has(CREDENTIAL, report) || CREDENTIAL_WORDS.test(report.message)) return 'upstream_credential_rejected';
  if (has(NO_MODEL, report) || /^invalid model\b/i.test(report.message)) return 'model_not_found';
  if (status === 413) return 'request_too_large';
  if (readOverflow(report.message) !== null || has(OVERFLOW, report)) return 'context_length_exceeded';
  return report.isApiError ? 'bad_request' : 'bad_gateway';
}

const OVERFLOW: ReadonlySet<string> = new Set(['context_length_exceeded']);

const REQUEST_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'bad_request',
  'context_length_exceeded',
  'not_found',
  'permission_denied',
  'request_too_large',
]);

/** A proxy's page is not an error in this format, whatever its status. */
function isRequestFault(status: number, code: ErrorCode, report: Report): boolean {
  return status >= 400 && status < 500 && report.isApiError && REQUEST_FAULTS.has(code);
}

function isMoney(status: number, report: Report): boolean {
  return status === 402 || has(MONEY, report) || (status !== 429 && MONEY_WORDS.test(report.message));
}

function isModelMissing(report: Report): boolean {
  const { message } = report;
  if (namesContent(message)) return report.words.includes('model_not_found');
  if (has(NO_MODEL, report) || NO_MODEL_WORDS.test(message)) return true;
  const model = message.search(MODEL);
  return model !== -1 && MISSING.test(message.slice(model));
}

function isContent(report: Report): boolean {
  return report.moderated || has(CONTENT, report);
}

function has(words: ReadonlySet<string>, report: Report): boolean {
  return report.words.some((word) => words.has(word));
}

/** `retry-after-ms` is OpenAI's and Azure's, a delay in the body Google's. */
function readRetryAfter(headers: UpstreamHeaders, report: Report): number | null {
  const exact = headerText(headers, 'retry-after-ms');
  const value = headerText(headers, 'retry-after');
  const seconds = [
    exact === null ? Number.NaN : Number(exact) / 1000,
    value === null ? Number.NaN : Number(value),
    secondsToDate(headers),
    report.retryDelaySeconds ?? Number.NaN,
  ].find((candidate) => Number.isFinite(candidate));
  return seconds === undefined ? null : wholeSeconds(seconds);
}
