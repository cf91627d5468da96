import type { ErrorCode } from '../../core/errors.ts';

/** A provider's refusal, understood well enough to decide what the caller gets. */
export interface UpstreamError {
  readonly code: ErrorCode;
  /** The same without regard to the provider's words, which may quote a caller: from the status and machine-readable codes only. */
  readonly sureCode: ErrorCode;
  readonly status: number;
  /** Whether the provider's body may be passed to the caller unchanged (a 4xx about the request itself). */
  readonly relayable: boolean;
  /** Whether it would be relayable if its body did not name something of the operator's (a key, an account). */
  readonly namesOperator: boolean;
  readonly retryAfterSeconds: number | null;
  /** The provider's message without anything secret, for the record; at most 200 characters. */
  readonly message: string;
  /**
   * `quotableText` of that message: what a caller may read of an error that is not about its request. Empty if the body is not an API's
   * error.
   */
  readonly quotable: string;
}
