/** The ledger of one node: group commits, and occasional reads and entries. */
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type {
  ChargedCall,
  KeptReplay,
  LedgerRow,
  LedgerStore,
  LoadedLedger,
  NewEntry,
  NotePosted,
  PostAnswer,
  PostedEntry,
  PostingRules,
  StoredId,
} from '../../../billing/ports.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AccountId, CallId, EntryId, ProjectId } from '../../../core/ids.ts';
import type { Transactions } from '../../../core/transactions.ts';
import { SqlEntries } from '../../sql/entries.ts';
import { SqlReplays } from '../../sql/replays.ts';
import type { Schema } from '../../sql/schema.ts';
import { SqlStoredIds } from '../../sql/stored-ids.ts';
import type { GroupCommit } from './group-commit.ts';
import { loadLedger } from './load-ledger.ts';

export interface SqliteLedgerParts {
  readonly database: DatabaseSync;
  readonly kysely: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly commits: GroupCommit;
  readonly clock: Clock;
  readonly recovered: number;
}

export class SqliteLedger implements LedgerStore {
  readonly recovered: number;
  readonly #database: DatabaseSync;
  readonly #commits: GroupCommit;
  readonly #clock: Clock;
  readonly #entries: SqlEntries;
  readonly #replays: SqlReplays;
  readonly #storedIds: SqlStoredIds;

  constructor({ database, kysely, transactions, commits, clock, recovered }: SqliteLedgerParts) {
    this.recovered = recovered;
    this.#database = database;
    this.#commits = commits;
    this.#clock = clock;
    this.#entries = new SqlEntries(kysely, transactions);
    this.#replays = new SqlReplays(kysely);
    this.#storedIds = new SqlStoredIds(kysely);
  }

  commit(rows: readonly LedgerRow[]): Promise<void> {
    return this.#commits.commit(rows);
  }

  post(entry: NewEntry, rules: PostingRules, note?: NotePosted): Promise<PostAnswer> {
    return this.#entries.post(entry, rules, note);
  }

  entry(accountId: AccountId, reference: string): Promise<PostedEntry | null> {
    return this.#entries.entry(accountId, reference);
  }

  chargeOf(callId: CallId): Promise<ChargedCall | null> {
    return this.#entries.chargeOf(callId);
  }

  sealedThrough(): Promise<string | null> {
    return this.#entries.sealedThrough();
  }

  entries(
    accountId: AccountId,
    page: { readonly before: EntryId | null; readonly limit: number },
  ): Promise<readonly PostedEntry[]> {
    return this.#entries.entries(accountId, page);
  }

  async load(): Promise<LoadedLedger> {
    return loadLedger(this.#database, this.#clock.now());
  }

  replays(nowMs: number): AsyncIterable<KeptReplay> {
    return this.#replays.replays(nowMs);
  }

  replayAnswer(callId: CallId): Promise<Uint8Array | null> {
    return this.#replays.replayAnswer(callId);
  }

  storedIds(projectId: ProjectId, digests: readonly Uint8Array[]): Promise<readonly StoredId[]> {
    return this.#storedIds.storedIds(projectId, digests);
  }

  forgetStored(projectId: ProjectId, digest: Uint8Array): Promise<void> {
    return this.#storedIds.forgetStored(projectId, digest);
  }

  forgetStoredBefore(ms: number): Promise<void> {
    return this.#storedIds.forgetStoredBefore(ms);
  }
}
