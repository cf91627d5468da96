/** What an error inside an answer that began well is about: the provider, or what the caller sent. */
import type { ErrorCode } from '../../core/errors.ts';
import { providerDialects } from '../../dialects/index.ts';
import type { Call } from '../call.ts';

/** `data` is an event's, or a whole answer. Null where it is no error. Never throws. */
export function answerFault(
  { upstreamDialect }: Call,
  { event, data }: { readonly event: string | null; readonly data: Buffer | null },
): ErrorCode | null {
  if (upstreamDialect === null || data === null) return null;
  const dialect = providerDialects[upstreamDialect];
  return dialect.readEventError?.({ event, data, raw: data, dataStart: 0 })?.error.code ?? null;
}
