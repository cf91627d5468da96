import type { ReportedParts, Usage } from '../../core/usage.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { WholeAnswer } from '../kit/relay/whole-answer.ts';

/** Meters one call's answer, in either lane: the only code that knows the dialect's usage rules. */
export interface Meter {
  /** One frame of a stream, before it is edited. */
  frame(frame: Frame): void;
  /**
   * How many bytes of text the last frame added, if it did nothing else and any frame that differs only in that text would do the same;
   * otherwise, or if absent, 0.
   */
  readonly addedText?: number;
  /** Counts such a frame, which is not passed to `frame`, with `textBytes` of text. */
  again?(textBytes: number): void;
  /** Whether the last frame passed to `frame` is not part of an answer: a comment, or an event of an unknown type. */
  readonly isUnknown?: boolean;
  /** A whole non-streamed answer. */
  body(answer: WholeAnswer): void;
  /** Usage as the provider reported it; null when it has not. */
  usage(): Usage | null;
  /** Which parts of it were reported; in an answer that was cut off, output is not one of them. */
  reported(): ReportedParts;
  /** Whether a reported value is not a count (negative, not a number): for a metric and an alert. */
  usageInvalid(): boolean;
  delivered(): Delivered;
  readonly state: MeterState;
  /**
   * Why the answer has failed although its stream continues: its last frame cannot be read, or only a choice in it says that the provider
   * failed. Null otherwise.
   */
  readonly failure: SilentFailure | null;
  /** Whether the stream's very last frame was seen (`[DONE]`, `message_stop`, an error): the relay holds that frame until the call is settled. */
  readonly ended: boolean;
  /** The provider's id for the answer, or null. */
  readonly upstreamId: string | null;
  /** The ids of the answer and of its items by which later requests may name them, as far as they were seen. Absent if the format has none. */
  storedIds?(): readonly string[];
  /** The ids of containers in which the provider's tools ran, which it keeps whether or not it keeps the answer. */
  containerIds?(): readonly string[];
  /** The answer's finish reason, in the dialect's words, or null. */
  readonly finishReason: string | null;
}

/** How far an answer has got. */
export type MeterState =
  /** Still running, or cut off. */
  | 'open'
  /** The dialect's proper end was seen. */
  | 'finished'
  /** The provider reported an error inside the answer. */
  | 'failed'
  /** Ended properly but empty and without a reason: it is not charged. */
  | 'empty';

/** `unreadable`: a frame that is not JSON; `reason`: a choice with an error, or with a finish reason that means one. */
export type SilentFailure = 'unreadable' | 'reason';

/** What the meter has seen delivered: the basis of an estimate if the provider reports no usage. */
export interface Delivered {
  /** UTF-8 bytes of text, reasoning and tool arguments so far. */
  readonly outputBytes: number;
  /** The same in tokens, if the meter knows the model's tokenizer; otherwise null. */
  readonly outputTokens: number | null;
  /** The uses of the provider's tools so far; absent if the format does not show them. */
  readonly toolUses?: Pick<Usage, 'webSearches' | 'fileSearches' | 'codeContainers'>;
  /** Tokens of sound, which `outputTokens` does not include; absent if none. */
  readonly audioTokens?: number;
  /** What was delivered, or is owed, that is not counted in tokens; absent if nothing. */
  readonly units?: Pick<Usage, 'units' | 'unitLine'>;
}
