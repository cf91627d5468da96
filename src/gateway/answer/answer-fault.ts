/** The code of an error inside a 2xx answer: whether it is about the provider or the request. */
import type { ErrorCode } from '../../core/errors.ts';
import { type AnyProviderDialect, providerDialects } from '../../dialects/index.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { Call } from '../call.ts';

/** Null if the frame, which may be a whole answer, is not an error. Never throws. */
export function answerFault({ upstreamDialect }: Call, frame: Frame): ErrorCode | null {
  const dialect: AnyProviderDialect | undefined = byName.get(upstreamDialect ?? '');
  return dialect?.readEventError?.(frame)?.error.code ?? null;
}

/** A format of a single operation has no errors inside its answers. */
const byName: ReadonlyMap<string, AnyProviderDialect> = new Map(Object.entries(providerDialects));
