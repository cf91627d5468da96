/** The ledger of one of several nodes: rows of calls are durable in its journal first, entries in the database. */
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
import type { Journal } from '../../journal/journal.ts';
import { SqlEntries } from '../../sql/entries.ts';
import { SqlReplays } from '../../sql/replays.ts';
import type { Schema } from '../../sql/schema.ts';
import { SqlStoredIds } from '../../sql/stored-ids.ts';
import type { Queryable } from '../engine/connections.ts';
import { FundBalances } from './fund-balances.ts';
import { loadLedger } from './load-ledger.ts';

export interface PostgresLedgerParts {
  readonly kysely: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly connection: Queryable;
  readonly journal: Pick<Journal, 'commit' | 'forwardAll' | 'recovered'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Balances end at zero if they are paid in advance. */
  readonly isPrepaid: boolean;
}

/** How long a refund waits for settlements of this node to reach the database. */
const FORWARD_MS = 2_000;

export class PostgresLedger implements LedgerStore {
  readonly recovered: number;
  readonly #parts: PostgresLedgerParts;
  readonly #entries: SqlEntries;
  readonly #replays: SqlReplays;
  readonly #storedIds: SqlStoredIds;

  constructor(parts: PostgresLedgerParts) {
    const { kysely, transactions, journal, isPrepaid } = parts;
    this.recovered = journal.recovered;
    this.#parts = parts;
    this.#entries = new SqlEntries(kysely, transactions, new FundBalances(kysely, isPrepaid));
    this.#replays = new SqlReplays(kysely);
    this.#storedIds = new SqlStoredIds(kysely);
  }

  commit(rows: readonly LedgerRow[]): Promise<void> {
    return this.#parts.journal.commit(rows);
  }

  async post(entry: NewEntry, rules: PostingRules, note?: NotePosted): Promise<PostAnswer> {
    // Within a transaction nothing else may be waited for.
    if (entry.callId !== null && !this.#parts.transactions.isOpen) await this.#parts.journal.forwardAll(FORWARD_MS);
    return this.#entries.post(entry, rules, note);
  }

  entry(accountId: AccountId, reference: string): Promise<PostedEntry | null> {
    return this.#entries.entry(accountId, reference);
  }

  async chargeOf(callId: CallId): Promise<ChargedCall | null> {
    if (!this.#parts.transactions.isOpen) await this.#parts.journal.forwardAll(FORWARD_MS);
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

  load(): Promise<LoadedLedger> {
    const { connection, clock } = this.#parts;
    return loadLedger(connection, clock.now());
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
