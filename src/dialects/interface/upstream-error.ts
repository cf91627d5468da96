import type { ErrorCode } from '../../core/errors.ts';

/** A provider's refusal, understood well enough to decide what the caller gets. */
export interface UpstreamError {
  readonly code: ErrorCode;
  /** The same without the provider's words, which may quote a caller: by status and machine-readable codes. A 404 is one by itself. */
  readonly sureCode: ErrorCode;
  readonly status: number;
  /** True when the provider's own body may go to the caller as it is (a 4xx about the request itself). */
  readonly relayable: boolean;
  /** Whether it would be, if its body did not name something of the operator's. */
  readonly namesOperator: boolean;
  readonly retryAfterSeconds: number | null;
  /** The provider's message without anything secret, for the record; at most 200 characters. */
  readonly message: string;
  /** `quotableText` of that message: what a caller may read of trouble that is not the request's. Empty where it is no error of an API. */
  readonly quotable: string;
}
