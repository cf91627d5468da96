import type { ChatEvent } from '../../chat/response.ts';
import type { GatewayError } from '../../core/errors.ts';

/** Writes one answer as a stream. Events come in the order that a reader promises. */
export interface StreamWriter {
  /** The bytes for the caller; may be empty. */
  event(event: ChatEvent): Buffer;
  /**
   * For events that differ only in their text from this one, the last one written: the constant parts of the output, with the text as JSON
   * between each part and the next. Null if the output differs in more than that; absent if the writer never checks.
   */
  surround?(event: ChatEvent): readonly Buffer[] | null;
  /** The bytes that end the stream with an error, if they depend on what was written. If absent, those of `writeStreamError`. */
  fail?(error: GatewayError): Buffer;
}

/** What a writer of answers needs to know about the call. */
export interface WriteContext {
  /** The model string the caller sent. */
  readonly callerModel: string;
  /** See `AnswerContext`. */
  readonly provider?: string;
  /** The answer's id: our generation id, without a prefix. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Whether the caller asked for a usage chunk, in its format. */
  readonly wantsUsage: boolean;
  /** Whether the caller sees what the model thinks. */
  readonly showsReasoning: boolean;
  /** Whether the caller asked to hide it: then leaving it out is not a loss. */
  readonly hidesReasoning?: boolean;
  /** `openai-chat`: whether a tool call is written as `function_call` (deprecated). */
  readonly oldFunctions?: boolean;
  /** `forAnswer` of the request that this dialect read. */
  readonly forAnswer?: object;
  /** The writer adds short sentences about what its format cannot express of the answer. */
  readonly warnings: Set<string>;
  /** The price of the usage seen so far as an exact decimal number literal in USD, or null when it has no price. */
  cost(): string | null;
}
