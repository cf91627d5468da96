import type { ReportedParts, Usage } from '../../core/usage.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { WholeAnswer } from '../kit/relay/whole-answer.ts';

/** Watches one call's answer, in either lane: the only place that knows the dialect's usage rules. */
export interface Meter {
  /** One frame of a stream, before it is edited. */
  frame(frame: Frame): void;
  /**
   * How many bytes of text the last frame added, where it did nothing else, and any frame that differs from it in that text only
   * would do the same with its own; else 0, as where it is absent.
   */
  readonly addedText?: number;
  /** Such a frame, which is not given to `frame`, with so many bytes of text. */
  again?(textBytes: number): void;
  /** Whether the last frame given to `frame` is no part of an answer: a comment, an event of a kind that the format does not know. */
  readonly isUnknown?: boolean;
  /** A whole non-streamed answer. */
  body(answer: WholeAnswer): void;
  /** Usage as the provider reported it; null when it has not. */
  usage(): Usage | null;
  /** Which parts of it were reported; of an answer that was cut, the output is none of them. */
  reported(): ReportedParts;
  /** Whether something was reported that is no count (negative, not a number): a metric and an alert. */
  usageInvalid(): boolean;
  delivered(): Delivered;
  readonly state: MeterState;
  /**
   * Why the answer has failed though its stream goes on as if it had not: its last frame cannot be read, or only a choice
   * of it says that the provider failed. Null otherwise.
   */
  readonly failure: SilentFailure | null;
  /** Whether the stream's very last frame was seen (`[DONE]`, `message_stop`, an error): the relay holds that frame until the call is settled. */
  readonly ended: boolean;
  /** The provider's own id of the answer, or null. */
  readonly upstreamId: string | null;
  /** The reason the answer gave for its end, in the dialect's own words, or null. */
  readonly finishReason: string | null;
}

/** How far an answer has come. */
export type MeterState =
  /** Still running, or cut. */
  | 'open'
  /** The dialect's proper end was seen. */
  | 'finished'
  /** The provider reported an error inside the answer. */
  | 'failed'
  /** Ended properly but with nothing in it and no reason: nobody pays for that. */
  | 'empty';

/** `unreadable`: a frame that is no JSON, which no client could read; `reason`: a choice with an error, or with a reason that means one. */
export type SilentFailure = 'unreadable' | 'reason';

/** What a meter saw delivered: the basis of an estimate when the provider reports no usage. */
export interface Delivered {
  /** UTF-8 bytes of text, reasoning and tool arguments the answer carried so far. */
  readonly outputBytes: number;
  /** The same in tokens, where the model's own tokenizer is known to the meter; else null. */
  readonly outputTokens: number | null;
}
