import type { Effort } from '../../chat/request.ts';
import type { Quirks } from './quirks.ts';

/** What a request is written for: the model at the provider, as the catalogue and the provider's declaration know it. */
export interface WriteTarget {
  readonly upstreamModel: string;
  /** The most output tokens the model gives; null when nobody knows. */
  readonly outputCap: number | null;
  /** What the model takes, in OpenRouter's words (`temperature`, `top_k`, `tools`, …); null when nobody knows: then see `takesParameter`. */
  readonly parameters: ReadonlySet<string> | null;
  /** The efforts the model knows, in the order of `EFFORTS`; null when nobody knows. */
  readonly efforts: readonly Effort[] | null;
  /**
   * How a model of the Messages API is asked to think; `always`: as `adaptive`, but it cannot be told not to. Null when nobody
   * knows: then as the newest are.
   */
  readonly thinking: 'adaptive' | 'budget' | 'always' | null;
  /** Whether instructions may stand in the middle of a conversation (Messages API). */
  readonly systemAnywhere: boolean;
  /** Whether the last turn may be the assistant's, to be continued (Messages API). */
  readonly prefill: boolean;
  readonly habits: Quirks;
}

/** A translated request; `warnings` say, a short sentence each, what of it could not be said in this format. */
export interface WrittenRequest {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly warnings: readonly string[];
  /** The cap on output tokens that stands in the body; null where none does. */
  readonly outputCap: number | null;
  /** What tools are called on the wire where that is not the caller's name for them: wire name → name; null where all are. */
  readonly toolNames: ReadonlyMap<string, string> | null;
}
