import type { Inbound } from './inbound.ts';
import type { Peek } from './peek.ts';

/** A format's request for the length of a prompt, and its answer. */
export interface TokenCounting {
  /** As `peek` of a call, for a request that asks for no answer. */
  peek(inbound: Inbound): Peek;
  /** The count in a provider's answer; null if it has none. */
  readCount(body: Buffer): number | null;
  writeCount(tokens: number): Buffer;
}
