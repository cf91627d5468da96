/** What a provider's refusal means for the caller of this call. */
import { errorTable, GatewayError } from '../../core/errors.ts';
import type { ProviderDialect } from '../../dialects/dialect.ts';
import { troubleText } from '../../dialects/kit/errors/quotable-text.ts';
import type { AnswerHeaders } from '../../upstream/answer-sink.ts';
import { passedHeaders } from '../answer/answer-headers.ts';
import type { Call } from '../call.ts';
import { UpstreamRefusal } from '../end/reply-error.ts';
import { type CredentialEcho, refusalWords } from './credential-echo.ts';

export interface RefusedAnswer {
  /** The provider's own; not 2xx. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
}

/** `upstream` is what was spoken with the provider. An `UpstreamRefusal` is relayed; any other error speaks in our own words. */
export function readRefusal(
  call: Call,
  upstream: ProviderDialect,
  echo: Pick<CredentialEcho, 'isIn'>,
  { status, headers, body }: RefusedAnswer,
): GatewayError {
  const understood = upstream.readError(status, headers, body);
  const { code, retryAfterSeconds, message, quotable } = understood;
  call.refusalCode = understood.sureCode;
  // Who repeats our credential in a refusal is not repeated to the caller.
  const echoes = echo.isIn(body, 'refusal');
  // What is wrong with the request is the caller's to know; what is wrong with us is not.
  const aboutTheRequest = errorTable[code].status < 500 && code !== 'upstream_rate_limited' && !echoes;
  // To try a request again that was refused for what it says would be refused again.
  const mayRetry = errorTable[code].status >= 500 || errorTable[code].status === 429;
  const words = aboutTheRequest ? message : (troubleText(code, status, echoes ? '' : quotable) ?? refusalWords(code));
  const error = new GatewayError(code, {
    ...(retryAfterSeconds === null || !mayRetry ? {} : { retryAfterSeconds }),
    ...(words === null ? {} : { message: words }),
  });
  const { relayable, namesOperator } = understood;
  if (echoes || !(relayable || (namesOperator && aboutTheRequest))) return error;
  const { dialect, requestId } = call;
  if (upstream.name === dialect.name && relayable)
    return new UpstreamRefusal(error, status, body, passedHeaders(headers, echo));
  return new UpstreamRefusal(error, error.status, dialect.writeError(error, requestId), passedHeaders(headers, echo));
}
