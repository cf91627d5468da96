/**
 * A storage keeps what must outlive the process. A member of this family is a folder; all pass
 * the suite of `contract.ts`. Its ports are asynchronous and take whole batches, so that a
 * database across a network fits behind them without a change to the call path.
 */
import type { AccountStore, AccountTopics } from '../accounts/ports.ts';
import type { LedgerMaintenance } from '../billing/maintenance-ports.ts';
import type { LedgerStore, PriceStore } from '../billing/ports.ts';
import type { CaptureStore } from '../capture/ports.ts';
import type { ProviderStore, ProviderTopics } from '../catalog/ports.ts';
import type { Clock } from '../core/clock.ts';
import type { Feed } from '../core/feed.ts';
import type { Transactions } from '../core/transactions.ts';
import type { GivenSecrets, SealedStore, Secrets } from '../credentials/ports.ts';
import type { CreationStore } from '../members/creation-ports.ts';
import type { AuditStore, MembershipStore, UserStore } from '../members/ports.ts';
import type { RecordStore, StatsReader } from '../stats/ports.ts';
import type { MaintenanceSetting } from './maintenance-setting.ts';
import type { RestoredData, RestoreRequest } from './restore.ts';
import type { ReaderTimes } from './stats/question-reader.ts';

/** What the table of storages has of each member. */
export interface StorageMember {
  /**
   * Opens what is in the data folder, which the caller owns (`openDataFolder`): brings it up to this program's version and settles
   * the calls that a crash cut off. Throws, with what to do, where that cannot be done.
   */
  open(options: StorageOptions): Promise<Storage>;
  /** Whether an installation has begun in this data folder. Nothing is opened or made. */
  hasData(folder: string): boolean;
  /** Makes a data folder from a backup, after looking at every byte of it. Throws `CannotRestore`. */
  restore(request: RestoreRequest): Promise<RestoredData>;
}

export interface StorageOptions {
  /** The data folder, absolute. */
  readonly folder: string;
  readonly clock: Clock;
  /** What a commit survives: the end of the process, or of the power. The latter waits for the disk, on a thread. */
  readonly durability: 'process' | 'power';
  /** What records may take together, bytes. */
  readonly recordsBytesMax: number;
  /** What kept bodies may take together, bytes; 1 GiB when absent. */
  readonly capturesBytesMax?: number;
  readonly reports?: ReaderTimes;
  readonly givenSecrets: GivenSecrets;
  readonly maintenance: MaintenanceSetting;
  /** Told of what no caller is told of; must not throw. */
  readonly onProblem: (problem: StorageProblem) => void;
}

export interface Storage {
  /** What no database shall have in clear. */
  readonly secrets: Secrets;
  /** Of all that is asked of the stores of people, accounts, providers, entries and the audit log. */
  readonly transactions: Transactions;
  /** What changed of accounts and providers, for what follows it in memory. */
  readonly feed: Feed<AccountTopics & ProviderTopics>;
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
  /** Verifies, seals, exports and backs up. */
  readonly maintenance: LedgerMaintenance;
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
