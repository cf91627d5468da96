/** The headers of an answer: our own, and the few of the provider's that may pass. */
import type { StreamForm } from '../../dialects/interface/stream-form.ts';
import type { AnswerHeaders } from '../../upstream/answer-sink.ts';
import type { Call } from '../call.ts';
import type { CredentialEcho } from '../exchange/credential-echo.ts';

/** Those of every streamed answer; `form` is null for server-sent events. */
export function streamHeaders(form: Pick<StreamForm, 'contentType'> | null): readonly string[] {
  return form === null ? EVENT_STREAM : ['content-type', form.contentType, ...UNBUFFERED];
}

/** Of an answer that is bytes of a type that the provider states. */
export function opaqueForm(headers: AnswerHeaders, echo: Echo | null): Pick<StreamForm, 'contentType'> {
  const type = headers['content-type'];
  const isPassed = typeof type === 'string' && isHeaderSafe(type) && echo?.isIn(type, 'content type') !== true;
  return { contentType: isPassed ? type : 'application/octet-stream' };
}

/** The second disables buffering in nginx and similar proxies. */
const UNBUFFERED = ['cache-control', 'no-cache', 'x-accel-buffering', 'no'];
const EVENT_STREAM: readonly string[] = ['content-type', 'text/event-stream; charset=utf-8', ...UNBUFFERED];

type Echo = Pick<CredentialEcho, 'isIn'>;

/** The headers of a provider's refusal that the caller may see. */
export function passedHeaders(headers: AnswerHeaders, echo: Echo): string[] {
  const passed: string[] = [];
  for (const name of ['retry-after', 'x-should-retry'] as const) {
    const value = headers[name];
    if (typeof value === 'string' && isHeaderSafe(value) && !echo.isIn(value, name)) passed.push(name, value);
  }
  return [...passed, ...upstreamRequestId(headers, echo)];
}

/** The provider's own request id, under our name for it. */
export function upstreamRequestId(headers: AnswerHeaders, echo: Echo | null): string[] {
  const value = headers['request-id'] ?? headers['x-request-id'];
  if (typeof value !== 'string' || !isHeaderSafe(value) || echo?.isIn(value, 'request id') === true) return [];
  return ['x-upstream-request-id', value];
}

function isHeaderSafe(value: string): boolean {
  return /^[\x20-\x7e]{1,256}$/.test(value);
}

/** The call's warnings, in one line. */
export function warningHeaders({ warnings }: Call): string[] {
  if (warnings.length === 0) return [];
  const line = warnings.join('; ').replace(/[^\x20-\x7e]/g, '?');
  return ['x-turnpike-warnings', line.length > WARNINGS_LENGTH_MAX ? `${line.slice(0, WARNINGS_LENGTH_MAX)}...` : line];
}

const WARNINGS_LENGTH_MAX = 2048;
