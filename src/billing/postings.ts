/**
 * Posts entries, and keeps the purses in memory in step with the ledger: each entry is applied to its purse once, whoever
 * learns of it first. An entry that the disk refused may have been written all the same: what it would take is held until the
 * ledger knows.
 */
import type { EntryId } from '../core/ids.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { BillingMode } from './billing-mode.ts';
import type { NewEntry, PostAnswer, PostedEntry } from './entry.ts';
import type { LedgerStore, NotePosted } from './ports.ts';
import { postingRules } from './posting-rules.ts';
import type { Purse } from './purse.ts';

interface Posting {
  readonly entry: NewEntry;
  readonly purse: Purse;
  /** Held in the purse while it is unknown whether the entry was written. */
  readonly held: Money;
}

export class Postings {
  readonly #store: Pick<LedgerStore, 'post' | 'entry'>;
  readonly #mode: BillingMode;
  /** Every entry up to this one has been applied to its purse. */
  #through: number;
  /** Later entries that have been applied to their purse. */
  readonly #after = new Set<EntryId>();
  #underWay = 0;
  /** Refused by the disk; not known yet whether they were written. */
  readonly #unsure = new Set<Posting>();

  constructor(store: Pick<LedgerStore, 'post' | 'entry'>, mode: BillingMode, lastEntry: EntryId | null) {
    this.#store = store;
    this.#mode = mode;
    this.#through = lastEntry ?? 0;
  }

  /** Whether `settle` has anything to ask about. */
  get isUnsure(): boolean {
    return this.#unsure.size > 0;
  }

  async post(entry: NewEntry, purse: Purse, note?: NotePosted): Promise<PostAnswer> {
    this.settle();
    const debitMax = this.#mode === 'prepaid' ? purse.available : null;
    const rules = postingRules(entry, this.#mode, debitMax);
    const debit = (entry.amount < 0n ? -entry.amount : NO_MONEY) as Money;
    // Not for one that will be refused unless it was posted before.
    const held = debitMax === null || debit <= debitMax ? debit : NO_MONEY;
    const posting: Posting = { entry, purse, held };
    // Held while it is being written, so that no call takes it.
    purse.held += held;
    this.#underWay += 1;
    try {
      const answer = await this.#store.post(entry, rules, note);
      if (answer.refused === null) this.#follow(answer.entry, purse);
      purse.held -= held;
      return answer;
    } catch (error) {
      this.#unsure.add(posting);
      void this.#ask(posting);
      throw error;
    } finally {
      this.#underWay -= 1;
      this.#forget();
    }
  }

  /** Asks the ledger again whether uncertain entries were written. */
  settle(): void {
    for (const posting of this.#unsure) void this.#ask(posting);
  }

  /** Never rejects. */
  async #ask(posting: Posting): Promise<void> {
    const { entry, purse, held } = posting;
    try {
      const posted = await this.#store.entry(entry.accountId, entry.reference);
      // Another request may have learned it first.
      if (!this.#unsure.delete(posting)) return;
      if (posted !== null) this.#follow(posted, purse);
      purse.held -= held;
      this.#forget();
    } catch {
      // Asked again before the next call or entry.
    }
  }

  #follow(posted: PostedEntry, purse: Purse): void {
    const { id } = posted;
    if (id <= this.#through || this.#after.has(id)) return;
    this.#after.add(id);
    purse.post(posted);
  }

  /** If nothing is under way, every entry of the ledger up to the latest has been applied to its purse. */
  #forget(): void {
    if (this.#underWay > 0 || this.#unsure.size > 0) return;
    for (const id of this.#after) if (id > this.#through) this.#through = id;
    this.#after.clear();
  }
}
