import type { GatewayError } from '../../core/errors.ts';

/** An event of a stream that reports that the answer has failed. */
export interface EventError {
  /** The same error as a translated stream reports it. */
  readonly error: GatewayError;
  /** Whether the event may be passed to the caller unchanged: nothing in it concerns only the operator. */
  readonly isSafe: boolean;
  /** `openai-chat`: the error as a separate event, which some clients expect; null if this event is one, and in other dialects. */
  readonly alone: Buffer | null;
}
