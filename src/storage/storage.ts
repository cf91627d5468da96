/**
 * A storage keeps what must outlive the process. A member of this family is a folder; all pass
 * the suite of `contract.ts`. Its ports are asynchronous and take whole batches, so that a
 * database across a network fits behind them without a change to the call path.
 */
import type { AccountStore } from '../accounts/ports.ts';
import type { LedgerStore, PriceStore } from '../billing/ports.ts';
import type { CaptureStore } from '../capture/ports.ts';
import type { ProviderStore } from '../catalog/ports.ts';
import type { SealedStore } from '../credentials/ports.ts';
import type { CreationStore } from '../members/creation-ports.ts';
import type { AuditStore, MembershipStore, UserStore } from '../members/ports.ts';
import type { RecordStore, StatsReader } from '../stats/ports.ts';

export interface Storage {
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly prices: PriceStore;
  /** Those of the dashboard. */
  readonly providers: ProviderStore;
  readonly sealed: SealedStore;
  readonly users: UserStore;
  readonly memberships: MembershipStore;
  readonly audit: AuditStore;
  readonly creations: CreationStore;
  readonly records: RecordStore;
  readonly stats: StatsReader;
  /** Bodies that accounts let be kept. */
  readonly captures: CaptureStore;
  /** Whether calls can be settled; if not, what the operator has to know. New calls are refused until it is `ready`. */
  health(): 'ready' | { readonly problem: string };
  /** Whether an error says that the disk, the file or a lock is at fault, and not what was asked for. */
  isTrouble(error: unknown): boolean;
  /** Writes what is waiting and lets go of everything. */
  close(): Promise<void>;
}

/** Something an operator should see that no caller is told of. */
export interface StorageProblem {
  readonly type:
    | 'commit_failed'
    | 'commit_delayed'
    /** Rows were written into the room that the ballast left; no new call is admitted until there is room for it again. */
    | 'disk_full'
    | 'records_lost'
    | 'records_delayed'
    | 'records_over_limit'
    | 'captures_lost'
    | 'captures_over_limit'
    | 'checkpoint_failed';
  /** How many rows it concerns; 1 where rows are not what it is about. */
  readonly count: number;
  readonly cause: unknown;
}
