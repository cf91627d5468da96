/**
 * Reads a refusal of Bedrock's: the exception's name is in a header, its message in the body.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (errors)
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
import { type ErrorCode, errorTable } from '../../../core/errors.ts';
import { asText, isObject, type JsonObject, parseObject } from '../../../core/json-object.ts';
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { readOverflow } from '../../kit/errors/context-overflow.ts';
import { namesOperator } from '../../kit/errors/names-operator.ts';
import { quotableText } from '../../kit/errors/quotable-text.ts';
import { headerText, secondsToDate, type UpstreamHeaders, wholeSeconds } from '../../kit/errors/retry-after.ts';
import { safeMessage } from '../../kit/errors/safe-message.ts';

/** `status` is the provider's own. Errors about the operator's credential or account are never relayable. */
export function readError(status: number, headers: UpstreamHeaders, body: Buffer): UpstreamError {
  const text = body.toString('utf8', 0, BODY_BYTES_MAX);
  const said = readBody(parseObject(text), headers);
  const code = codeOf(status, said.exception, said.message);
  const fault = RELAYABLE.has(code) && said.message !== '' && body.length <= BODY_BYTES_MAX;
  const named = fault && namesOperator(text);
  return {
    code,
    sureCode: codeOf(status, said.exception, ''),
    status,
    relayable: fault && !named,
    namesOperator: named,
    retryAfterSeconds: code === 'upstream_credential_rejected' ? null : readRetryAfter(headers),
    message: safeMessage(said.message === '' ? errorTable[code].message : said.message),
    quotable: quotableText(said.message),
  };
}

/** An error has a few hundred bytes; anything longer is a proxy's page, and its start is enough. */
const BODY_BYTES_MAX = 64 * 1024;

/** About the request. */
const RELAYABLE: ReadonlySet<ErrorCode> = new Set(['bad_request', 'context_length_exceeded', 'request_too_large']);

/** What is wrong with the operator's account or credentials, by the exception's name or by the type of other servers' errors. */
const OPERATORS =
  /^(?:AccessDenied|UnrecognizedClient|ExpiredToken|InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|InvalidClientTokenId|MissingAuthenticationToken|NotAuthorized|OptInRequired|RequestExpired)(?:Exception)?$|^(?:insufficient_quota|authentication_error|permission_error|billing_error)$/;

const CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ['ThrottlingException', 'upstream_rate_limited'],
  ['TooManyRequestsException', 'upstream_rate_limited'],
  ['ServiceQuotaExceededException', 'upstream_rate_limited'],
  ['ModelNotReadyException', 'upstream_overloaded'],
  ['ServiceUnavailableException', 'upstream_overloaded'],
  ['ModelTimeoutException', 'upstream_timeout'],
  ['ModelErrorException', 'bad_gateway'],
  ['ModelStreamErrorException', 'bad_gateway'],
  ['InternalServerException', 'bad_gateway'],
  ['ResourceNotFoundException', 'model_not_found'],
]);

function codeOf(status: number, exception: string, message: string): ErrorCode {
  if (status === 401 || status === 402 || status === 403) return 'upstream_credential_rejected';
  if (status >= 400 && status < 500 && OPERATORS.test(exception)) return 'upstream_credential_rejected';
  const named = status >= 400 ? CODES.get(exception) : undefined;
  return named ?? codeOfStatus(status, message);
}

function codeOfStatus(status: number, message: string): ErrorCode {
  switch (status) {
    case 400:
      if (readOverflow(message) !== null) return 'context_length_exceeded';
      return NO_SUCH_MODEL.test(message) ? 'model_not_found' : 'bad_request';
    case 404:
      return message === '' ? 'bad_gateway' : 'model_not_found';
    case 413:
      return 'request_too_large';
    case 409:
    case 422:
      return 'bad_request';
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
      return 'bad_gateway';
  }
}

/** A name in the catalogue that Bedrock does not have, or serves only under another one. */
const NO_SUCH_MODEL =
  /model identifier is invalid|could not resolve the foundation model|on-demand throughput isn.t supported|end of its life/i;

interface Said {
  /** The exception's name; empty if there is none. */
  readonly exception: string;
  readonly message: string;
}

/** Bedrock's own errors, and those of servers in front of it. */
function readBody(parsed: JsonObject | null, headers: UpstreamHeaders): Said {
  const outer = parsed ?? {};
  const inner = isObject(outer['error']) ? outer['error'] : outer;
  const named = headerText(headers, 'x-amzn-errortype') ?? asText(outer['__type']) ?? asText(inner['type']) ?? '';
  const message = [outer['message'], outer['Message'], inner['message']].map(asText).find((text) => text !== null);
  return { exception: nameOf(named), message: message ?? '' };
}

/** `com.amazon.coral.service#UnrecognizedClientException`, `ValidationException:http://internal.amazon.com/…`. */
function nameOf(type: string): string {
  const name = type.slice(type.lastIndexOf('#') + 1);
  const end = name.indexOf(':');
  return end === -1 ? name : name.slice(0, end);
}

/** Seconds, or a date. */
function readRetryAfter(headers: UpstreamHeaders): number | null {
  const value = headerText(headers, 'retry-after') ?? '';
  return wholeSeconds(/^\d+(\.\d+)?$/.test(value) ? Number(value) : secondsToDate(headers));
}
