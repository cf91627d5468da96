/** Where attempts are counted: in this process, or for all nodes. */
import type { BucketRate } from './token-buckets.ts';

/** A rate of its own for each name, such as an address. */
export interface AttemptRate extends BucketRate {
  readonly kind: 'address' | 'mail_address' | 'mail' | 'code' | 'invitations' | 'invited';
}

/** How the wait grows with failures in a row. */
export interface FailureRule {
  /** Failures before the first wait. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly waitMaxMs: number;
  /** Failures are forgotten after so long without an attempt. */
  readonly forgottenMs: number;
}

export interface AttemptCounts {
  /** Takes one token of a name's bucket. Resolves to 0, or to the ms to wait first; then none is taken. */
  take(rate: AttemptRate, name: string): Promise<number>;
  giveBack(rate: AttemptRate, name: string): Promise<void>;
  /** Counts an attempt as failed. Resolves to 0, or to the ms to wait first; then it is not counted. */
  count(rule: FailureRule, subject: string): Promise<number>;
  /** It has succeeded: its subject has no failures. */
  forget(subject: string): Promise<void>;
}
