import type { InlineMedia } from '../kit/media/inline-media.ts';

/** What the call path needs to know of a request to admit and route it. */
export interface Peek {
  /** The model exactly as the caller wrote it. */
  readonly model: string;
  readonly stream: boolean;
  /** The caller's own cap on output tokens, or null. */
  readonly outputCap: number | null;
  /** How many answers are asked for at once (`n`); 1 where the dialect has no such thing. */
  readonly choices: number;
  readonly hasTools: boolean;
  /** How many of them are named only, by a type of the vendor's: it writes their definitions. */
  readonly namedTools: number;
  /** Whether the caller asked for a usage chunk at the end of a stream, in the dialect's own way. */
  readonly wantsUsage: boolean;
  /** Whether a form of the answer is asked for, which some formats tell the model in words of their own. */
  readonly hasFormat: boolean;
  /**
   * Whether what the provider will read is not bounded by this body: media by address or of unknown length, server
   * tools, stored state, a conversation it summarises.
   */
  readonly promptUnbounded: boolean;
  /** How often the tools that the provider runs may be used; 0 without any, `unbounded` where the caller gave no limit. */
  readonly serverToolUses: number | 'unbounded';
  /** The field that makes the provider search by itself, apart from tools; null without one. */
  readonly searchField: string | null;
  /** Whether the provider may summarise the conversation first: then it reads and writes twice. */
  readonly compacts: boolean;
  /** Images and sounds in the body itself. */
  readonly media: InlineMedia;
  /** Bytes of what the model reads (messages, instructions, tools) as they stand in the body, media aside: for estimates. */
  readonly promptBytes: number;
  /** Length of the whole body. */
  readonly bodyBytes: number;
  /** How many values and names the body has. */
  readonly values: number;
  /** By how many bytes its text may grow where a tokenizer normalises it. */
  readonly growth: number;
  /** How many tokens of an answer the caller gave beforehand: those that the model does not take are paid as output. */
  readonly predictedTokens: number;
  /** Whether `patchRequest` must know more of its target than the quirks of its provider. */
  readonly needsTarget: boolean;
}
