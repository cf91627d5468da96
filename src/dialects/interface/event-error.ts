import type { GatewayError } from '../../core/errors.ts';

/** An event of a stream that says that the answer has failed. */
export interface EventError {
  /** The same error as a translated stream tells it. */
  readonly error: GatewayError;
  /** Whether the event may go to the caller as it came: nothing of it is the operator's own affair. */
  readonly isSafe: boolean;
  /** `openai-chat`: the error as an event of nothing else, which some clients look for; null where this event is one, and elsewhere. */
  readonly alone: Buffer | null;
}
