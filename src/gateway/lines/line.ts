/** A line of a batch, as the calls that the gateway makes for it know it. */
import type { BatchId, KeyId } from '../../core/ids.ts';

export interface Line {
  readonly batchId: BatchId;
  /** From 0, in the order of the input. */
  readonly number: number;
  /** The key that made the batch. Its rights are judged when the line runs. */
  readonly keyId: KeyId;
  /** Where the caller that made the batch called from; null if that is not known. */
  readonly address: string | null;
}
