/** A storage under test, with direct access to its rows. */
import type { ManualClock } from '../../core/clock.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { Storage } from '../storage.ts';

export interface StorageUnderTest {
  readonly storage: Storage;
  readonly clock: ManualClock;
  /** Every settlement in the storage, read directly, in order of call id. */
  settlements(): Promise<readonly Settlement[]>;
  /** Every hold, in order of call id. */
  holds(): Promise<readonly Settlement[]>;
  /** Every hourly or daily sum, in no particular order. */
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

/** Tests one promise of the contract on a separate storage; disposes the storage that `run` returns, if any. */
export type Promising = (
  sentence: string,
  run: (subject: StorageUnderTest) => Promise<StorageUnderTest | undefined>,
) => void;
