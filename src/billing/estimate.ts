/** What a call consumed when the provider did not say: counted by the gateway, and marked so. */
import { NO_USAGE, type Usage } from '../core/usage.ts';

/** English text runs at about four bytes a token with the common tokenizers. */
const BYTES_PER_TOKEN = 4;

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** `promptBytes`: the request's body; `outputBytes`: text, reasoning and tool arguments delivered so far. */
export function estimateUsage(promptBytes: number, outputBytes: number): Usage {
  return { ...NO_USAGE, inputTokens: estimateTokens(promptBytes), outputTokens: estimateTokens(outputBytes) };
}
