/** What a provider's refusal means for the caller of this call. */
import { type ErrorCode, errorTable, GatewayError } from '../core/errors.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { failureText } from '../dialects/safe-message.ts';
import type { AnswerHeaders } from '../upstream/client.ts';
import { passedHeaders } from './answer-headers.ts';
import type { Call } from './call.ts';
import { type CredentialEcho, refusalWords } from './credential-echo.ts';
import { UpstreamRefusal } from './reply-error.ts';

export interface RefusedAnswer {
  /** The provider's own; not 2xx. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
}

/** `upstream` is what was spoken with the provider. An `UpstreamRefusal` is relayed; any other error speaks in our own words. */
export function readRefusal(
  call: Call,
  upstream: Dialect,
  echo: Pick<CredentialEcho, 'isIn'>,
  { status, headers, body }: RefusedAnswer,
): GatewayError {
  const understood = upstream.readError(status, headers, body);
  const { code, retryAfterSeconds, message } = understood;
  // Who repeats our credential in a refusal is not repeated to the caller.
  const echoes = echo.isIn(body, 'refusal');
  // What is wrong with the request is the caller's to know; what is wrong with us is not.
  const aboutTheRequest = errorTable[code].status < 500 && code !== 'upstream_rate_limited' && !echoes;
  // To try a request again that was refused for what it says would be refused again.
  const mayRetry = errorTable[code].status >= 500 || errorTable[code].status === 429;
  const isTold = !echoes && isJson(body) && message !== errorTable[code].message;
  const words = echoes || !aboutTheRequest ? ownWords(code, status, isTold ? message : '') : message;
  const error = new GatewayError(code, {
    ...(retryAfterSeconds === null || !mayRetry ? {} : { retryAfterSeconds }),
    ...(words === null ? {} : { message: words }),
  });
  if (!understood.relayable || echoes) return error;
  const { dialect, requestId } = call;
  if (upstream === dialect) return new UpstreamRefusal(error, status, body, passedHeaders(headers, echo));
  return new UpstreamRefusal(error, error.status, dialect.writeError(error, requestId), passedHeaders(headers, echo));
}

/** What is said in place of the provider's message; null for the code's own sentence. `message` is what of it may be told. */
function ownWords(code: ErrorCode, status: number, message: string): string | null {
  if (code === 'bad_gateway' && status >= 500) return failureText(`The provider failed (HTTP ${status})`, message);
  return refusalWords(code);
}

/** Anything else is a proxy's page, whose words mean nothing to a caller. */
function isJson(body: Buffer): boolean {
  return body.toString('latin1', 0, 64).trimStart().startsWith('{');
}
