import type { ChatEvent } from '../../chat/response.ts';

/** Writes one answer as a stream. Events come as a reader promises them. */
export interface StreamWriter {
  /** The bytes for the caller; may be empty. */
  event(event: ChatEvent): Buffer;
  /**
   * The parts that every event is written in which differs in its text only from this one, the last that was given: that text as JSON
   * stands between each part and the next. Null where it is not the same for all; absent where that is never looked for.
   */
  surround?(event: ChatEvent): readonly Buffer[] | null;
}

/** What a writer of answers may ask of the call it serves. */
export interface WriteContext {
  /** The model string the caller sent. */
  readonly callerModel: string;
  /** See `AnswerContext`. */
  readonly provider?: string;
  /** The answer's id, without a prefix: our generation id. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Whether the caller asked for a usage chunk in its own way. */
  readonly wantsUsage: boolean;
  /** Whether the caller sees what the model thinks. */
  readonly showsReasoning: boolean;
  /** Whether the caller asked for it to be hidden: then leaving it out is no loss. */
  readonly hidesReasoning?: boolean;
  /** `openai-chat`: whether a call is written in the old way, as `function_call`. */
  readonly oldFunctions?: boolean;
  /** To which the writer adds, a short sentence each, what of the answer cannot be said in its format. */
  readonly warnings: Set<string>;
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}
