/** What a provider's refusal means for the call's caller. */
import { type ErrorCode, errorTable, GatewayError } from '../../core/errors.ts';
import type { ProviderDialect } from '../../dialects/dialect.ts';
import { troubleText } from '../../dialects/kit/errors/quotable-text.ts';
import type { OwnCredential } from '../../routing/own-credential.ts';
import type { AnswerHeaders } from '../../upstream/answer-sink.ts';
import { passedHeaders } from '../answer/answer-headers.ts';
import type { Call } from '../call.ts';
import { UpstreamRefusal } from '../end/reply-error.ts';
import { type CredentialEcho, refusalWords } from './credential-echo.ts';

export interface RefusedAnswer {
  /** The provider's own status; not 2xx. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
}

/** `upstream` is the provider's dialect, or its own format, `own` the caller's own credential if it was sent. An `UpstreamRefusal` is relayed; any other error is in our own words. */
export function readRefusal(
  call: Call,
  upstream: Pick<ProviderDialect, 'name' | 'readError'>,
  echo: Pick<CredentialEcho, 'isIn'>,
  { status, headers, body }: RefusedAnswer,
  own: Pick<OwnCredential, 'name' | 'isOnly' | 'fallback'> | null = call.candidate?.own ?? null,
): GatewayError {
  const understood = upstream.readError(status, headers, body);
  const { code, retryAfterSeconds, message, quotable } = understood;
  call.refusalCode = understood.sureCode;
  // A refusal that repeats our credential is not passed to the caller.
  const echoes = echo.isIn(body, 'refusal');
  // The caller may see what is wrong with the request, but not what is wrong on our side.
  const aboutTheRequest = errorTable[code].status < 500 && code !== 'upstream_rate_limited' && !echoes;
  // A request that was refused for its content would be refused again.
  const mayRetry = errorTable[code].status >= 500 || errorTable[code].status === 429;
  const words = aboutTheRequest
    ? message
    : (wordsToOwner(own, code) ?? troubleText(code, status, echoes ? '' : quotable) ?? refusalWords(code));
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

/** If the credential is the caller's own, they can do something about it; null otherwise. */
function wordsToOwner(own: Pick<OwnCredential, 'name' | 'isOnly' | 'fallback'> | null, code: ErrorCode): string | null {
  if (own === null || code !== 'upstream_credential_rejected') return null;
  return `The provider rejected your own credential "${own.name}". ${wayOut(own)}`;
}

/** What helps depends on its policy: one that excludes the operator's credentials cannot have them as a fallback. */
function wayOut({ isOnly, fallback }: Pick<OwnCredential, 'isOnly' | 'fallback'>): string {
  if (isOnly)
    return "Replace its secret; its policy lets no other credential serve the call. Once it is disabled, the operator's do.";
  if (fallback) return 'Replace its secret, or disable it.';
  return "Replace its secret, disable it, or let the operator's credentials be a fallback.";
}
