/**
 * The neutral form of an answer, and of a stream of one. A reader turns what a provider sends into
 * it, a writer turns it into what a caller reads.
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
  /** The stop sequence that was met, where the provider says which. */
  readonly stopSequence: string | null;
  /** The provider's own word (`end_turn`, `stop`, …), or null. */
  readonly native: string | null;
  /** Of a refusal: what the provider says about it, or null. */
  readonly explanation: string | null;
}

/** A page an answer rests on. `title` and `quote` may be empty. */
export interface Citation {
  readonly url: string;
  readonly title: string;
  readonly quote: string;
  /** Where in the answer's text it belongs, in UTF-16 units; null where the provider does not say. */
  readonly start: number | null;
  readonly end: number | null;
}

export interface AnswerText {
  readonly type: 'text';
  readonly text: string;
  readonly citations: readonly Citation[];
}

export type AnswerBlock = AnswerText | ReasoningBlock | RefusalBlock | ToolCallBlock;

export interface ChatResponse {
  /** The provider's id of the answer, for the record; the caller is given the generation id. */
  readonly id: string | null;
  readonly blocks: readonly AnswerBlock[];
  readonly finish: Finish;
  /** Null when the provider reported none. */
  readonly usage: Usage | null;
  /** What of the provider's answer cannot be said here, a short sentence each, each once. */
  readonly warnings: readonly string[];
}

/**
 * A stream of an answer. A reader promises: one `start` first; blocks one after the other, each
 * `block_start`, its deltas, `block_end`, never two open at once (of two tool calls that a provider
 * mixes the later one waits); then one `finish`, one `end`. `error` may come at any time and ends all.
 * A `warning` may come anywhere between `start` and `end`, inside a block, too, and the same one may come again; it
 * is for whoever carries the answer, and no part of it: writers pass it over.
 */
export type ChatEvent =
  | {
      readonly type: 'start';
      readonly id: string | null /** What is known of the prompt already. */;
      readonly usage: Usage | null;
    }
  | { readonly type: 'block_start'; readonly block: OpenedBlock }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'citation'; readonly citation: Citation }
  /** More of the reasoning's text. */
  | { readonly type: 'reasoning'; readonly text: string }
  /** The signature of the open reasoning block, whole, just before its end; with the block's `id` where that came late. */
  | { readonly type: 'signature'; readonly signature: string; readonly origin: string; readonly id?: string }
  /** More of the open tool call's arguments, as JSON text. All pieces together are an object, or empty for none. */
  | { readonly type: 'arguments'; readonly json: string }
  | { readonly type: 'block_end' }
  /** Something of the provider's answer that cannot be said here, in a short sentence. */
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'finish'; readonly finish: Finish }
  /** All is over and well; `usage` is final, null when the provider reported none. */
  | { readonly type: 'end'; readonly usage: Usage | null }
  | { readonly type: 'error'; readonly error: GatewayError };

export type OpenedBlock =
  | { readonly type: 'text' }
  | { readonly type: 'refusal' }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string }
  /** `encrypted` is whole where it is not null, and no deltas follow. */
  | ({ readonly type: 'reasoning'; readonly encrypted: string | null; readonly origin: string } & ReasoningName);
