import type { Inbound } from './inbound.ts';
import type { Peek } from './peek.ts';

/** How a format asks for the length of a prompt, and is told it. */
export interface TokenCounting {
  /** As `peek` of a call, of a request that asks for no answer. */
  peek(inbound: Inbound): Peek;
  /** Tokens in a provider's answer; null where it says none. */
  readCount(body: Buffer): number | null;
  writeCount(tokens: number): Buffer;
}
