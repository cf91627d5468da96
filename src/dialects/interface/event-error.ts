import type { GatewayError } from '../../core/errors.ts';

/** An event of a stream that reports that the answer has failed. */
export interface EventError {
  /** The same error as a translated stream reports it. */
  readonly error: GatewayError;
  /** Whether the event may be passed to the caller unchanged: nothing in it concerns only the operator. */
  readonly isSafe: boolean;
  /** The error as another event, which some clients of the format expect after this one; null if this event is that one, or none is expected. */
  readonly alone: Buffer | null;
}
