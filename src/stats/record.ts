/** The detail row of a call: who, what, tokens, cost, timings, ending. */
import type { CallLabels } from '../core/call-labels.ts';
import type { Settlement } from '../core/settlement.ts';

/**
 * Why a candidate was tried, or left out: the first, the next after one that failed, or the same again; a word of routing's (`unaffordable`,
 * `cannot_express`) if it was not tried.
 */
export type AttemptReason = 'first' | 'fallback' | 'again' | (string & {});

/** One try at one target within a call, or why there was none. */
export interface Attempt {
  readonly provider: string;
  readonly upstreamModel: string;
  /** The provider's HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** Our error code if the attempt failed, otherwise null. */
  readonly error: string | null;
  /** Null in records of builds that did not keep it. */
  readonly reason: AttemptReason | null;
  /** When it began, from the call's start; null as above. */
  readonly startMs: number | null;
  readonly durationMs: number;
}

/** A settlement and everything else worth showing; kept in day files, droppable by the day. */
export interface CallRecord extends Settlement {
  /** The model as the caller wrote it, at most 128 characters; null if that is the id of `model`. */
  readonly asked: string | null;
  readonly dialect: string;
  /** The dialect the provider was called in; null when it was not reached. */
  readonly upstreamDialect: string | null;
  readonly upstreamId: string | null;
  readonly streamed: boolean;
  /** The HTTP status that the caller got. */
  readonly status: number;
  readonly errorCode: string | null;
  readonly finishReason: string | null;
  readonly attempts: readonly Attempt[];
  readonly warnings: readonly string[];
  /** From admission to the provider's first byte, ms; null if none arrived. */
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Null if the caller sent none. */
  readonly labels: CallLabels | null;
  /** Read, not written: nobody is charged, because its node was lost and another call has its idempotency key or its line of a batch. */
  readonly isSuperseded?: boolean;
}

/** False if only the settlement of the call is left, such as after a crash or a move between databases: its status, times and sizes are unknown. */
export function hasDetail({ status, durationMs }: Pick<CallRecord, 'status' | 'durationMs'>): boolean {
  return status !== 0 || durationMs !== 0;
}
