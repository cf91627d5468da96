import type { ChatRequest } from '../../chat/request.ts';
import type { WriteTarget } from './write-target.ts';

/** A format's way to ask a provider for the length of a prompt. */
export interface PromptCounter<Quirks = object> {
  /** The request with the prompt as `writeRequest` would send it. Throws `GatewayError` 400 as that does. */
  writeRequest(request: ChatRequest, target: WriteTarget<Quirks>): CountRequest;
  /** The tokens in a provider's answer; null if it has no count. */
  readCount(body: Buffer): number | null;
}

export interface CountRequest {
  readonly headers: Record<string, string>;
  /** As in `WrittenRequest`. */
  readonly body: object;
}
