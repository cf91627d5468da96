/**
 * A storage keeps what must outlive the process. Each member of this family is a folder; all pass
 * the suite of `contract.ts`. The ports are asynchronous and take whole batches, so that a
 * database across a network can implement them without a change to the call path.
 */
import type { AccountStore, AccountTopics } from '../accounts/ports.ts';
import type { BatchStore } from '../batches/ports.ts';
import type { LedgerMaintenance } from '../billing/maintenance-ports.ts';
import type { LedgerStore, PriceStore } from '../billing/ports.ts';
import type { OwnCredentialStore, OwnCredentialTopics } from '../byok/ports.ts';
import type { CaptureStore } from '../capture/ports.ts';
import type {
  AliasStore,
  AliasTopics,
  ListedPriceStore,
  ListedPriceTopics,
  ProviderStore,
  ProviderTopics,
} from '../catalog/ports.ts';
import type { Clock } from '../core/clock.ts';
import type { Feed } from '../core/feed.ts';
import type { Secret } from '../core/secret.ts';
import type { Transactions } from '../core/transactions.ts';
import type { GivenSecrets, RingTopics, SealedStore, Secrets } from '../credentials/ports.ts';
import type { FileStore } from '../files/ports.ts';
import type { CountExchange, SettledToday } from '../limits/ports.ts';
import type { CreationStore } from '../members/creation-ports.ts';
import type { AttemptStore, AuditStore, MembershipStore, UserStore } from '../members/ports.ts';
import type { NoticeBoard } from '../nodes/notices/ports.ts';
import type { NodeSettings, NodeStorage, VisitorBank } from '../nodes/ports.ts';
import type { LineAnswerStore, ReplayClaims } from '../replay/ports.ts';
import type { OthersRecords, RecordPlaces, RecordStore, StatsReader } from '../stats/ports.ts';
import type { ExaminedDatabase, ExamineOptions } from './examined-database.ts';
import type { MaintenanceSetting } from './maintenance-setting.ts';
import type { RestoredData, RestoreRequest } from './restore.ts';
import type { ReaderTimes } from './stats/question-reader.ts';

/** A member of the table of storages. */
export interface StorageMember {
  /**
   * Opens the data folder, which the caller must own (`openDataFolder`): migrates it to this program's version and settles
   * the calls that a crash interrupted. Throws an error that says what to do if that fails.
   */
  open(options: StorageOptions): Promise<Storage>;
  /** Whether this data folder contains an installation. Opens and creates nothing. */
  hasData(folder: string): boolean;
  /** What `doctor` shows of the database; null if everything is in the data folder. Throws an error that says what to do if it cannot be asked. */
  examine(options: ExamineOptions): Promise<ExaminedDatabase | null>;
  /** Creates a data folder from a backup, after verifying every byte of it. Throws `CannotRestore`. */
  restore(request: RestoreRequest): Promise<RestoredData>;
}

export interface StorageOptions {
  /** The data folder, absolute. */
  readonly folder: string;
  readonly clock: Clock;
  /** What a commit survives: a crash of the process, a power failure, or, with a database, the loss of the machine. */
  readonly durability: 'process' | 'power' | 'database';
  /** Null if everything is in the data folder. */
  readonly database: DatabaseOptions | null;
  /** The maximum size of all records, bytes. */
  readonly recordsBytesMax: number;
  /** The maximum size of all stored bodies, bytes; default 1 GiB. */
  readonly capturesBytesMax?: number;
  readonly reports?: ReaderTimes;
  readonly givenSecrets: GivenSecrets;
  readonly maintenance: MaintenanceSetting;
  /** Called with problems that no caller learns of; must not throw. */
  readonly onProblem: (problem: StorageProblem) => void;
}

export interface DatabaseOptions {
  readonly url: Secret;
  /** A replica that reports are read from. */
  readonly readUrl: Secret | null;
  /** The most connections for people, keys and settings. */
  readonly connections: number;
  /** What operators call this node; null for the name of its machine. */
  readonly nodeName: string | null;
  /** How it is configured, as far as nodes should agree on it. */
  readonly settings: NodeSettings;
  /** Whether it becomes a node that takes calls, or opens the database for one command. */
  readonly role: 'node' | 'command';
}

/** Whatever is in memory and changes in the database. */
export type StorageTopics = AccountTopics &
  ProviderTopics &
  OwnCredentialTopics &
  AliasTopics &
  ListedPriceTopics &
  RingTopics;

