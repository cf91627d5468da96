/** The detail row of a call: who, what, tokens, cost, timings, ending. */
import type { CallLabels } from '../core/call-labels.ts';
import type { Settlement } from '../core/settlement.ts';

/** One try at one target within a call. */
export interface Attempt {
  readonly provider: string;
  readonly upstreamModel: string;
  /** The provider's HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** Our error code when the attempt failed, else null. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** A settlement and everything else worth showing; kept in day files, droppable by the day. */
export interface CallRecord extends Settlement {
  readonly dialect: string;
  /** The dialect the provider was called in; null when it was not reached. */
  readonly upstreamDialect: string | null;
  readonly upstreamId: string | null;
  readonly streamed: boolean;
  /** The status the caller saw. */
  readonly status: number;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly attempts: readonly Attempt[];
  readonly warnings: readonly string[];
  /** From admission to the provider's first byte, ms; null when there was none. */
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Null where the caller said none. */
  readonly labels: CallLabels | null;
}
