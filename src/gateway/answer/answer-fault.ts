/** What an error inside an answer that began well is about: the provider, or what the caller sent. */
import type { ErrorCode } from '../../core/errors.ts';
import { providerDialects } from '../../dialects/index.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { Call } from '../call.ts';

/** Null where the frame, which may be a whole answer, is no error. Never throws. */
export function answerFault({ upstreamDialect }: Call, frame: Frame): ErrorCode | null {
  if (upstreamDialect === null) return null;
  return providerDialects[upstreamDialect].readEventError?.(frame)?.error.code ?? null;
}
