/**
 * A disk between the bank and its ledger that holds writes back, refuses them, or loses them with the
 * process, as the simulator decides. What it let through is in the books.
 */
import type {
  KeptReplay,
  LedgerRow,
  LedgerStore,
  NewEntry,
  PostAnswer,
  PostedEntry,
  PostingRules,
} from '../../../src/billing/ports.ts';
import type { AccountId, CallId, EntryId } from '../../../src/core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../../src/core/money.ts';
import type { Books } from './books.ts';

/** `short`: written into the ballast, no new call is admitted. `full` passes, `broken` lasts until a restart. */
export type DiskState = 'ready' | 'short' | 'full' | 'broken';

export class DiskRefusal extends Error {}

/** It was written, and the answer was lost. */
export class LostAnswer extends DiskRefusal {}

type Write =
  | { readonly type: 'commit'; readonly rows: readonly LedgerRow[]; readonly done: PromiseWithResolvers<void> }
  | {
      readonly type: 'post';
      readonly entry: NewEntry;
      readonly rules: PostingRules;
      readonly done: PromiseWithResolvers<PostAnswer>;
    };

export class UnsureDisk implements LedgerStore {
  /** How many writes it refused. */
  refusals = 0;
  readonly recovered = 0;
  readonly #store: LedgerStore;
  readonly #books: Books;
  /** Called with the rows whose callers have just learnt that they are durable. */
  readonly #onAcknowledged: (rows: readonly LedgerRow[]) => void;
  #waiting: Write[] = [];
  #state: DiskState = 'ready';
  #asking = 0;
  /** While set, entries are written and their answers are lost. */
  losesAnswers = false;
  /** A refusal is noticed by the first write that meets it. */
  #isNoticed = false;

  constructor(store: LedgerStore, books: Books, onAcknowledged: (rows: readonly LedgerRow[]) => void) {
    this.#store = store;
    this.#books = books;
    this.#onAcknowledged = onAcknowledged;
  }

  get state(): DiskState {
    return this.#state;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  isWritable(): boolean {
    return this.#state === 'ready' || (this.#state !== 'short' && !this.#isNoticed);
  }

  turn(state: DiskState): void {
    if (this.#state === 'broken') return;
    this.#state = state;
    this.#isNoticed = false;
  }

  /** What negative adjustments that wait here would take from an account. */
  debitsOf(account: number): bigint {
    let debits = 0n;
    for (const write of this.#waiting)
      if (write.type === 'post' && write.entry.accountId === account && isCovered(write)) debits -= write.entry.amount;
    return debits;
  }

  /** Writes what waits, in order, and confirms it. */
  async flush(): Promise<void> {
    const writes = this.#waiting;
    this.#waiting = [];
    if (this.#state === 'full' || this.#state === 'broken') {
      this.#isNoticed = true;
      this.refusals += writes.length;
      for (const { done } of writes) done.reject(new DiskRefusal(`the disk is ${this.#state}`));
      return this.#askedAgain();
    }
    // Requested in one turn, so that the storage makes one transaction of the commits.
    const written = await Promise.all(writes.map((write) => this.#write(write)));
    for (const [index, acknowledge] of written.entries()) {
      const write = writes[index];
      if (this.losesAnswers && write?.type === 'post') write.done.reject(new LostAnswer());
      else acknowledge();
    }
    await this.#askedAgain();
  }

  /** The bank asks what happened to entries without an answer. */
  async #askedAgain(): Promise<void> {
    do await null;
    while (this.#asking > 0);
  }

  /** The process dies: the first `count` writes were made but never confirmed, and the others are lost. */
  async die(count: number): Promise<void> {
    const made = this.#state === 'ready' || this.#state === 'short' ? this.#waiting.slice(0, count) : [];
    this.#waiting = [];
    for (const write of made) await this.#write(write);
  }

  async #write(write: Write): Promise<() => void> {
    if (write.type === 'commit') {
      await this.#store.commit(write.rows);
      this.#books.committed(write.rows);
      return () => {
        this.#onAcknowledged(write.rows);
        write.done.resolve();
      };
    }
    const answer = await this.#store.post(write.entry, write.rules);
    if (answer.refused === null && answer.isNew) this.#books.posted(write.entry);
    return () => write.done.resolve(answer);
  }

  commit(rows: readonly LedgerRow[]): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ type: 'commit', rows, done });
    return done.promise;
  }

  post(entry: NewEntry, rules: PostingRules): Promise<PostAnswer> {
    const done = Promise.withResolvers<PostAnswer>();
    this.#waiting.push({ type: 'post', entry, rules, done });
    return done.promise;
  }

  async entry(accountId: AccountId, reference: string): Promise<PostedEntry | null> {
    this.#asking += 1;
    try {
      return await this.#store.entry(accountId, reference);
    } finally {
      this.#asking -= 1;
    }
  }

  chargeOf(callId: CallId): ReturnType<LedgerStore['chargeOf']> {
    return this.#store.chargeOf(callId);
  }

  sealedThrough(): Promise<string | null> {
    return this.#store.sealedThrough();
  }

  entries(
    accountId: AccountId,
    page: { readonly before: EntryId | null; readonly limit: number },
  ): Promise<readonly PostedEntry[]> {
    return this.#store.entries(accountId, page);
  }

  load(): ReturnType<LedgerStore['load']> {
    return this.#store.load();
  }

  replays(nowMs: number): AsyncIterable<KeptReplay> {
    return this.#store.replays(nowMs);
  }

  replayAnswer(callId: CallId): Promise<Uint8Array | null> {
    return this.#store.replayAnswer(callId);
  }

  storedIds(...asked: Parameters<LedgerStore['storedIds']>): ReturnType<LedgerStore['storedIds']> {
    return this.#store.storedIds(...asked);
  }

  forgetStored(...asked: Parameters<LedgerStore['forgetStored']>): Promise<void> {
    return this.#store.forgetStored(...asked);
  }

  forgetStoredBefore(ms: number): Promise<void> {
    return this.#store.forgetStoredBefore(ms);
  }
}

/** Whether the bank set aside what a debit takes: the rules would let it pass in an account that has everything. */
function isCovered({ entry, rules }: Extract<Write, { readonly type: 'post' }>): boolean {
  if (entry.amount >= 0n) return false;
  const totals = { balance: nanoUsd(EVERYTHING), credited: nanoUsd(EVERYTHING), charged: NO_MONEY };
  return rules({ totals, call: null }) !== 'exceeds_available';
}

/** Nano-USD: more than the simulator ever gives. */
const EVERYTHING = 10n ** 18n;
