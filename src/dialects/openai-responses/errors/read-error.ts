/** Reads a provider's refusal: https://platform.openai.com/docs/guides/error-codes */
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { readOpenaiError } from '../../kit/errors/openai-error.ts';
import type { UpstreamHeaders } from '../../kit/errors/retry-after.ts';

/** `status` is the provider's own. */
export function readError(status: number, headers: UpstreamHeaders, body: Buffer): UpstreamError {
  return readOpenaiError(status, headers, body);
}
