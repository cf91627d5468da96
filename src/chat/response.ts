/**
 * The neutral form of an answer, whole or streamed. Readers produce it from what a provider sends; writers produce what a caller reads from
 * it.
 */
import type { GatewayError } from '../core/errors.ts';
import type { Usage } from '../core/usage.ts';
import type { ReasoningBlock, ReasoningName, RefusalBlock, ToolCallBlock } from './request.ts';

/** Why an answer ended. `blank`: the provider gave no reason. */
export type FinishReason =
  | 'end'
  | 'stop_sequence'
  | 'output_cap'
  | 'context_window'
  | 'tool_calls'
  | 'refusal'
  | 'paused'
  | 'blank';

export interface Finish {
  readonly reason: FinishReason;
  /** The stop sequence that ended the answer, if the provider says which. */
  readonly stopSequence: string | null;
  /** The provider's own word (`end_turn`, `stop`, …), or null. */
  readonly native: string | null;
  /** The provider's explanation of a refusal, or null. */
  readonly explanation: string | null;
}

/** A page that an answer cites. `title` and `quote` may be empty. */
export interface Citation {
  readonly url: string;
  readonly title: string;
  readonly quote: string;
  /** Its range in the answer's text, in UTF-16 units; null if the provider does not say. */
  readonly start: number | null;
  readonly end: number | null;
}

export interface AnswerText {
  readonly type: 'text';
  readonly text: string;
  readonly citations: readonly Citation[];
}

/** An image that the model made, in base 64. */
export interface AnswerImage {
  readonly type: 'image';
  readonly mediaType: string;
  readonly data: string;
}

export type AnswerBlock = AnswerText | AnswerImage | ReasoningBlock | RefusalBlock | ToolCallBlock;

export interface ChatResponse {
  /** The provider's id for the answer, for the record; the caller gets the generation id. */
  readonly id: string | null;
  readonly blocks: readonly AnswerBlock[];
  readonly finish: Finish;
  /** Null when the provider reported none. */
  readonly usage: Usage | null;
  /** What the neutral form cannot express of the provider's answer, as short sentences without repeats. */
  readonly warnings: readonly string[];
}

/**
 * An event of a streamed answer. A reader promises: one `start` first; blocks one after the other, each `block_start`, its deltas,
 * `block_end`, never two open at the same time (if a provider interleaves two tool calls, the later one waits); then one `finish`, one
 * `end`. `error` may come at any time and ends the stream. A `warning` may come anywhere between `start` and `end`, also inside a block and
 * more than once. It is not part of the answer: writers ignore it.
 */
export type ChatEvent =
  | {
      readonly type: 'start';
      readonly id: string | null /** What is known about the prompt so far. */;
      readonly usage: Usage | null;
    }
  | { readonly type: 'block_start'; readonly block: OpenedBlock }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'citation'; readonly citation: Citation }
  /** More of the reasoning's text. */
  | { readonly type: 'reasoning'; readonly text: string }
  /** The complete signature of the open reasoning block, just before its end; with the block's `id` if that came late. */
  | { readonly type: 'signature'; readonly signature: string; readonly origin: string; readonly id?: string }
  /** More of the open tool call's arguments, as JSON text. The pieces together are an object, or empty if there are no arguments. */
  | { readonly type: 'arguments'; readonly json: string }
  | { readonly type: 'block_end' }
  /** A short sentence about something in the provider's answer that the neutral form cannot express. */
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'finish'; readonly finish: Finish }
  /** The answer is complete; `usage` is final, null when the provider reported none. */
  | { readonly type: 'end'; readonly usage: Usage | null }
  | { readonly type: 'error'; readonly error: GatewayError };

export type OpenedBlock =
  | { readonly type: 'text' }
  | { readonly type: 'refusal' }
  /** It is complete, and no deltas follow. */
  | AnswerImage
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string }
  /** If `encrypted` is not null, it is complete and no deltas follow. */
  | ({ readonly type: 'reasoning'; readonly encrypted: string | null; readonly origin: string } & ReasoningName);
