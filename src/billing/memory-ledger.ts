/**
 * A ledger in memory, for tests and the simulator: the simplest implementation of `LedgerStore`. A write can be refused, and
 * a crash loses what was not written.
 */
import { isDeepStrictEqual } from 'node:util';
import { assert } from '../core/assert.ts';
import { dayOf, monthOf, weekOf } from '../core/calendar.ts';
import { type AccountId, type CallId, type EntryId, entryId, type ProjectId } from '../core/ids.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import type { NewEntry, PostAnswer, PostedEntry } from './entry.ts';
import type {
  AccountTotals,
  ChargedCall,
  LedgerRow,
  LedgerStore,
  LoadedLedger,
  NotePosted,
  PostingRules,
  ReplayRow,
  SpentSoFar,
  StoredId,
} from './ports.ts';

export class MemoryLedger implements LedgerStore {
  readonly settlements = new Map<CallId, Settlement>();
  readonly holds = new Map<CallId, Settlement>();
  readonly posted: PostedEntry[] = [];
  readonly kept: ReplayRow[] = [];
  readonly stored: StoredId[] = [];
  /** While set, every write rejects with it. */
  failing: Error | null = null;
  /** While set, entries are written, but their answers are lost. */
  losingAnswers = false;
  /** A call whose rows are always refused. */
  unwritable: CallId | null = null;
  /** How many commits were refused. */
  refused = 0;
  /** The UTC day that `load` counts windows from. */
  nowMs: number;
  recovered = 0;
  /** What `sealedThrough` returns; nothing is moved. */
  sealed: string | null = null;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  async commit(rows: readonly LedgerRow[]): Promise<void> {
    // One turn later, as with a disk.
    await Promise.resolve();
    try {
      if (this.failing !== null) throw this.failing;
      for (const row of rows) this.#write(row);
    } catch (error) {
      this.refused += 1;
      throw error;
    }
  }

  /** What the storage does when it is opened after a crash. */
  recover(): void {
    this.recovered = this.holds.size;
    for (const [id, settlement] of this.holds) this.settlements.set(id, settlement);
    this.holds.clear();
  }

  async post(entry: NewEntry, rules: PostingRules, note?: NotePosted): Promise<PostAnswer> {
    await Promise.resolve();
    if (this.failing !== null) throw this.failing;
    const answer = this.#post(entry, rules);
    if (answer.refused === null && answer.isNew && note !== undefined) await this.#note(answer.entry, note);
    if (this.losingAnswers) throw new Error('unknown whether it was written');
    return answer;
  }

  async entry(accountId: AccountId, reference: string): Promise<PostedEntry | null> {
    if (this.failing !== null) throw this.failing;
    return this.#entry(accountId, reference);
  }

  async chargeOf(callId: CallId): Promise<ChargedCall | null> {
    return this.#chargeOf(callId);
  }

  async sealedThrough(): Promise<string | null> {
    return this.sealed;
  }

  async entries(accountId: AccountId, page: { readonly before: EntryId | null; readonly limit: number }) {
    const before = page.before ?? Number.POSITIVE_INFINITY;
    const found = this.posted.filter((entry) => entry.accountId === accountId && entry.id < before);
    return found.reverse().slice(0, page.limit);
  }