export interface Storage {
  /** Secrets, which the database never contains in clear. */
  readonly secrets: Secrets;
  /** Transactions over the stores of people, accounts, providers, aliases, entries and the audit log. */
  readonly transactions: Transactions;
  /** Changes of what is kept in memory. */
  readonly feed: Feed<StorageTopics>;
  /** What could not be read of what is kept in memory, in sentences that name the rows. */
  readonly unreadable: { list(): readonly string[] };
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly prices: PriceStore;
  /** Batches of callers, and which node runs each. */
  readonly batches: BatchStore;
  /** What the ledger stores of lines of batches until their results are in a file. */
  readonly lineAnswers: LineAnswerStore;
  /** Prices that were imported or pinned. */
  readonly listedPrices: ListedPriceStore;
  /** Providers created in the dashboard or with the management API. */
  readonly providers: ProviderStore;
  /** Credentials that accounts and projects bring themselves. */
  readonly ownCredentials: OwnCredentialStore;
  /** Aliases created in the dashboard, with a command or with the management API. */
  readonly aliases: AliasStore;
  readonly sealed: SealedStore;
  readonly users: UserStore;
  readonly memberships: MembershipStore;
  readonly audit: AuditStore;
  readonly creations: CreationStore;
  readonly records: RecordStore;
  readonly stats: StatsReader;
  /** Verifies, seals, exports and backs up. */
  readonly maintenance: LedgerMaintenance;
  /** Bodies of accounts that store them. */
  readonly captures: CaptureStore;
  /** Files of callers. */
  readonly files: FileStore;
  /** What nodes share; null for a storage of one process, and for a command. */
  readonly nodes: NodeStorage | null;
  /** What a command asks of the bank that nodes share; otherwise null. Such a storage settles no calls. */
  readonly visitor: VisitorBank | null;
  /** What nodes share besides money; null for a storage of one process, and for a command. */
  readonly shared: SharedStores | null;
  /** Whether calls can be settled; if not, the problem, for the operator. New calls are refused until it is `ready`. */
  health(): 'ready' | { readonly problem: string };
  /** Whether an error is caused by the disk, the file or a lock, and not by the request. */
  isTrouble(error: unknown): boolean;
  /** Writes what is pending and closes everything. */
  close(): Promise<void>;
}

export interface SharedStores {
  /** What each node has counted of limits, and what the ledger knows of a day. */
  readonly counts: CountExchange & SettledToday;
  /** Idempotency keys of calls that run. */
  readonly claims: ReplayClaims;
  /** Attempts to sign in. */
  readonly attempts: AttemptStore;
  readonly notices: NoticeBoard;
  /** What other nodes have recorded. */
  readonly records: OthersRecords & RecordPlaces;
}

/** Something that an operator should see and no caller learns of. */
export interface StorageProblem {
  readonly type:
    | 'commit_failed'
    | 'commit_delayed'
    /** Rows were written to the space that the ballast freed; no new call is admitted until the ballast can be created again. */
    | 'disk_full'
    /** A row that is kept in memory cannot be read: what it describes is refused. */
    | 'row_unreadable'
    | 'records_lost'
    | 'records_delayed'
    | 'records_over_limit'
    | 'captures_lost'
    | 'captures_over_limit'
    | 'checkpoint_failed'
    /** The replica for reports cannot be used: they are refused until it can. */
    | 'replica_unusable'
    /** Another process has this node's place; this one waits for it, and ends if it is not given up. */
    | 'place_in_use'
    /** The bank has another history than when this node last ran, as after a failover or a restore. */
    | 'database_went_back'
    /** The bank does not take settlements; they wait in the node's journal. */
    | 'settlements_delayed'
    /** The bank does not answer in time, so calls end when they are on this node's disk. */
    | 'durability_lowered'
    /** The bank had another settlement of a call, which counts. */
    | 'settlement_conflict'
    /** The bank refuses a settlement for what is in it; it is set aside in the journal. */
    | 'settlement_refused'
    /** The machine stopped, and its disk had not taken the end of the journal; `count` is of commits, at most. */
    | 'settlements_lost'
    /** Settlements arrived after their leases were over; the operator bears what was no longer free. */
    | 'settled_late'
    /** Settlements took more than was lent, although their leases were not over: a fault of this program. */
    | 'settled_unlent';
  /** The number of rows concerned; 1 if it is not about rows. Of what is over: how many had waited, or were concerned meanwhile. */
  readonly count: number;
  readonly cause: unknown;
  /** What was reported before is over, and lasted this long, ms; absent when it begins. */
  readonly overAfterMs?: number;
}
