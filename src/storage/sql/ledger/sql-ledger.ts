/** What the ledgers of all engines share: entries, replays and stored ids, which are rows of the main database. */
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
import type { AccountId, CallId, EntryId, ProjectId } from '../../../core/ids.ts';
import type { SqlEntries } from '../entries.ts';
import { SqlReplays } from '../replays.ts';
import type { Schema } from '../schema.ts';
import { SqlStoredIds } from '../stored-ids.ts';

export abstract class SqlLedger implements LedgerStore {
  abstract readonly recovered: number;
  readonly #entries: SqlEntries;
  readonly #replays: SqlReplays;
  readonly #storedIds: SqlStoredIds;

  constructor(kysely: Kysely<Schema>, entries: SqlEntries) {
    this.#entries = entries;
    this.#replays = new SqlReplays(kysely);
    this.#storedIds = new SqlStoredIds(kysely);
  }

  abstract commit(rows: readonly LedgerRow[]): Promise<void>;

  abstract load(): Promise<LoadedLedger>;

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