  async load(): Promise<LoadedLedger> {
    assert(this.holds.size === 0, 'a ledger is recovered before it is loaded');
    const balances = new Map<AccountId, AccountTotals>();
    const owners = [...this.settlements.values(), ...this.posted].map((row) => row.accountId);
    for (const accountId of new Set(owners)) balances.set(accountId, this.totals(accountId));
    const spent = <Id>(owner: (settlement: Settlement) => Id) => {
      const ids = new Set([...this.settlements.values()].map(owner));
      return new Map([...ids].map((id) => [id, this.#spent((each) => owner(each) === id)]));
    };
    return {
      balances,
      lastEntry: this.posted.at(-1)?.id ?? null,
      spent: {
        keys: spent((each) => each.keyId),
        projects: spent((each) => each.projectId),
        accounts: spent((each) => each.accountId),
      },
    };
  }

  /** Recomputed from every row. */
  totals(accountId: AccountId): AccountTotals {
    const entries = this.posted.filter((entry) => entry.accountId === accountId);
    const refunded = sum(entries.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount));
    const credited = (sum(entries.map(({ amount }) => amount)) - refunded) as Money;
    const settled = [...this.settlements.values()].filter((row) => row.accountId === accountId && row.hold !== null);
    const charged = (sum(settled.map(({ charge }) => charge)) - refunded) as Money;
    return { balance: (credited - charged) as Money, credited, charged };
  }

  async *replays(nowMs: number) {
    for (const { answer, ...row } of this.kept)
      if (row.expiresAt > nowMs) yield { ...row, answerBytes: answer?.length ?? 0 };
  }

  async replayAnswer(callId: CallId): Promise<Uint8Array | null> {
    return this.kept.find((row) => row.callId === callId)?.answer ?? null;
  }

  async storedIds(projectId: ProjectId, digests: readonly Uint8Array[]): Promise<readonly StoredId[]> {
    return this.stored.filter(
      (row) => row.projectId === projectId && digests.some((digest) => Buffer.compare(digest, row.digest) === 0),
    );
  }

  async forgetStored(projectId: ProjectId, digest: Uint8Array): Promise<void> {
    this.#forget((row) => row.projectId === projectId && Buffer.compare(digest, row.digest) === 0);
  }

  async forgetStoredBefore(ms: number): Promise<void> {
    this.#forget(({ createdAt }) => createdAt < ms);
  }

  #forget(isGone: (row: StoredId) => boolean): void {
    const left = this.stored.filter((row) => !isGone(row));
    this.stored.splice(0, this.stored.length, ...left);
  }

  async #note(entry: PostedEntry, note: NotePosted): Promise<void> {
    try {
      await note(entry);
    } catch (error) {
      this.posted.splice(this.posted.indexOf(entry), 1);
      throw error;
    }
  }

  /** Synchronous, as in a transaction. */
  #post(entry: NewEntry, rules: PostingRules): PostAnswer {
    const known = this.#entry(entry.accountId, entry.reference);
    if (known !== null) {
      const isSame = known.kind === entry.kind && known.amount === entry.amount && known.callId === entry.callId;
      return isSame ? { refused: null, entry: known, isNew: false } : { refused: 'reference_taken' };
    }
    const call = entry.callId === null ? null : this.#chargeOf(entry.callId);
    const refused = rules({ totals: this.totals(entry.accountId), call });
    if (refused !== null) return { refused };
    const posted = { ...entry, id: entryId(this.posted.length + 1) };
    this.posted.push(posted);
    return { refused: null, entry: posted, isNew: true };
  }

  #entry(accountId: AccountId, reference: string): PostedEntry | null {
    return this.posted.find((each) => each.accountId === accountId && each.reference === reference) ?? null;
  }

  #chargeOf(callId: CallId): ChargedCall | null {
    const settlement = this.settlements.get(callId);
    if (settlement === undefined) return null;
    const refunded = sum(this.posted.filter((entry) => entry.callId === callId).map((entry) => entry.amount));
    return { accountId: settlement.accountId, charge: settlement.charge, refunded };
  }

  #write(row: LedgerRow): void {
    const { settlement } = row;
    const { callId } = settlement;
    assert(callId !== this.unwritable, 'this call cannot be written');
    const settled = this.settlements.get(callId);
    if (row.type !== 'settlement') {
      assert(settled === undefined, 'a settled call holds nothing');
      this.holds.set(callId, settlement);
      return;
    }
    // Writing the same settlement again changes nothing.
    if (settled !== undefined && isDeepStrictEqual(settled, settlement)) return;
    assert(settled === undefined, 'a call is settled once');
    this.holds.delete(callId);
    this.settlements.set(callId, settlement);
    if (row.replay !== null) this.kept.push(row.replay);
    this.stored.push(...(row.stored ?? []));
  }

  #spent(isOwn: (settlement: Settlement) => boolean): SpentSoFar {
    const day = dayOf(this.nowMs);
    const own = [...this.settlements.values()].filter(isOwn).map((row) => ({ ...row, day: dayOf(row.admittedAt) }));
    const within = (isIn: (day: number) => boolean) => sum(own.filter((row) => isIn(row.day)).map((row) => row.charge));
    return {
      day,
      today: within((each) => each === day),
      week: within((each) => weekOf(each) === weekOf(day)),
      month: within((each) => monthOf(each) === monthOf(day)),
      total: within(() => true),
      callsToday: own.filter((row) => row.day === day).length,
      lastDay: Math.max(...own.map((row) => row.day)),
    };
  }
}

function sum(amounts: readonly Money[]): Money {
  return amounts.reduce((total, amount) => (total + amount) as Money, NO_MONEY);
}
