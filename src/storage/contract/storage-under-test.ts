/** What the tests of a storage see of it, past its ports. */
import type { ManualClock } from '../../core/clock.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { Storage } from '../storage.ts';

export interface StorageUnderTest {
  readonly storage: Storage;
  readonly clock: ManualClock;
  /** Every settlement in the storage, read past its ports, in order of call id. */
  settlements(): Promise<readonly Settlement[]>;
  /** Every hold, in order of call id. */
  holds(): Promise<readonly Settlement[]>;
  /** Every row of the sums by the hour or by the day, in no order. */
  rollups(span: 'hour' | 'day'): Promise<readonly Rollup[]>;
  /** Closes the storage and opens it again on the same data. */
  reopen(): Promise<StorageUnderTest>;
  /** Closes it and removes its data. */
  dispose(): Promise<void>;
}

export interface Rollup {
  /** Hours or days since 1970 UTC. */
  readonly start: number;
  readonly accountId: number;
  readonly projectId: number;
  readonly keyId: number;
  readonly model: string;
  readonly provider: string;
  readonly calls: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  readonly cost: bigint;
  readonly charge: bigint;
}

/** Runs a test of one promise, on a storage of its own; the storage it gives back is the one to dispose of. */
export type Promising = (
  sentence: string,
  run: (subject: StorageUnderTest) => Promise<StorageUnderTest | undefined>,
) => void;
